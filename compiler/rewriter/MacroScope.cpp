// Asks the preprocessor for the definitions of each macro that the text needs, at both places.
#include "compiler/rewriter/MacroScope.h"

#include "compiler/rewriter/Program.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace acis::rewriter {
namespace {

const MacroInfo *definitionAt(Preprocessor &preprocessor, const IdentifierInfo *name,
                              SourceLocation at) {
  const MacroDirective *last = preprocessor.getLocalMacroDirectiveHistory(name);
  if (!last)
    return nullptr;
  const MacroDirective::DefInfo found =
      last->findDirectiveAtLoc(at, preprocessor.getSourceManager());
  return found && !found.isUndefined() ? found.getMacroInfo() : nullptr;
}

class Comparison {
public:
  Comparison(Preprocessor &preprocessor, SourceLocation from, SourceLocation to)
      : preprocessor(preprocessor), from(from), to(to) {}

  bool differs(llvm::StringRef name) {
    if (!seen.insert(name).second)
      return false;
    const IdentifierInfo *info = preprocessor.getIdentifierInfo(name);
    const MacroInfo *one = definitionAt(preprocessor, info, from);
    if (one != definitionAt(preprocessor, info, to))
      return true;
    if (!one)
      return false;
    for (const Token &token : one->tokens())
      if (const IdentifierInfo *inner = token.getIdentifierInfo();
          inner && differs(inner->getName()))
        return true;
    return false;
  }

private:
  Preprocessor &preprocessor;
  SourceLocation from, to;
  llvm::StringSet<> seen;
};

} // namespace

static Preprocessor *preprocessorOf(const Program &program, const ASTContext &context) {
  for (const auto &unit : program.units())
    if (&unit->getASTContext() == &context)
      return &unit->getPreprocessor();
  return nullptr;
}

static bool quotes(Preprocessor &preprocessor, SourceLocation at, llvm::StringRef macro,
                   llvm::StringSet<> &seen) {
  const MacroInfo *info = definitionAt(preprocessor, preprocessor.getIdentifierInfo(macro), at);
  if (!info || !seen.insert(macro).second)
    return false;
  for (const Token &token : info->tokens()) {
    const IdentifierInfo *inner = token.getIdentifierInfo();
    if (token.isOneOf(tok::hash, tok::hashhash, tok::hashat) ||
        (inner && quotes(preprocessor, at, inner->getName(), seen)))
      return true;
  }
  return false;
}

bool quotesArguments(const Program &program, const ASTContext &context, SourceLocation at,
                     llvm::StringRef macro) {
  Preprocessor *preprocessor = preprocessorOf(program, context);
  llvm::StringSet<> seen;
  return !preprocessor ||
         quotes(*preprocessor, context.getSourceManager().getExpansionLoc(at), macro, seen);
}

bool isChangedBetween(const Program &program, const ASTContext &context, SourceLocation from,
                      SourceLocation to, llvm::StringRef text) {
  const SourceManager &sources = context.getSourceManager();
  from = sources.getExpansionLoc(from);
  to = sources.getExpansionLoc(to);
  Preprocessor *preprocessor = preprocessorOf(program, context);
  if (!preprocessor)
    return true;
  Comparison comparison(*preprocessor, from, to);
  // The lexer wants a zero behind the text.
  std::string copy = text.str();
  const char *data = copy.c_str();
  Lexer lexer(from, context.getLangOpts(), data, data, data + copy.size());
  Token token;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (token.is(tok::raw_identifier) && comparison.differs(token.getRawIdentifier()))
      return true;
  }
  return false;
}

} // namespace acis::rewriter
