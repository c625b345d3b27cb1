// Checks that the body means the same at the call, then cuts its text.
#include "compiler/rewriter/Inline.h"

#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/MacroScope.h"
#include "compiler/rewriter/ParseCollective.h"
#include "compiler/rewriter/PlaceBound.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Names that a function declares, and names that it uses and does not declare.
class Names : public DynamicRecursiveASTVisitor {
public:
  llvm::StringSet<> declared, used;
  bool hasStatic = false;

  bool VisitNamedDecl(NamedDecl *decl) override {
    if (decl->getDeclName().isIdentifier() && !isa<FieldDecl>(decl))
      declared.insert(decl->getName());
    if (const auto *var = dyn_cast<VarDecl>(decl))
      hasStatic |= var->isStaticLocal();
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (ref->getDecl()->getDeclName().isIdentifier())
      used.insert(ref->getDecl()->getName());
    return true;
  }
};

class Inliner {
public:
  Inliner(EffectsAnalysis &effects, const Candidate &candidate, const SourceText &source,
          const std::string &label, const std::string &indent)
      : effects(effects), candidate(candidate), source(source), label(label), indent(indent),
        call(candidate.wrapperCall), body(candidate.wrapper),
        context(candidate.in->getASTContext()), manager(context.getSourceManager()) {}

  InlinedBody run() {
    if (Refusal refusal = judge()) {
      result.refusal = std::move(refusal);
      return std::move(result);
    }
    result.callText = sourceText(call, context);
    writeScope();
    return std::move(result);
  }

private:
  static Refusal no(std::string text) {
    return {"wrapper", "the MPI call is in a function that " + std::move(text)};
  }

  Refusal judge() {
    if (&body->getASTContext() != &context ||
        manager.getFileID(manager.getExpansionLoc(body->getLocation())) !=
            manager.getFileID(manager.getExpansionLoc(candidate.in->getLocation())))
      return no("is in another file");
    for (const FunctionDecl *function : {body, candidate.in})
      if (function->isTemplateInstantiation() || function->isVariadic())
        return no("is, or is called by, a template");
    if (!isSameScope())
      return no("is a method of another object, or has another scope");
    if (call->getBeginLoc().isMacroID() || call->getNumArgs() != body->getNumParams())
      return no("is not simply called");
    for (const Expr *arg : call->arguments())
      if (isa<CXXDefaultArgExpr>(arg) || !isText(arg))
        return no("is not simply called");
    if (Refusal refusal = judgeBody())
      return refusal;
    return judgeNames();
  }

  /// Names of the body are looked up in the same places at the call: two functions, or two methods
  /// of one object.
  bool isSameScope() const {
    const DeclContext *own = body->getDeclContext()->getRedeclContext();
    const DeclContext *outer = candidate.in->getDeclContext()->getRedeclContext();
    if (own != outer)
      return false;
    const auto *method = dyn_cast<CXXMethodDecl>(body);
    if (!method)
      return own->isFileContext() && !isa<CXXMethodDecl>(candidate.in);
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    return !method->isVirtual() && !method->getParent()->isLambda() && member &&
           isa<CXXThisExpr>(member->getImplicitObjectArgument()->IgnoreParenImpCasts());
  }

  /// Not written by a macro, or a macro and nothing else, like MPI_COMM_WORLD.
  bool isText(const Expr *arg) const {
    SourceLocation begin = arg->getBeginLoc(), end = arg->getEndLoc();
    if (!begin.isMacroID() && !end.isMacroID())
      return true;
    return begin.isMacroID() && end.isMacroID() &&
           manager.getExpansionLoc(begin) == manager.getExpansionLoc(end) &&
           Lexer::isAtStartOfMacroExpansion(begin, manager, context.getLangOpts()) &&
           Lexer::isAtEndOfMacroExpansion(end, manager, context.getLangOpts());
  }

  Refusal judgeBody() {
    for (const Stmt *stmt : cast<CompoundStmt>(body->getBody())->body()) {
      if (isa<NullStmt>(stmt))
        continue;
      items.push_back(stmt);
      if (const auto *ret = dyn_cast<ReturnStmt>(stmt); ret && collective) {
        returned = ret->getRetValue();
        continue;
      }
      if (collective)
        return no("does more after it");
      if (isCollective(stmt)) {
        collective = stmt;
        continue;
      }
      // Anything else that can be seen is done before it, there as here.
      Effects effect = effects.of(stmt);
      if (effect.jump || effect.calls)
        return no("may leave, or calls what cannot be seen, before it");
    }
    if (!collective)
      return no("makes it in a larger statement");
    if (source.judge(items))
      return no("has macros or directives in it");
    if (std::string reason = boundToPlace(items, effects.theProgram()); !reason.empty())
      return {"wrapper", "the MPI call is in a function whose body is bound to it: " + reason};
    return returned ? judgeValue() : Refusal();
  }

  bool isCollective(const Stmt *stmt) const {
    const auto *expr = dyn_cast<Expr>(stmt);
    return expr && expr->IgnoreParenCasts() == candidate.first.call;
  }

