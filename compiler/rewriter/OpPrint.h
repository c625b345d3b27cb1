// Statements of an op as text for the compiler of handlers: C without the program's macros, types
// and headers, each type with the size that it has on the host.
#pragma once

#include "compiler/rewriter/OpMemory.h"

#include "clang/AST/PrettyPrinter.h"
#include "llvm/ADT/SetVector.h"

namespace acis::rewriter {

class OpPrinter : public clang::PrinterHelper {
public:
  OpPrinter(const clang::ASTContext &context, OpMemory &memory,
            const llvm::SetVector<const clang::FunctionDecl *> &callees);

  /// "T name".
  std::string declare(clang::QualType type, const std::string &name) const;
  std::string print(const clang::Stmt *stmt);
  /// All callees, and before them their declarations; last, when all else is printed.
  std::string functions();

private:
  bool handledStmt(clang::Stmt *stmt, llvm::raw_ostream &out) override;
  bool printExpr(const clang::Expr *expr, llvm::raw_ostream &out);
  bool printMemoryCall(const clang::CallExpr *call, llvm::raw_ostream &out);
  /// Numbers in an element of what the pointer, or the element of it, leads into.
  std::string stride(const clang::Expr *pointer, clang::QualType element);
  /// A structure or a row in an array, or a pointer to one, as the address of its first number.
  std::string flat(const clang::Expr *lvalue);
  std::string flatPointer(const clang::Expr *pointer);
  bool printFlat(const clang::Expr *expr, llvm::raw_ostream &out);
  void printDeclaration(const clang::DeclStmt *stmt, llvm::raw_ostream &out);
  void printFor(const clang::ForStmt *loop, llvm::raw_ostream &out);
  std::string raw(const clang::Stmt *stmt);
  std::string head(const clang::FunctionDecl *callee) const;
  std::string nameOf(const clang::FunctionDecl *callee) const;

  const clang::ASTContext &context;
  OpMemory &memory;
  const llvm::SetVector<const clang::FunctionDecl *> &callees;
  clang::PrintingPolicy policy;
  std::vector<std::string> helpers; ///< functions for lengths of run time
};

} // namespace acis::rewriter
