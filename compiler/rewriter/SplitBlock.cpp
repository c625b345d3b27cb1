// See SplitBlock.h.
#include "compiler/rewriter/SplitBlock.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// What is declared and named under some statements.
struct Names : RecursiveASTVisitor<Names> {
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    used.push_back(ref->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) {
    used.push_back(member->getMemberDecl());
    return true;
  }
  bool VisitNamedDecl(NamedDecl *decl) {
    declared.push_back(decl);
    return true;
  }
  bool uses(const Decl *decl) const { return llvm::is_contained(used, decl); }
  std::vector<const NamedDecl *> used, declared;
};

/// Whether a variable's value is used, or an element's, and nowhere its address.
struct Values : RecursiveASTVisitor<Values> {
  explicit Values(const VarDecl *var) : var(var) {}
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    uses += ref->getDecl() == var;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    values += cast->getCastKind() == CK_LValueToRValue && isVar(cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *binary) {
    values += binary->isAssignmentOp() && isVar(binary->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *unary) {
    values += unary->isIncrementDecrementOp() && isVar(unary->getSubExpr());
    const auto *element = dyn_cast<ArraySubscriptExpr>(unary->getSubExpr()->IgnoreParens());
    isTaken |= unary->getOpcode() == UO_AddrOf && element && isVar(element->getBase());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) {
    values += isVar(element->getBase()) && var->getType()->isArrayType();
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *) {
    isTaken = true;
    return true;
  }
  bool areAll() const { return uses == values && !isTaken; }

private:
  bool isVar(const Expr *expr) const {
    const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    return ref && ref->getDecl() == var;
  }
  const VarDecl *var;
  unsigned uses = 0, values = 0;
  bool isTaken = false;
};

class Cut {
public:
  Cut(EffectsAnalysis &effects, const IfStmt *branch, const FunctionDecl *in)
      : effects(effects), branch(branch), in(in), context(in->getASTContext()),
        manager(context.getSourceManager()) {}

  std::optional<std::vector<TextEdit>> behind(const Stmt *last) {
    if (!isPlain() || !divide(last) || !isSameCondition() || !hoistAll())
      return std::nullopt;
    const std::optional<unsigned> end = endOf(last);
    if (!end)
      return std::nullopt;
    edits.push_back({*end, 0, " } if (" + condition().str() + ") {"});
    if (!hoisted.empty())
      edits.push_back({offsetOf(branch->getBeginLoc()), 0, hoisted});
    return std::move(edits);
  }

private:
  unsigned offsetOf(SourceLocation loc) const { return manager.getFileOffset(loc); }

  bool isText(SourceLocation loc) const { return loc.isFileID() && manager.isInMainFile(loc); }

  /// A statement of a block, with a block, of the file's own text.
  bool isPlain() const {
    const auto parents = context.getParentMapContext().getParents(*branch);
    return !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
           !branch->isConsteval() && !branch->isConstexpr() &&
           isa<CompoundStmt>(branch->getThen()) && parents.size() == 1 &&
           parents[0].get<CompoundStmt>() && isText(branch->getBeginLoc()) &&
           !condition().empty() && !condition().contains('\n') && !in->isTemplated() &&
           !in->isTemplateInstantiation();
  }

  bool divide(const Stmt *last) {
    bool isOp = true;
    for (const Stmt *item : cast<CompoundStmt>(branch->getThen())->body()) {
      (isOp ? first : rest).push_back(item);
      isOp &= item != last;
    }
    return !isOp && !rest.empty();
  }

  /// Whether the condition is the same behind the op, and does nothing else.
  bool isSameCondition() {
    const Effects condition = effects.of(branch->getCond());
    Effects op;
    for (const Stmt *item : first)
      op.add(effects.of(item));
    return condition.isQuiet() && condition.writes.empty() && !condition.exits && op.isQuiet() &&
           !op.exits && !effects.conflict(op, condition) && !hasLabel();
  }

  /// Whether somebody might come into the block by another way than its condition.
  bool hasLabel() const {
    auto look = [](auto &self, const Stmt *stmt, bool isOfSwitch) -> bool {
      if (!stmt)
        return false;
      if (isa<LabelStmt>(stmt) || (isa<SwitchCase>(stmt) && !isOfSwitch))
        return true;
      return llvm::any_of(stmt->children(), [&](const Stmt *child) {
        return self(self, child, isOfSwitch || isa<SwitchStmt>(stmt));
      });
    };
    return look(look, branch->getThen(), false);
  }

  /// As the file has it, with names of macros.
  StringRef condition() const {
    const CharSourceRange range = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(branch->getCond()->getSourceRange()), manager,
        context.getLangOpts());
    return range.isValid() ? Lexer::getSourceText(range, manager, context.getLangOpts()) : "";
  }

