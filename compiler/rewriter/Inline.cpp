// Checks that the body means the same at the call, then cuts its text.
#include "compiler/rewriter/Inline.h"

#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/ChainText.h"
#include "compiler/rewriter/MacroScope.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"
#include "compiler/rewriter/PlaceBound.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

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
        context(candidate.in->getASTContext()), manager(context.getSourceManager()) {
    SourceLocation place = manager.getExpansionLoc(body->getLocation());
    if (&body->getASTContext() == &context &&
        manager.getFileID(place) !=
            manager.getFileID(manager.getExpansionLoc(candidate.in->getLocation())))
      header.emplace(effects.theProgram(), body, Program::fileOf(context, place));
  }

  InlinedBody run() {
    if (Refusal refusal = judge()) {
      result.refusal = std::move(refusal);
      return std::move(result);
    }
    result.callText = sourceText(call, context);
    writeScope();
    describeDone();
    return std::move(result);
  }

private:
  static Refusal no(std::string text) {
    return {"wrapper", "the MPI call is in a function that " + std::move(text)};
  }

  Refusal judge() {
    if (&body->getASTContext() != &context)
      return no("is in another file");
    if (candidate.in->isTemplateInstantiation() || body->isVariadic() || !isPlainInstance())
      return no("is, or is called by, a template");
    if (Refusal refusal = judgeScope())
      return refusal;
    if (call->getBeginLoc().isMacroID() || call->getNumArgs() != body->getNumParams())
      return no("is not simply called");
    for (const Expr *arg : call->arguments())
      if (isa<CXXDefaultArgExpr>(arg) || !isText(arg))
        return no("is not simply called");
    if (Refusal refusal = judgeBody())
      return refusal;
    return judgeNames();
  }

  /// No template, or an instance whose arguments can be given names.
  bool isPlainInstance() {
    if (!body->isTemplateInstantiation())
      return true;
    const FunctionTemplateDecl *primary = body->getPrimaryTemplate();
    const TemplateArgumentList *arguments = body->getTemplateSpecializationArgs();
    if (!primary || !arguments || isa<CXXMethodDecl>(body))
      return false;
    for (unsigned i = 0; i < arguments->size(); i++) {
      const NamedDecl *param = primary->getTemplateParameters()->getParam(i);
      const TemplateArgument &argument = arguments->get(i);
      if (param->isParameterPack() || argument.getKind() != TemplateArgument::Type ||
          !argument.getAsType()->isArithmeticType())
        return false;
      templates.push_back({param->getName().str(), argument.getAsType()});
    }
    return true;
  }

  /// Names of the body are looked up in the same places at the call. A name of the class or the
  /// namespaces that only one of the two is in must not be one of the body.
  Refusal judgeScope() {
    const DeclContext *own = body->getDeclContext()->getRedeclContext();
    const auto *method = dyn_cast<CXXMethodDecl>(body);
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    bool isOfObject =
        member && isa<CXXThisExpr>(member->getImplicitObjectArgument()->IgnoreParenImpCasts());
    if (method && (method->isVirtual() || method->getParent()->isLambda() ||
                   (!method->isStatic() && !isOfObject) ||
                   own != candidate.in->getDeclContext()->getRedeclContext()))
      return no("is a method of another object, or has another scope");
    if (!method && !own->isFileContext())
      return no("is a method of another object, or has another scope");
    scopes = scopesOf(own);
    for (const DeclContext *scope : scopesOf(candidate.in->getDeclContext()->getRedeclContext()))
      if (!llvm::is_contained(scopes, scope))
        scopes.push_back(scope);
      else
        llvm::erase(scopes, scope);
    for (const DeclContext *scope : scopes) {
      const auto *record = dyn_cast<CXXRecordDecl>(scope);
      if (!scope->using_directives().empty() || (record && record->getNumBases() > 0))
        return no("is a method of another object, or has another scope");
    }
    return {};
  }

  static std::vector<const DeclContext *> scopesOf(const DeclContext *inner) {
    std::vector<const DeclContext *> all;
    for (; inner && !inner->isTranslationUnit(); inner = inner->getParent()->getRedeclContext())
      all.push_back(inner);
    return all;
  }

  /// Whether the name is looked up in a place that only the body or only the call sees.
  bool isOfScope(llvm::StringRef name) const {
    DeclarationName key(&context.Idents.get(name));
    return llvm::any_of(scopes,
                        [&](const DeclContext *scope) { return !scope->lookup(key).empty(); });
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
      if (returned)
        return no("goes on behind a return");
      if (const auto *ret = dyn_cast<ReturnStmt>(stmt); ret && collective) {
        returned = ret->getRetValue();
        continue;
      }
      Effects effect = effects.of(stmt);
      if (collective) {
        // The op begins with it. A loop over data is an op of the function's own.
        if (effect.jump || effect.calls || effect.comm || effect.io || effect.loop)
          return no("does more after it than to compute numbers");
        result.done.tail.push_back(stmt);
        continue;
      }
      if (isCollective(stmt)) {
        collective = stmt;
        continue;
      }
      // Anything else that can be seen is done before it, there as here.
      if (effect.jump || effect.calls)
        return no("may leave, or calls what cannot be seen, before it");
    }
    if (!collective)
      return no("makes it in a larger statement");
    if (text().judge(items))
      return no("has macros or directives in it");
    if (std::string reason = boundToPlace(items, effects.theProgram()); !reason.empty())
      return {"wrapper", "the MPI call is in a function whose body is bound to it: " + reason};
    return judgeValue();
  }

  bool isCollective(const Stmt *stmt) const { return isWholeCall(stmt, candidate.first.call); }

  /// The text that the body is in.
  const SourceText &text() const { return header ? *header : source; }

  /// What is returned has to be computable from numbers and pointers of the body.
  Refusal judgeValue() {
    if (returned && isUsed()) {
      Effects effect = effects.of(returned);
      if (!effect.isQuiet() || !effect.writes.empty() || !returned->getType()->isScalarType() ||
          !body->getReturnType()->isScalarType())
        return no("returns more than a number");
      result.value = sourceText(returned, context);
      result.type = body->getReturnType().getUnqualifiedType();
      result.done.value = returned;
    }
    struct Locals : DynamicRecursiveASTVisitor {
      llvm::SmallVector<const VarDecl *> found, declared;
      bool takesAddress = false;
      bool VisitDeclRefExpr(DeclRefExpr *ref) override {
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl());
            var && var->hasLocalStorage() && !llvm::is_contained(found, var))
          found.push_back(var);
        return true;
      }
      bool VisitVarDecl(VarDecl *var) override {
        declared.push_back(var);
        return true;
      }
      bool VisitUnaryOperator(UnaryOperator *op) override {
        takesAddress |= op->getOpcode() == UO_AddrOf;
        return true;
      }
    } locals;
    for (const Stmt *stmt : result.done.tail)
      locals.TraverseStmt(const_cast<Stmt *>(stmt));
    if (result.done.value)
      locals.TraverseStmt(const_cast<Expr *>(result.done.value));
    const Stmt *code = assignedIn(collective);
    bool isCopied = !context.getLangOpts().CPlusPlus11;
    for (const VarDecl *var : locals.found) {
      if (llvm::is_contained(locals.declared, var))
        continue;
      if (isCopied && (!var->getType()->isScalarType() || locals.takesAddress))
        return no("returns more than a number");
      if (code && overlaps(Paths{effects.pathOf(cast<Expr>(code))},
                           Path{effects.theProgram().idOf(var), ""}))
        return no("uses the return code of the collective");
      result.locals.push_back(var);
    }
    return {};
  }

  /// The place of the return code; null: there is none.
  static const Expr *assignedIn(const Stmt *stmt) {
    const auto *assign = dyn_cast<BinaryOperator>(cast<Expr>(stmt)->IgnoreParenCasts());
    return assign ? assign->getLHS() : nullptr;
  }

  /// What a switch program needs to know.
  void describeDone() {
    DoneCall &done = result.done;
    done.call = call;
    done.label = label;
    done.locals.assign(result.locals.begin(), result.locals.end());
    Names own;
    own.TraverseDecl(const_cast<FunctionDecl *>(body));
    for (const auto &name : own.declared)
      done.hidden.insert(name.first().str());
    for (const auto &[name, type] : templates)
      done.hidden.insert(name);
    const int recv = candidate.first.info->recv;
    auto given = candidate.first.given.find(recv);
    for (unsigned i = 0; i < body->getNumParams(); i++) {
      const ParmVarDecl *param = body->getParamDecl(i);
      const Expr *argument = call->getArg(i);
      bool isBound =
          llvm::is_contained(result.locals, param) || param->getType()->isReferenceType();
      if (isBound)
        done.arguments[param] = argument;
      if (isBound || (given != candidate.first.given.end() && given->second.first == argument))
        judgeParameter(param, argument);
    }
  }

  /// Whether it is the argument as long as the body runs.
  void judgeParameter(const ParmVarDecl *param, const Expr *argument) {
    Effects value = effects.of(argument), around = effects.of(call);
    bool isChanged = !value.isQuiet() || !value.writes.empty() || value.alloc || value.timer ||
                     effects.conflict(around, value);
    for (const Stmt *stmt : items)
      isChanged |= !param->getType()->isReferenceType() &&
                   overlaps(effects.of(stmt).writes, Path{effects.theProgram().idOf(param), ""});
    if (isChanged)
      result.done.problem = "the function of the collective changes '" + param->getNameAsString() +
                            "', or what it gets for it; a variable of its own would do";
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
        if (isOfScope(name))
          return no("uses '" + name.str() + "', a name of its class or namespace or of the call's");
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
    for (const auto &[name, type] : templates)
      inside = inner + "typedef " + declare(type, name, context) + ";\n" + inside;
    result.open = text().guards(items) + indent + "{\n" + outside + inner + "{\n" + inside;
    const Stmt *previous = nullptr;
    std::string *part = &result.open;
    for (const Stmt *stmt : items) {
      if (isa<ReturnStmt>(stmt))
        break;
      if (stmt == collective) {
        part = &result.tail;
        continue;
      }
      if (!text().follows(items, previous, stmt))
        *part += text().lineDirective(items, stmt);
      *part += text().pieceOf(items, stmt);
      previous = stmt;
    }
    if (const Expr *code = assignedIn(collective))
      result.assigned = sourceText(code, context) + " = ";
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
  std::optional<SourceText> header;                        ///< if the body is in one
  std::vector<std::pair<std::string, QualType>> templates; ///< parameters and what they are
  std::vector<const DeclContext *> scopes;                 ///< of the body or of the call alone
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
