// The text of one file and edits to it, by statements.
//
// Statements of a chain are cut into pieces: a piece is a statement with the comments before
// it and the end of its line.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Program.h"

#include "clang/AST/Decl.h"

#include <map>
#include <string>
#include <vector>

namespace acis::rewriter {

class SourceText {
public:
  /// The main text of the file that `function` is in.
  SourceText(const Program &program, const clang::FunctionDecl *function, std::string file);

  /// Why these statements cannot be cut: macros, directives, other files.
  Refusal judge(const std::vector<const clang::Stmt *> &stmts) const;
  /// Pieces have only what #if and its like leave in. This is text that goes before them: it stops
  /// a compiler with flags under which they would leave in something else. Empty: no directives.
  std::string guards(const std::vector<const clang::Stmt *> &stmts) const;
  /// Whether there is a directive from one statement to the end of another.
  bool hasDirectives(const clang::Stmt *first, const clang::Stmt *last) const;

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

  /// What stands before and behind a call in its statement, a use of a macro with the call as
  /// argument; nothing if the call is not written there.
  std::pair<std::string, std::string> around(const clang::Stmt *stmt,
                                             const clang::CallExpr *call) const;

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
  void leaveOut(const Program &program);
  bool isLeftOut(size_t offset) const;
  bool isOfLoop(const std::vector<const clang::Stmt *> &stmts, size_t line) const;
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
  std::string active;                             ///< `text` with zeros for what is left out
  std::vector<std::pair<size_t, size_t>> skipped; ///< from a directive to the next
  std::map<size_t, Edit> edits;                   ///< by offset; they do not overlap
};

} // namespace acis::rewriter
