// Which variables are stored as addresses somewhere, so that a pointer may lead to them later.
//
// An address is kept by an assignment, an initialisation, a return, or a call of something that
// keeps what it is given: a function of the program by the same rules, a function that cannot be
// seen always, a function of the libraries only by returning it. MPI calls hold addresses no
// longer than the communication lasts, and what lies there may not be touched before its end.
// More may be named than is kept, never less.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace acis::rewriter {

class Program;

/// The variables (as canonical declarations) of all files of the program.
llvm::DenseSet<const clang::VarDecl *> findKeptAddresses(const Program &program);

} // namespace acis::rewriter
