// What LLVM's instructions ask of the units of the array, for the cost model.
#pragma once

#include "passes/cost/CostModel.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace acis {

/// The class of the unit that computes an instruction.
UnitClass unitOf(const llvm::Instruction &inst);

/// Operations of an iteration, loops in it counted once, without what addresses and counters take.
Demand operationsOf(const llvm::Loop &loop);

} // namespace acis
