// memset, memcpy and memmove become loops over elements, which are mapped like any other loop.
#pragma once

#include "passes/llvm/Diagnostic.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis {

/// Moves of a few elements within one array become reads of all and then writes, and copies of the
/// rest of a record from and to streams single bytes, so that SROA can take the array apart.
/// Returns whether the function was changed.
bool expandMoves(llvm::Function &handler);

/// Loops are rotated (tested at the end) and count elements of the array from 0. Fails,
/// with a message, where the bytes do not make elements. `changed`: the function was.
bool lowerMemory(llvm::Function &handler, Diagnostics &diagnostics, bool &changed);

} // namespace acis
