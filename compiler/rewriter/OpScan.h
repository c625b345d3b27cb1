// Questions about an op's statements that the handler's text depends on.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/DoneCall.h"
#include "compiler/rewriter/Effects.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/SetVector.h"

namespace acis::rewriter {

/// Functions and globals that an op uses, directly or by way of its callees.
struct OpScan {
  llvm::SetVector<const clang::FunctionDecl *> callees;
  llvm::SetVector<const clang::VarDecl *> globals;
  std::set<const clang::VarDecl *> ofCallees;    ///< globals that callees use
  llvm::SetVector<const clang::VarDecl *> given; ///< what arguments of a done call read
  std::string wrongType;                         ///< one that the overlay has not
};
OpScan scan(const std::vector<const clang::Stmt *> &op, const DoneCall &done);

class OpQuestions {
public:
  OpQuestions(EffectsAnalysis &effects, const Candidate &candidate, const DoneCall &done);

  /// Whether what the op leaves in the variable may be read after it.
  bool isLive(const clang::VarDecl *var);
  /// The constant that the variable is declared with, if nothing else writes it before the op.
  const clang::Expr *constantBefore(const clang::VarDecl *var);
  /// Whether each statement of the op that reads or writes it sets it first, whatever happens: a
  /// loop that starts with it, or an assignment. What only some iterations or branches set has its
  /// old value in the others.
  bool isSetFirst(const clang::VarDecl *var);
  /// Whether the op reads nothing of the array and a loop of it, for (i = 0; i < count; i++) with
  /// array[i] = value as a statement of its body, writes all of it.
  bool isOverwritten(const clang::VarDecl *var, const Path &elements, uint64_t count);
  Path pathOf(const clang::VarDecl *var) { return {effects.theProgram().idOf(var), ""}; }
  Effects op;

private:
  const clang::VarDecl *countsTo(const clang::ForStmt *loop, uint64_t count);
  bool startsInBlock(const clang::VarDecl *var);
  bool isNewInBlock(const clang::VarDecl *var);

  EffectsAnalysis &effects;
  const Candidate &candidate;
  const DoneCall &done;
  const clang::ASTContext &context;
};

} // namespace acis::rewriter
