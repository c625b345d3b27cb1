// Which statements of a function several threads may run: those in regions of OpenMP, also where
// no flag of the compiler says that its pragmas count.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace acis::rewriter {

/// The calls in statements that a pragma of OpenMP stands before, other than `simd`.
llvm::DenseSet<const clang::CallExpr *> callsInOpenMp(const clang::FunctionDecl *function);

} // namespace acis::rewriter
