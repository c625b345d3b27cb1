// Offsets, pieces, #line.
#include "compiler/rewriter/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace clang;

namespace acis::rewriter {

namespace {

/// The first word of a directive; empty: the line is none.
llvm::StringRef directiveWord(llvm::StringRef line) {
  line = line.ltrim(" \t");
  if (!line.consume_front("#"))
    return "";
  line = line.ltrim(" \t");
  return line.take_while([](char c) { return isalpha(c); });
}

bool isConditional(llvm::StringRef word) {
  return llvm::is_contained(
      {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"}, word);
}

/// Whether a condition may be another one for the compiler than it is here: it asks for what a
/// compiler defines by itself. What is defined on the command line both get.
bool isOfCompiler(llvm::StringRef line) {
  for (size_t at = line.find('_'); at != line.npos; at = line.find('_', at + 1)) {
    const char before = at ? line[at - 1] : ' ';
    if (!isalnum(before) && before != '_' && !line.substr(at).starts_with("_OPENMP"))
      return true;
  }
  return false;
}

/// Without the zeros that stand for what is left out.
std::string withoutZeros(llvm::StringRef text) {
  std::string result = text.str();
  llvm::erase(result, '\0');
  return result;
}

} // namespace

SourceText::SourceText(const Program &program, const FunctionDecl *function, std::string file)
    : context(function->getASTContext()), manager(context.getSourceManager()),
      id(manager.getFileID(manager.getExpansionLoc(function->getLocation()))),
      text(manager.getBufferData(id)), name(llvm::sys::path::filename(file).str()), active(text) {
  leaveOut(program);
}

void SourceText::leaveOut(const Program &program) {
  for (const auto &unit : program.units()) {
    PreprocessingRecord *record = &unit->getASTContext() == &context
                                      ? unit->getPreprocessor().getPreprocessingRecord()
                                      : nullptr;
    if (!record)
      continue;
    for (SourceRange range : record->getSkippedRanges()) {
      if (manager.getFileID(range.getBegin()) != id)
        continue;
      size_t line = text.rfind('\n', manager.getFileOffset(range.getEnd()));
      skipped.push_back(
          {manager.getFileOffset(range.getBegin()), line == llvm::StringRef::npos ? 0 : line + 1});
    }
  }
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size());
    if (isLeftOut(line) || isConditional(directiveWord(text.slice(line, end))))
      std::fill(active.begin() + line, active.begin() + end, '\0');
    line = end + 1;
  }
}

bool SourceText::isLeftOut(size_t offset) const {
  return llvm::any_of(
      skipped, [&](const auto &range) { return range.first < offset && offset < range.second; });
}

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
  std::string piece = (isFirst ? indentOf(stmt) : "") +
                      withoutZeros(llvm::StringRef(active).slice(pieceBegin(stmts, stmt), end));
  if (!piece.empty() && piece.back() != '\n')
    piece += '\n';
  return piece;
}

std::string SourceText::commentsBefore(const std::vector<const Stmt *> &stmts,
                                       const Stmt *stmt) const {
  std::string active =
      withoutZeros(llvm::StringRef(this->active).slice(pieceBegin(stmts, stmt), beginOf(stmt)));
  llvm::StringRef between = llvm::StringRef(active).rtrim();
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
  int depth = 0;
  for (size_t line = text.find('\n', begin); line < end; line = text.find('\n', line + 1)) {
    llvm::StringRef words = text.slice(line + 1, text.find('\n', line + 1));
    llvm::StringRef word = directiveWord(words);
    if (!words.ltrim(" \t").starts_with("#") || isOfLoop(stmts, line + 1))
      continue;
    bool isWhole = isConditional(word) && !words.rtrim().ends_with("\\") && !isOfCompiler(words);
    // Arguments and values are written anew by themselves.
    isWhole &= llvm::none_of(stmts, [&](const Stmt *stmt) {
      return isa<Expr, DeclStmt>(stmt) && beginOf(stmt) < line && line < endOf(stmt);
    });
    depth += word.starts_with("if") ? 1 : word == "endif" ? -1 : 0;
    if ((!isWhole && !isLeftOut(line + 1)) || depth < 0 || word.starts_with("elif") ||
        (depth == 0 && word == "else"))
      return {"preprocessor", "there is a preprocessor directive in it"};
  }
  if (depth != 0)
    return {"preprocessor", "there is a part of a preprocessor conditional in it"};
  return {};
}

bool SourceText::hasDirectives(const Stmt *first, const Stmt *last) const {
  size_t end = endOf(last);
  for (size_t line = text.find('\n', beginOf(first)); line < end; line = text.find('\n', line + 1))
    if (text.substr(line + 1).ltrim(" \t").starts_with("#"))
      return true;
  return false;
}

std::string SourceText::guards(const std::vector<const Stmt *> &stmts) const {
  std::string result;
  size_t begin = beginOf(stmts.front()), end = endOf(stmts.back());
  for (size_t line = text.find('\n', begin); line < end; line = text.find('\n', line + 1)) {
    size_t after = text.find('\n', line + 1);
    llvm::StringRef words = text.slice(line + 1, after);
    llvm::StringRef word = directiveWord(words);
    // One inside of what is left out is between the ends of a range.
    if (!isConditional(word) || isLeftOut(line + 1))
      continue;
    result += words.rtrim("\r").str() + "\n";
    if (word != "endif" && isLeftOut(after))
      result += "#error \"rewritten with other flags: run acisc --mpi with these\"\n";
  }
  return result;
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

std::pair<std::string, std::string> SourceText::around(const Stmt *stmt,
                                                       const CallExpr *call) const {
  CharSourceRange range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(call->getSourceRange()), manager, context.getLangOpts());
  if (range.isInvalid() || manager.getFileID(range.getBegin()) != id)
    return {};
  size_t begin = manager.getFileOffset(range.getBegin()),
         end = manager.getFileOffset(range.getEnd());
  if (begin <= beginOf(stmt) || end >= endOf(stmt))
    return {};
  return {text.slice(beginOf(stmt), begin).str(), text.slice(end, endOf(stmt)).str()};
}

void SourceText::replace(const std::vector<const Stmt *> &stmts, const std::string &newText) {
  size_t begin = beginOf(stmts.front()), end = lineEnd(endOf(stmts.back()));
  std::string before = guards(stmts);
  edits[begin] = {end, (before.empty() ? "" : "\n" + before + directive(begin)) + newText +
                           directive(end)};
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
