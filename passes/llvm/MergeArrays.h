// Arrays between which a pointer is chosen become parts of one array.
//
// `p = phase ? ping : pong` has no address in the register file, where each array is on its own;
// within one array it is the number of an element (PointerNumbers.h). Merged arrays share a port.
#pragma once

#include "passes/llvm/PointerWebs.h"

namespace llvm {
class Module;
} // namespace llvm

namespace acis {

/// Merges static arrays, of records or of numbers, that handlers choose between, and local ones
/// with them, which become static; nothing else is done to local arrays. Returns whether the module
/// was changed.
bool mergeStaticArrays(llvm::Module &module, WebElements kind);

/// The same for the local arrays of numbers of a function, when SROA has left no others.
bool mergeLocalArrays(llvm::Function &handler);

} // namespace acis
