// Offsets, pieces, #line.
#include "compiler/rewriter/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace clang;

namespace acis::rewriter {

SourceText::SourceText(const FunctionDecl *function, std::string file)
    : context(function->getASTContext()), manager(context.getSourceManager()),
      id(manager.getFileID(manager.getExpansionLoc(function->getLocation()))),
      text(manager.getBufferData(id)), name(llvm::sys::path::filename(file).str()) {}

size_t SourceText::offsetOf(SourceLocation loc) const {
  return manager.getFileOffset(manager.getExpansionLoc(loc));
}

size_t SourceText::beginOf(const Stmt *stmt) const { return offsetOf(stmt->getBeginLoc()); }

size_t SourceText::endOf(const Stmt *stmt) const {
  SourceLocation loc = manager.getExpansionRange(stmt->getEndLoc()).getEnd();
  size_t end =
      manager.getFileOffset(loc) + Lexer::MeasureTokenLength(loc, manager, context.getLangOpts());
  if (end > 0 && (text[end - 1] == ';' || text[end - 1] == '}'))
    return end;
  size_t next = text.find_first_not_of(" \t\r\n", end);
  return next != llvm::StringRef::npos && text[next] == ';' ? next + 1 : end;
}

/// Behind the end of the line, which a backslash before it takes away.
static size_t newLineAfter(llvm::StringRef text, size_t at) {
  for (at = text.find('\n', at); at != text.npos; at = text.find('\n', at + 1)) {
    llvm::StringRef line = text.take_front(at).rtrim(" \t\r");
    if (!line.ends_with("\\") && !line.ends_with("?\?/"))
      return at + 1;
  }
  return text.size();
}

size_t SourceText::lineEnd(size_t end) const {
  for (size_t at = end;;) {
    at = text.find_first_not_of(" \t\r", at);
    if (at == llvm::StringRef::npos)
      return text.size();
    llvm::StringRef rest = text.substr(at);
    if (rest.starts_with("\n"))
      return at + 1;
    if (rest.starts_with("//"))
      return newLineAfter(text, at);
    // A comment over several lines is the next statement's.
    size_t close = rest.starts_with("/*") ? rest.find("*/", 2) : llvm::StringRef::npos;
    if (close == llvm::StringRef::npos || rest.take_front(close).contains('\n'))
      return end;
    at += close + 2;
  }
}

size_t SourceText::pieceBegin(const std::vector<const Stmt *> &stmts, const Stmt *stmt) const {
  auto place = std::find(stmts.begin(), stmts.end(), stmt);
  if (place == stmts.begin())
    return beginOf(stmt);
  return lineEnd(endOf(*(place - 1)));
}

std::string SourceText::pieceOf(const std::vector<const Stmt *> &stmts, const Stmt *stmt) const {
  size_t end = lineEnd(endOf(stmt));
  bool isFirst = stmt == stmts.front();
  std::string piece =
      (isFirst ? indentOf(stmt) : "") + text.slice(pieceBegin(stmts, stmt), end).str();
  if (!piece.empty() && piece.back() != '\n')
    piece += '\n';
  return piece;
}

std::string SourceText::commentsBefore(const std::vector<const Stmt *> &stmts,
                                       const Stmt *stmt) const {
  llvm::StringRef between = text.slice(pieceBegin(stmts, stmt), beginOf(stmt)).rtrim();
  return between.trim().empty() ? "" : between.ltrim("\r\n").str() + "\n";
}

std::string SourceText::commentAfter(const Stmt *stmt) const {
  size_t end = endOf(stmt);
  return text.slice(end, lineEnd(end)).trim().str();
}

bool SourceText::follows(const std::vector<const Stmt *> &stmts, const Stmt *previous,
                         const Stmt *stmt) const {
  auto place = std::find(stmts.begin(), stmts.end(), stmt);
  return previous && place != stmts.begin() && *(place - 1) == previous &&
         text[pieceBegin(stmts, stmt) - 1] == '\n';
}

std::string SourceText::directive(size_t offset) const {
  // A generator may have said where the code is from.
  SourceLocation start = manager.getLocForStartOfFile(id);
  PresumedLoc place = manager.getPresumedLoc(start.getLocWithOffset(offset));
  PresumedLoc own = manager.getPresumedLoc(start, /*UseLineDirectives=*/false);
  bool isOwn = llvm::StringRef(place.getFilename()) == own.getFilename();
  return "#line " + std::to_string(place.getLine()) + " \"" +
         (isOwn ? name : std::string(place.getFilename())) + "\"\n";
}

std::string SourceText::lineDirective(const std::vector<const Stmt *> &stmts,
                                      const Stmt *stmt) const {
  return directive(pieceBegin(stmts, stmt));
}

std::string SourceText::indentOf(const Stmt *stmt) const {
  size_t begin = beginOf(stmt);
  size_t line = text.rfind('\n', begin);
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  llvm::StringRef before = text.slice(line, begin);
  return before.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

Refusal SourceText::judge(const std::vector<const Stmt *> &stmts) const {
  for (const Stmt *stmt : stmts)
    for (SourceLocation loc : {stmt->getBeginLoc(), stmt->getEndLoc()}) {
      if (manager.getFileID(manager.getExpansionLoc(loc)) != id)
        return {"macro", "it is spread over files"};
      bool isBegin = loc == stmt->getBeginLoc();
      // A macro that stands for a whole expression inside a statement is text like any other.
      if (loc.isMacroID() &&
          (isBegin ? !Lexer::isAtStartOfMacroExpansion(loc, manager, context.getLangOpts())
                   : !Lexer::isAtEndOfMacroExpansion(loc, manager, context.getLangOpts())))
        return {"macro", "a part of it is written by a macro"};
    }
  size_t begin = beginOf(stmts.front()), end = endOf(stmts.back());
  if (begin >= end)
    return {"macro", "a part of it is written by a macro"};
  const Stmt *in = nullptr; ///< the statement in which a conditional group is open
  unsigned open = 0;
  for (size_t line = text.find('\n', begin); line < end; line = text.find('\n', line + 1)) {
    llvm::StringRef words = text.substr(line + 1).ltrim(" \t");
    if (!words.starts_with("#") || isOfLoop(stmts, line + 1))
      continue;
    const Stmt *around = aroundLine(stmts, line + 1);
    if (!around || (open && around != in) || !isConditional(words, open))
      return {"preprocessor", "there is a preprocessor directive in it"};
    in = around;
  }
  if (open)
    return {"preprocessor", "there is a part of a preprocessor conditional in it"};
  return {};
}

/// A statement that goes where it goes as it is written, and begins before the line and ends behind
/// it. What calls are made of is written anew.
const Stmt *SourceText::aroundLine(const std::vector<const Stmt *> &stmts, size_t line) const {
  for (const Stmt *stmt : stmts)
    if (beginOf(stmt) < line && line < endOf(stmt))
      return isa<Expr, DeclStmt>(stmt) ? nullptr : stmt;
  return nullptr;
}

/// Whether a condition may be another one for the compiler than it is here: it asks for what a
/// compiler defines by itself. What is defined on the command line both get.
static bool isOfCompiler(llvm::StringRef words) {
  words = words.take_until([](char c) { return c == '\n'; });
  if (words.rtrim(" \t\r").ends_with("\\"))
    return true;
  for (size_t at = words.find('_'); at != words.npos; at = words.find('_', at + 1)) {
    const char before = words[at - 1];
    if (!isalnum(before) && before != '_' && !words.substr(at).starts_with("_OPENMP"))
      return true;
  }
  return false;
}

/// Whether a directive is one of a conditional group that begins in the text looked at; `open`
/// counts groups. Such a group means the same wherever its whole text stands.
bool SourceText::isConditional(llvm::StringRef words, unsigned &open) {
  llvm::StringRef name = words.ltrim("# \t").take_while([](char c) { return isalpha(c); });
  if (isOfCompiler(words))
    return false;
  if (llvm::is_contained({"if", "ifdef", "ifndef"}, name))
    return ++open > 0;
  if (name == "endif")
    return open > 0 && open-- > 0;
  return open > 0 && llvm::is_contained({"else", "elif", "elifdef", "elifndef"}, name);
}

/// A pragma in a statement or right before a loop goes where the statement goes.
bool SourceText::isOfLoop(const std::vector<const Stmt *> &stmts, size_t line) const {
  llvm::StringRef words = text.slice(line, text.find('\n', line)).ltrim(" \t#");
  if (!words.consume_front("pragma"))
    return false;
  llvm::StringRef kind = words.ltrim().take_while([](char c) { return isalnum(c) || c == '_'; });
  if (!llvm::is_contained({"omp", "simd", "ivdep", "vector", "unroll", "GCC", "clang", "acc"},
                          kind))
    return false;
  for (const Stmt *stmt : stmts)
    if (line < endOf(stmt))
      return beginOf(stmt) < line || isa<ForStmt, WhileStmt, DoStmt>(stmt);
  return false;
}

void SourceText::replace(const std::vector<const Stmt *> &stmts, const std::string &newText) {
  size_t begin = beginOf(stmts.front()), end = lineEnd(endOf(stmts.back()));
  edits[begin] = {end, newText + directive(end)};
}

void SourceText::insertAfter(const Stmt *stmt, const std::string &newText) {
  size_t end = lineEnd(endOf(stmt));
  std::string before = text[end - 1] == '\n' ? "" : "\n";
  edits[end] = {end, before + newText + directive(end)};
}

void SourceText::insertBeforeFunction(const FunctionDecl *function, const std::string &newText) {
  insertBefore(offsetOf(function->getBeginLoc()), newText);
}

void SourceText::insertBefore(size_t begin, const std::string &newText) {
  begin = text.rfind('\n', begin);
  begin = begin == llvm::StringRef::npos ? 0 : begin + 1;
  Edit &edit = edits.try_emplace(begin, Edit{begin, ""}).first->second;
  // Several ops of one function: the directive stays last.
  std::string line = directive(begin);
  llvm::StringRef old = edit.text;
  old.consume_back(line);
  if (old.contains(newText))
    return;
  edit.text = old.str() + newText + line;
}

void SourceText::insertBeforeOutermost(const FunctionDecl *function, const std::string &newText) {
  const Decl *decl = function;
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    decl = pattern;
  while (const DeclContext *up = decl->getLexicalDeclContext()) {
    if (up->isTranslationUnit())
      break;
    decl = cast<Decl>(up);
  }
  if (const TemplateDecl *described = decl->getDescribedTemplate())
    decl = described;
  insertBefore(offsetOf(decl->getBeginLoc()), newText);
}

/// The line ends of a file from Windows, for the lines that are new.
static std::string withReturns(llvm::StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
      result += '\r';
    result += text[i];
  }
  return result;
}

std::string SourceText::apply() const {
  std::string result;
  size_t position = 0;
  for (const auto &[begin, edit] : edits) {
    result += text.slice(position, begin);
    result += edit.text;
    position = edit.end;
  }
  result += text.substr(position).str();
  return text.contains("\r\n") ? withReturns(result) : result;
}

} // namespace acis::rewriter
