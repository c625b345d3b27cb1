// Objects of the register file become arrays of numbers, and pointers to them
// the numbers of their elements (docs/rationale/front-end.md, Objects).
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Loop;
class Module;
} // namespace llvm

namespace acis {

/// Lowers static objects that have records, or of which several are one pointer's, and local ones
/// that are with them or whose records data indexes. `handlers`: all functions that use them.
/// `lanes`: of the overlay, to which merged arrays are aligned. Whether anything was changed.
bool lowerStaticObjects(llvm::Module &module, llvm::ArrayRef<llvm::Function *> handlers,
                        unsigned lanes);

/// Lowers the local objects that have records. Whether the function was
/// changed.
bool lowerLocalRecords(llvm::Function &handler, unsigned lanes);

/// Lowers the local objects and single static arrays of which an element is
/// chosen by data, or indexed in bytes. Whether the function was changed.
bool lowerChosenPointers(llvm::Function &handler, unsigned lanes);

/// Pointers into a stream or the memory of which data says how they move on become numbers of
/// elements. Whether the function was changed.
bool numberParameters(llvm::Function &handler);

/// Whether a pointer of the function is chosen by data.
bool choosesPointers(llvm::Function &handler);

/// A loop that may end in any iteration carries what it hands on, and an
/// address that is carried could point anywhere for those who look at it: each
/// phi of an exit block (in closed form) that chooses among addresses into one
/// object, or stream, becomes one of numbers.
void numberExits(llvm::Loop &loop);

} // namespace acis
