// A call in an op whose function makes the first collective: what is left of it for the op.
//
// The function up to its collective is done before the op. The op begins with what the function
// does behind it, and with the value that it returns. Both read the function's variables: a
// parameter is there what the call gives it, another one is memory of the program like any other.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace acis::rewriter {

struct DoneCall {
  const clang::CallExpr *call = nullptr; ///< null: there is none
  const clang::Expr *value = nullptr;    ///< null: not used
  std::vector<const clang::Stmt *> tail; ///< what the function does behind the collective
  /// What the function declares before that and `value` and `tail` read.
  std::vector<const clang::VarDecl *> locals;
  std::map<const clang::VarDecl *, const clang::Expr *> arguments; ///< by the parameter
  std::set<std::string> hidden; ///< names that mean something else where the collective is called
  std::string label;
  std::string problem; ///< why its arguments are not what the parameters are; empty: they are

  bool owns(const clang::VarDecl *var) const {
    return arguments.count(var) || std::find(locals.begin(), locals.end(), var) != locals.end();
  }
};

} // namespace acis::rewriter
