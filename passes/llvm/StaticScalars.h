// Static variables that are not arrays: kept in the scalar unit's scratch memory from
// one invocation to the next, in registers in between.
//
// Each is loaded where a handler begins and stored where it returns; all other uses go to
// a local copy, which later passes promote. Scratch memory is 0 when a handler is loaded,
// so what is stored is the value exclusive-or its initial value.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include <cstdint>

namespace llvm {
class Module;
class Value;
} // namespace llvm

namespace acis {

/// Fails when the variables need more than `bytes` of scratch memory.
bool placeStaticScalars(llvm::Module &module, unsigned bytes, Diagnostics &diagnostics);

/// Whether a pointer is the address of such a variable.
bool isScratchPointer(const llvm::Value *pointer);

} // namespace acis
