// The walk that adds up the effects of one statement: statements and expressions in
// EffectsWalk.cpp, calls in EffectsCalls.cpp.
#pragma once

#include "compiler/rewriter/Effects.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace acis::rewriter {

class EffectsAnalysis::Walker {
public:
  Walker(EffectsAnalysis &analysis, Effects &effects) : analysis(analysis), effects(effects) {}

  void walk(const clang::Stmt *stmt);

private:
  void walkChildren(const clang::Stmt *stmt);
  void walkLoop(const clang::Stmt *stmt, bool isLoop);
  void walkRange(const clang::CXXForRangeStmt *range);
  void declare(const clang::VarDecl *var);
  void walkExpr(const clang::Expr *expr);
  void seeQualifiers(const clang::Expr *place);
  void walkLambda(const clang::LambdaExpr *lambda);
  void walkConstruct(const clang::CXXConstructExpr *construct);
  /// What the destructor of a value of the type does at the end.
  void walkDestructor(clang::QualType type);

  void walkCall(const clang::CallExpr *call);
  void walkArguments(const clang::CallExpr *call);
  /// A function whose body is known.
  void walkBody(const CallSite &site);
  /// Methods and operators of library classes. False: not one.
  bool walkMember(const clang::CallExpr *call);
  void walkLibrary(const clang::CallExpr *call, const std::string &name);
  void walkUnseen(const clang::CallExpr *call, const std::string &name);
  void walkAlgorithm(const clang::CallExpr *call, llvm::StringRef name);
  /// A callable that a library function calls with elements of `ranges`.
  void walkCallable(const clang::Expr *callable, const Paths &ranges);
  void walkCallee(const clang::FunctionDecl *callee, const Paths &ranges);
  /// Everything that arguments of pointer or reference type lead to.
  void touchTargets(const clang::CallExpr *call, bool mayWrite);

  void read(const Path &path) { effects.reads.insert(path); }
  void write(const Path &path) { effects.writes.insert(path); }
  void block(std::string name) {
    if (effects.blame.empty())
      effects.blame = std::move(name);
    effects.calls = true;
  }

  EffectsAnalysis &analysis;
  Effects &effects;
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 4> destroyed;
  unsigned loops = 0, breakTargets = 0, switches = 0;
};

} // namespace acis::rewriter