  /// What is returned has to be computable from numbers and pointers of the body.
  Refusal judgeValue() {
    Effects effect = effects.of(returned);
    if (!effect.isQuiet() || !effect.writes.empty() || !returned->getType()->isScalarType() ||
        !body->getReturnType()->isScalarType())
      return no("returns more than a number");
    struct Locals : DynamicRecursiveASTVisitor {
      llvm::SmallVector<const VarDecl *> found;
      bool VisitDeclRefExpr(DeclRefExpr *ref) override {
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl());
            var && var->hasLocalStorage() && !llvm::is_contained(found, var))
          found.push_back(var);
        return true;
      }
    } locals;
    locals.TraverseStmt(const_cast<Expr *>(returned));
    for (const VarDecl *var : locals.found) {
      if (!var->getType()->isScalarType())
        return no("returns more than a number");
      result.locals.push_back(var);
    }
    if (isUsed()) {
      result.value = sourceText(returned, context);
      result.type = body->getReturnType().getUnqualifiedType();
    }
    return {};
  }

  bool isUsed() const {
    const auto *expr = dyn_cast<Expr>(candidate.firstStmt);
    return !expr || expr->IgnoreParenCasts() != call;
  }

  /// A name of the body that is not its own must not be a local one where it is called.
  Refusal judgeNames() {
    Names own, outer;
    own.TraverseDecl(const_cast<FunctionDecl *>(body));
    outer.TraverseDecl(const_cast<FunctionDecl *>(candidate.in));
    if (own.hasStatic)
      return no("has static variables");
    for (const auto &name : own.used)
      if (!own.declared.contains(name.first()) && outer.declared.contains(name.first()))
        return no("uses '" + name.first().str() + "', which is something else at the call");
    // Types and macros are only text.
    SourceLocation begin = manager.getExpansionLoc(body->getBody()->getBeginLoc());
    SourceLocation end = manager.getExpansionLoc(body->getBody()->getEndLoc());
    // The lexer wants a zero behind the text.
    std::string text = Lexer::getSourceText(CharSourceRange::getTokenRange(begin, end), manager,
                                            context.getLangOpts())
                           .str();
    const char *data = text.c_str();
    Lexer lexer(begin, context.getLangOpts(), data, data, data + text.size());
    for (Token token; !lexer.LexFromRawLexer(token);)
      if (token.is(tok::raw_identifier) && !own.declared.contains(token.getRawIdentifier())) {
        llvm::StringRef name = token.getRawIdentifier();
        if (outer.declared.contains(name))
          return no("uses '" + name.str() + "', which is something else at the call");
        if (isBehind() && isDeclaredLate(name))
          return no("stands behind its use and uses '" + name.str() + "' from there");
      }
    if (isChangedBetween(effects.theProgram(), context, body->getBody()->getBeginLoc(),
                         call->getBeginLoc(), text))
      return no("uses a macro that is another one at the call");
    return {};
  }

  bool isBehind() const {
    return !manager.isBeforeInTranslationUnit(body->getEndLoc(), candidate.in->getBeginLoc());
  }

  /// Whether something of the name is declared only behind the beginning of the caller.
  bool isDeclaredLate(llvm::StringRef name) const {
    DeclarationName key(&context.Idents.get(name));
    for (const NamedDecl *decl : context.getTranslationUnitDecl()->lookup(key)) {
      SourceLocation first = decl->getCanonicalDecl()->getLocation();
      if (first.isValid() && !manager.isBeforeInTranslationUnit(first, candidate.in->getBeginLoc()))
        return true;
    }
    return false;
  }

  /// Parameters in two steps: their names may be names of arguments.
  void writeScope() {
    std::string inner = indent + "  ", outside, inside;
    for (unsigned i = 0; i < body->getNumParams(); i++) {
      const ParmVarDecl *param = body->getParamDecl(i);
      QualType type = param->getType();
      if (const auto *decayed = type->getAs<DecayedType>())
        type = decayed->getDecayedType();
      std::string value = "acis_arg" + std::to_string(i) + "_" + label;
      outside += inner + declare(type, value, context) + " = " +
                 sourceText(call->getArg(i), context) + ";\n";
      if (!param->getName().empty())
        inside += inner + declare(type, param->getNameAsString(), context) + " = " + value + ";\n";
    }
    // It may not be used anywhere else.
    if (!body->isExternallyVisible() && !isa<CXXMethodDecl>(body))
      outside += inner + "(void)" + body->getNameAsString() + ";\n";
    result.open = indent + "{\n" + outside + inner + "{\n" + inside;
    const Stmt *previous = nullptr;
    for (const Stmt *stmt : items) {
      if (stmt == collective)
        break;
      if (!source.follows(items, previous, stmt))
        result.open += source.lineDirective(items, stmt);
      result.open += source.pieceOf(items, stmt);
      previous = stmt;
    }
    result.close = inner + "}\n" + indent + "}\n";
  }

  EffectsAnalysis &effects;
  const Candidate &candidate;
  const SourceText &source;
  const std::string &label, &indent;
  const CallExpr *call;
  const FunctionDecl *body;
  const ASTContext &context;
  const SourceManager &manager;
  std::vector<const Stmt *> items;
  const Stmt *collective = nullptr;
  const Expr *returned = nullptr;
  InlinedBody result;
};

} // namespace

InlinedBody inlineBody(EffectsAnalysis &effects, const Candidate &candidate,
                       const SourceText &source, const std::string &label,
                       const std::string &indent) {
  return Inliner(effects, candidate, source, label, indent).run();
}

} // namespace acis::rewriter
