// The op in the order of its text, with the ranges of its integers and the places of its pointers.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/OpMemory.h"
#include "compiler/rewriter/RangeFlow.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace acis::rewriter {

class OpWalk : public RangeFlow {
public:
  OpWalk(OpMemory &memory, const clang::ASTContext &context, const Place *received,
         std::string used)
      : memory(memory), context(context), received(received), used(std::move(used)) {}

  void walk(const clang::Stmt *stmt);
  /// What a call gives to a parameter of its function.
  void bind(const clang::ParmVarDecl *param, const clang::Expr *argument);
  Refusal refusal;
  std::string rangeOf(const Place *place, bool isWritten);
  unsigned usedPlaces() const { return unsigned(numbers.size()); }

private:
  /// Where a pointer leads: a place and the number of elements from its start on.
  struct Target {
    Place *place = nullptr;
    Range offset;
    explicit operator bool() const { return place; }
  };

  Range atCall(const clang::VarDecl *var) override;
  void refuse(const clang::Stmt *stmt, const std::string &why);

  bool hasRows(const clang::Stmt *stmt, clang::QualType type, const clang::Expr *value);
  void walkDeclaration(const clang::DeclStmt *stmt);
  void walkIf(const clang::IfStmt *stmt);
  void walkLoop(const clang::Stmt *stmt, const clang::Stmt *init, const clang::Expr *condition,
                const clang::Stmt *body, const clang::Expr *step, bool isTestedFirst);
  void narrowBy(const clang::Expr *condition, bool isTrue);
  void narrowSide(const clang::Expr *side, clang::BinaryOperatorKind kind, const Range &other);

  /// Evaluates it; Unknown for what is no integer.
  Range eval(const clang::Expr *expr);
  Range evalCast(const clang::CastExpr *cast);
  Range evalUnary(const clang::UnaryOperator *op);
  Range evalBinary(const clang::BinaryOperator *op);
  Range arithmetic(clang::BinaryOperatorKind kind, const Range &a, const Range &b);
  Range evalCall(const clang::CallExpr *call);
  Range evalBody(const clang::CallExpr *call, const clang::FunctionDecl *callee);
  bool evalLibrary(const clang::CallExpr *call, llvm::StringRef name);
  Range assignTo(const clang::Expr *target, const Range &range, bool isRead);
  Range fit(const Range &range, clang::QualType type);

  Target target(const clang::Expr *pointer);
  Target moved(const Target &target, const Range &by, clang::QualType pointee, bool isBack);
  /// The element that an lvalue names, and the touch of it.
  Target element(const clang::Expr *lvalue);
  Range access(const clang::Expr *lvalue, bool isRead, bool isWritten);
  void touch(const Target &target, const Range &index, bool isRead, bool isWritten,
             const clang::Stmt *where);
  Range heldIn(const Target &target);

  OpMemory &memory;
  const clang::ASTContext &context;
  const Place *received;
  std::string used;
  std::map<const clang::VarDecl *, Target> pointers;
  std::map<const Place *, Range> stored;
  std::map<const Place *, unsigned> numbers;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> active;
  std::vector<Range> returned;
};

/// The variable that an expression is; null: it is another one.
inline const clang::VarDecl *variableOf(const clang::Expr *expr) {
  const auto *ref = clang::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref ? clang::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

/// A call of acis_ranges.h as text.
inline std::string call(const char *function, const std::string &a, const std::string &b) {
  return std::string(function) + "(" + a + ", " + b + ")";
}

} // namespace acis::rewriter
