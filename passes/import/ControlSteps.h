// Steps of the control code that the scalar unit cannot do: single elements of arrays, floating
// point and division of 64 bits between loops. Each becomes a loop of one iteration, which the
// array runs.
#pragma once

#include "passes/llvm/StreamAccess.h"

namespace llvm {
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace acis::import {

/// Wraps what is left of such steps in `handler` into loops of one iteration: neighbouring
/// ones of a basic block together, with the integer operations between them. True if there
/// were any; every analysis of the function is stale then. Call it when all loops that are
/// nests have been replaced by calls. `arguments`: words that a launch takes.
bool wrapControlSteps(llvm::Function &handler, const StreamAccess &accesses, unsigned arguments);

/// What the scalar unit cannot do: each becomes a step.
bool isStep(const llvm::Instruction &inst, const StreamAccess &accesses);

/// Whether wrapControlSteps() made this loop.
bool isControlStep(const llvm::Loop &loop);

/// An operation of floating point, not only a move of such a value: what the scalar unit
/// does not have.
bool isFloatOperation(const llvm::Instruction &inst);

} // namespace acis::import
