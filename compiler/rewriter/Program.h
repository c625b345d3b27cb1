// The parsed files of one MPI program: Clang's trees, functions by name across files, variables
// as numbers, and facts that hold for a variable in the whole program (which hold the rank, what
// a pointer that is set once points to).
#pragma once

#include "compiler/rewriter/Path.h"
#include "compiler/rewriter/Scope.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace acis::rewriter {

/// All assignments to a pointer variable, as far as they matter.
struct PointerDefs {
  unsigned count = 0;                 ///< null pointers do not count
  const clang::Expr *value = nullptr; ///< of the last one seen
};

class Program {
public:
  /// `localFunctions`: names of functions that the caller vouches for: they do not communicate and
  /// touch no memory of the program but what their arguments lead to.
  Program(std::vector<std::unique_ptr<clang::ASTUnit>> units, Scope scope,
          const std::vector<std::string> &localFunctions = {});
  ~Program();

  const std::vector<std::unique_ptr<clang::ASTUnit>> &units() const { return asts; }
  /// Functions with bodies that are not from system headers, in source order by file.
  const std::vector<const clang::FunctionDecl *> &functions() const { return bodies; }
  /// Null: none is visible, or the callee is a library's.
  const clang::FunctionDecl *definition(const clang::CallExpr *call) const;
  static const clang::FunctionDecl *callee(const clang::CallExpr *call);
  static std::string calleeName(const clang::CallExpr *call);

  bool isLocalByOption(llvm::StringRef name) const { return locals.contains(name); }

  unsigned idOf(const clang::VarDecl *var);
  const clang::VarDecl *variable(unsigned id) const { return variables[id - Path::FirstVariable]; }

  bool isRank(const clang::ValueDecl *var) const { return ranks.contains(var); }
  /// Whether the value of the expression differs from rank to rank because of the rank itself.
  bool readsRank(const clang::Stmt *expr) const;
  const PointerDefs *pointerDefs(const clang::VarDecl *var) const;
  /// Whether it holds the number of ranks.
  bool isSizeVariable(const clang::ValueDecl *var) const { return sizes.contains(var); }
  /// Whether a pointer to (a part of) the variable is stored anywhere (KeptAddresses.h).
  bool isAddressKept(const clang::VarDecl *var) const {
    return kept.contains(var->getCanonicalDecl());
  }
  /// A local pointer that is set once, to memory just allocated.
  bool isFresh(const clang::VarDecl *var) const;
  /// Ends the program, leaves or says something because an MPI call returned an error. By
  /// default MPI itself ends the program then.
  bool isErrorCheck(const clang::Stmt *stmt) const;
  /// The one value that a function returns, e.g. a datatype; null: it is not that simple.
  const clang::Expr *onlyReturn(const clang::FunctionDecl *function) const;
  /// What the last statement of a function returns; null: it returns nothing.
  static const clang::Expr *lastReturn(const clang::FunctionDecl *function);
  const clang::Expr *onlyValue(const clang::VarDecl *var) const;

  /// File and line where something is written; macros count where they are used.
  static std::string fileOf(const clang::ASTContext &context, clang::SourceLocation loc);
  static unsigned lineOf(const clang::ASTContext &context, clang::SourceLocation loc);

private:
  class Index;
  void spreadRanks();
  bool readsRank(const clang::Stmt *expr, unsigned depth) const;
  void findCodes();
  bool readsOnlyCodes(const clang::Stmt *condition, bool &any) const;

  std::vector<std::unique_ptr<clang::ASTUnit>> asts;
  std::vector<const clang::FunctionDecl *> bodies;
  llvm::StringMap<const clang::FunctionDecl *> external;
  llvm::DenseMap<const clang::VarDecl *, unsigned> ids;
  llvm::StringMap<unsigned> globals;
  std::vector<const clang::VarDecl *> variables;
  llvm::DenseSet<const clang::ValueDecl *> ranks, sizes;
  llvm::DenseSet<const clang::VarDecl *> kept, codes;
  llvm::DenseMap<const clang::VarDecl *, PointerDefs> pointers, values;
  std::vector<const clang::CallExpr *> calls;
  std::vector<std::pair<const clang::ValueDecl *, const clang::Expr *>> assignments;
  llvm::StringSet<> locals;
  bool wholeProgram, isOneProgram = true;
};

} // namespace acis::rewriter
