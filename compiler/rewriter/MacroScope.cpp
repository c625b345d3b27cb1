// Reads the directives between as lines, and the definitions of macros from the preprocessor.
#include "compiler/rewriter/MacroScope.h"

#include "compiler/rewriter/Program.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Names that directives of the text define or take away. False: they may do anything.
bool namesOfDirectives(llvm::StringRef text, llvm::StringSet<> &names) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (line.starts_with("include") || line.starts_with("import") ||
        (line.starts_with("pragma") && line.contains("_macro")))
      return false;
    if (line.consume_front("define") || line.consume_front("undef"))
      names.insert(
          line.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }));
  }
  return true;
}

/// Adds macros that are defined with one of the names.
void spread(const Preprocessor &preprocessor, llvm::StringSet<> &names) {
  for (size_t before = 0; before != names.size();) {
    before = names.size();
    for (const auto &macro : preprocessor.macros()) {
      const MacroInfo *info = preprocessor.getMacroInfo(macro.first);
      if (!info || names.contains(macro.first->getName()))
        continue;
      for (const Token &token : info->tokens())
        if (const IdentifierInfo *name = token.getIdentifierInfo();
            name && names.contains(name->getName())) {
          names.insert(macro.first->getName());
          break;
        }
    }
  }
}

} // namespace

bool isChangedBetween(const Program &program, const ASTContext &context, SourceLocation from,
                      SourceLocation to, llvm::StringRef text) {
  const SourceManager &sources = context.getSourceManager();
  from = sources.getExpansionLoc(from);
  to = sources.getExpansionLoc(to);
  if (sources.isBeforeInTranslationUnit(to, from))
    std::swap(from, to);
  if (sources.getFileID(from) != sources.getFileID(to))
    return true;
  llvm::StringSet<> names;
  llvm::StringRef between =
      Lexer::getSourceText(CharSourceRange::getCharRange(from, to), sources, context.getLangOpts());
  if (!namesOfDirectives(between, names))
    return true;
  if (names.empty())
    return false;
  for (const auto &unit : program.units())
    if (&unit->getASTContext() == &context)
      spread(unit->getPreprocessor(), names);
  // The lexer wants a zero behind the text.
  std::string copy = text.str();
  const char *data = copy.c_str();
  Lexer lexer(from, context.getLangOpts(), data, data, data + copy.size());
  bool isUsed = false;
  Token token;
  for (bool isLast = false; !isLast && !isUsed;) {
    isLast = lexer.LexFromRawLexer(token);
    isUsed = token.is(tok::raw_identifier) && names.contains(token.getRawIdentifier());
  }
  return isUsed;
}

} // namespace acis::rewriter
