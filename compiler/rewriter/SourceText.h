// The text of one file and edits to it, by statements.
//
// Statements of a chain are cut into pieces: a piece is a statement with the comments before
// it and the end of its line.
#pragma once

#include "compiler/rewriter/Candidate.h"

#include "clang/AST/Decl.h"

#include <map>
#include <string>
#include <vector>

namespace acis::rewriter {

class SourceText {
public:
  /// The main text of the file that `function` is in.
  SourceText(const clang::FunctionDecl *function, std::string file);

  /// Why these statements cannot be cut: macros, directives, other files.
  Refusal judge(const std::vector<const clang::Stmt *> &stmts) const;

  /// White space before a statement on its line.
  std::string indentOf(const clang::Stmt *stmt) const;
  /// The piece of `stmt`, which is one of `stmts` but not the first, ending with a new line.
  std::string pieceOf(const std::vector<const clang::Stmt *> &stmts, const clang::Stmt *stmt) const;
  /// Comments between the statement before and this one.
  std::string commentsBefore(const std::vector<const clang::Stmt *> &stmts,
                             const clang::Stmt *stmt) const;
  /// The comment behind a statement on its line; empty: none.
  std::string commentAfter(const clang::Stmt *stmt) const;
  /// Whether the piece of `stmt` follows that of `previous` without a gap.
  bool follows(const std::vector<const clang::Stmt *> &stmts, const clang::Stmt *previous,
               const clang::Stmt *stmt) const;
  /// #line for the first line of the piece.
  std::string lineDirective(const std::vector<const clang::Stmt *> &stmts,
                            const clang::Stmt *stmt) const;

  void replace(const std::vector<const clang::Stmt *> &stmts, const std::string &text);
  void insertAfter(const clang::Stmt *stmt, const std::string &text);
  void insertBeforeFunction(const clang::FunctionDecl *function, const std::string &text);
  /// Before the outermost declaration round the function; the same text only once.
  void insertBeforeOutermost(const clang::FunctionDecl *function, const std::string &text);

  bool contains(llvm::StringRef words) const { return text.contains(words); }
  bool hasEdits() const { return !edits.empty(); }
  std::string apply() const;

private:
  struct Edit {
    size_t end;
    std::string text;
  };
  size_t offsetOf(clang::SourceLocation loc) const;
  bool isOfLoop(const std::vector<const clang::Stmt *> &stmts, size_t line) const;
  const clang::Stmt *aroundLine(const std::vector<const clang::Stmt *> &stmts, size_t line) const;
  static bool isConditional(llvm::StringRef words, unsigned &open);
  void insertBefore(size_t begin, const std::string &text);
  size_t beginOf(const clang::Stmt *stmt) const;
  /// Behind the semicolon.
  size_t endOf(const clang::Stmt *stmt) const;
  /// Where the piece of a statement starts: behind the one before it, or behind its line.
  size_t pieceBegin(const std::vector<const clang::Stmt *> &stmts, const clang::Stmt *stmt) const;
  /// Behind what follows the statement on its line, if that is a comment or nothing.
  size_t lineEnd(size_t end) const;
  std::string directive(size_t offset) const;

  const clang::ASTContext &context;
  const clang::SourceManager &manager;
  clang::FileID id;
  llvm::StringRef text;
  std::string name;
  std::map<size_t, Edit> edits; ///< by offset; they do not overlap
};

} // namespace acis::rewriter
