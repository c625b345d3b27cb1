// What is left of a handler after its nests are gone: scalar accesses to streams and
// to the packet length become calls that the code generator knows.
#pragma once

#include "passes/import/LoopShape.h"
#include "passes/llvm/StreamAccess.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis::import {

/// Replaces the accesses that are still in `handler`, and checks that the scalar unit
/// can run the rest. Accesses that control code may not do are added to `diagnostics`;
/// then the function is left half done.
void lowerControl(llvm::Function &handler, StreamAccess &accesses, const FunctionAnalyses &analyses,
                  Diagnostics &diagnostics);

} // namespace acis::import
