// Arrays of pointers that are constants, as of strings.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace acis {

/// What one constant array points to becomes one array, and the pointers numbers of its elements:
/// names[i] of `static const char *const names[] = {"GET", "PUT"}` is then a place in
/// "GET\0..PUT\0". A local array that is copied from a constant and only read is that constant.
/// Left as it is: what holds null, is used for more than reading, or points to objects of different
/// elements. `lanes`: as for lowerStaticObjects().
bool numberPointersInTables(llvm::Module &module, llvm::ArrayRef<llvm::Function *> handlers,
                            unsigned lanes);

} // namespace acis
