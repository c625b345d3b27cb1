// Legality: what cannot be mapped is an error at its source line, with the reason and,
// where there is one, the way out.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "llvm/IR/PassManager.h"

namespace acis {

/// What the program must not contain whatever the passes make of it: signature, aliasing
/// parameters, volatile and atomic accesses, arrays of variable length, types that the
/// overlay lacks, exceptions. After inlining, before any other pass.
bool verifySource(llvm::Function &handler, Diagnostics &diagnostics);

/// What must hold in handler form: loops that end and are entered at their start, integers of
/// at most 64 bits.
bool verifyHandlerForm(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                       Diagnostics &diagnostics);

} // namespace acis