  /// What is declared in the op: it moves out if the rest names it, and ends with the op if not.
  bool hoistAll() {
    Names everywhere;
    for (const Stmt *item : rest)
      named.TraverseStmt(const_cast<Stmt *>(item));
    everywhere.TraverseDecl(const_cast<FunctionDecl *>(in));
    for (const Stmt *item : first) {
      const auto *declaration = dyn_cast<DeclStmt>(item);
      if (!declaration)
        continue;
      const bool isShared =
          llvm::any_of(declaration->decls(), [&](const Decl *decl) { return named.uses(decl); });
      if (isShared ? !hoist(declaration, everywhere)
                   : !llvm::all_of(declaration->decls(), [&](Decl *d) { return mayEnd(d); }))
        return false;
    }
    return true;
  }

  /// Whether nobody notices that it ends with the op: its end does nothing, and nobody has its
  /// address. What is no variable could have hidden something that the rest names.
  bool mayEnd(const Decl *decl) const {
    const auto *var = dyn_cast<VarDecl>(decl);
    if (!var || var->getType()->isReferenceType() || var->isStaticLocal() ||
        var->getType().isDestructedType())
      return false;
    const QualType type = var->getType();
    const auto *array = context.getAsArrayType(type);
    if (!(array ? array->getElementType()->isScalarType() : type->isScalarType()))
      return false;
    Values values(var);
    for (const Stmt *item : first)
      values.TraverseStmt(const_cast<Stmt *>(item));
    return values.areAll() && !llvm::any_of(named.used, [&](const NamedDecl *other) {
             return other->getDeclName() == var->getDeclName();
           });
  }

  /// `double a = 0, b = a;` becomes `double a, b;` before the branch, and `a = 0, b = a;` there.
  bool hoist(const DeclStmt *declaration, const Names &everywhere) {
    std::string names;
    const VarDecl *before = nullptr;
    for (const Decl *decl : declaration->decls()) {
      const auto *var = dyn_cast<VarDecl>(decl);
      if (!var || !isMovable(var, everywhere) ||
          (before && (!before->getInit() || !var->getInit())))
        return false;
      QualType type = var->getType();
      std::string text = var->getNameAsString();
      if (before && before->getType() != type)
        return false;
      type.getAsStringInternal(text, PrintingPolicy(context.getLangOpts()));
      names += text + "; ";
      before = var;
    }
    const auto *begun = cast<VarDecl>(*declaration->decl_begin());
    const SourceLocation begin = declaration->getBeginLoc();
    const SourceLocation name = begun->getInit() ? begun->getLocation() : declaration->getEndLoc();
    if (!isText(begin) || !isText(name))
      return false;
    hoisted += names;
    edits.push_back({offsetOf(begin), offsetOf(name) - offsetOf(begin), ""});
    return true;
  }

  /// Whether its declaration means the same before the branch: a number of which no other has the
  /// name.
  static bool isMovable(const VarDecl *var, const Names &everywhere) {
    const QualType type = var->getType();
    auto isOther = [&](const NamedDecl *other) {
      return other != var && other->getDeclName() == var->getDeclName();
    };
    return type->isArithmeticType() && !type.isConstQualified() && !type->isDependentType() &&
           var->hasLocalStorage() && !var->hasAttrs() && var->getInitStyle() == VarDecl::CInit &&
           !var->getType()->getContainedAutoType() && !llvm::any_of(everywhere.used, isOther) &&
           !llvm::any_of(everywhere.declared, isOther);
  }

  /// Behind the semicolon of a statement, if it has one.
  std::optional<unsigned> endOf(const Stmt *last) const {
    const SourceLocation end = last->getEndLoc();
    if (!isText(end))
      return std::nullopt;
    const SourceLocation behind =
        Lexer::getLocForEndOfToken(end, 0, manager, context.getLangOpts());
    const std::optional<Token> next = Lexer::findNextToken(end, manager, context.getLangOpts());
    if (next && next->is(tok::semi))
      return offsetOf(next->getEndLoc());
    return offsetOf(behind);
  }

  EffectsAnalysis &effects;
  const IfStmt *branch;
  const FunctionDecl *in;
  ASTContext &context;
  const SourceManager &manager;
  std::vector<const Stmt *> first, rest;
  Names named; ///< in the rest
  std::string hoisted;
  std::vector<TextEdit> edits;
};

} // namespace

std::optional<std::vector<TextEdit>> splitBlock(EffectsAnalysis &effects, const IfStmt *branch,
                                                const Stmt *last, const FunctionDecl *in) {
  return Cut(effects, branch, in).behind(last);
}

} // namespace acis::rewriter
