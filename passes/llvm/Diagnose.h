// Errors at the best place that the IR still knows.
#pragma once

#include "passes/llvm/Diagnostic.h"

namespace llvm {
class DILocation;
class Loop;
} // namespace llvm

namespace acis {

/// The place of the instruction, of the next one in its block that has a line, or of the one
/// before; null if none has.
const llvm::DILocation *nearestPlace(const llvm::Instruction &inst);

/// An error at an instruction, at the nearest one with a line if it has none; at the start
/// of a loop; at a function.
Diagnostic diagnose(const llvm::Instruction &where, Refusal refusal);
Diagnostic diagnose(const llvm::Loop &where, Refusal refusal);
Diagnostic diagnose(const llvm::Function &where, Refusal refusal);

/// "file:line:column: error: message", a line for it and one for each note.
std::string render(const Diagnostic &diagnostic);

} // namespace acis
