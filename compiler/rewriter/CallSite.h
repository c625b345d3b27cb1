// A call with the body that it runs: which argument goes to which parameter, also where the first
// argument is an object (operators, lambdas) or there is no call expression (constructors).
#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"

namespace acis::rewriter {

struct CallSite {
  const clang::FunctionDecl *callee = nullptr; ///< with its body
  llvm::ArrayRef<const clang::Expr *> args;    ///< for the parameters, in their order
  const clang::Expr *object = nullptr;         ///< of a method

  CallSite(const clang::CallExpr *call, const clang::FunctionDecl *callee) : callee(callee) {
    args = llvm::ArrayRef(call->getArgs(), call->getNumArgs());
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      object = member->getImplicitObjectArgument();
    } else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method && !args.empty()) {
      object = args.front();
      args = args.drop_front();
    }
  }
  CallSite(const clang::CXXConstructExpr *construct, const clang::FunctionDecl *callee)
      : callee(callee), args(construct->getArgs(), construct->getNumArgs()) {}
  /// Called from inside a library function: its arguments are not to be seen.
  explicit CallSite(const clang::FunctionDecl *callee) : callee(callee) {}

  bool isLambda() const {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    return method && method->getParent()->isLambda();
  }

  /// Null: not a parameter of the callee, or it has its default value.
  const clang::Expr *argument(const clang::ParmVarDecl *param) const {
    unsigned index = param->getFunctionScopeIndex();
    bool isOwn = index < callee->getNumParams() && index < args.size() &&
                 callee->getParamDecl(index)->getCanonicalDecl() == param->getCanonicalDecl();
    return isOwn ? args[index] : nullptr;
  }

  /// Whether the callee, or a function inside it, declares the variable. A lambda also sees those
  /// of the function round it.
  bool owns(const clang::VarDecl *var) const {
    for (const clang::DeclContext *in = var->getDeclContext(); in; in = in->getParent())
      if (in->isFunctionOrMethod() &&
          llvm::cast<clang::Decl>(in)->getCanonicalDecl() == callee->getCanonicalDecl())
        return true;
    return false;
  }
};

} // namespace acis::rewriter
