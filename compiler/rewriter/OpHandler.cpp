// Prints the op from the tree, so that macros and headers of the program do not matter.
#include "compiler/rewriter/OpHandler.h"

#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// What a handler cannot say: types of another size, globals that it does not have.
class Scan : public RecursiveASTVisitor<Scan> {
public:
  llvm::SetVector<const FunctionDecl *> callees;
  llvm::SetVector<const VarDecl *> globals;
  std::string wrongType;

  bool VisitExpr(Expr *expr) {
    QualType type = expr->getType().getCanonicalType();
    if (const auto *builtin = type->getAs<BuiltinType>())
      if (builtin->getKind() == BuiltinType::Long || builtin->getKind() == BuiltinType::ULong ||
          builtin->getKind() == BuiltinType::LongDouble)
        wrongType = type.getAsString();
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (const auto *var = dyn_cast<VarDecl>(ref->getDecl());
        var && var->hasGlobalStorage() && !var->isStaticLocal())
      globals.insert(var);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *body = nullptr;
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && callee->isDefined(body) && callees.insert(body))
      TraverseStmt(body->getBody());
    return true;
  }
};

/// Uses of a variable outside the op, but for loops that set it first.
class LaterUses : public RecursiveASTVisitor<LaterUses> {
public:
  LaterUses(const VarDecl *var, const std::vector<const Stmt *> &op) : var(var), op(op) {}
  bool found = false;

  bool TraverseStmt(Stmt *stmt) {
    if (llvm::is_contained(op, stmt))
      return true;
    const auto *loop = dyn_cast_or_null<ForStmt>(stmt);
    const auto *init = loop ? dyn_cast_or_null<BinaryOperator>(loop->getInit()) : nullptr;
    const auto *ref = init && init->getOpcode() == BO_Assign
                          ? dyn_cast<DeclRefExpr>(init->getLHS()->IgnoreParens())
                          : nullptr;
    if (ref && ref->getDecl() == var)
      return true;
    return RecursiveASTVisitor::TraverseStmt(stmt);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    found |= ref->getDecl() == var;
    return true;
  }

private:
  const VarDecl *var;
  const std::vector<const Stmt *> &op;
};

class Maker {
public:
  Maker(EffectsAnalysis &effects, const Candidate &candidate, const Captures &captured)
      : effects(effects), candidate(candidate), captured(captured),
        context(candidate.in->getASTContext()), policy(context.getLangOpts()) {}

  OpHandler run() {
    for (const Stmt *stmt : candidate.op) {
      op.add(effects.of(stmt));
      scan.TraverseStmt(const_cast<Stmt *>(stmt));
    }
    if (op.alloc)
      refuse("it allocates memory");
    if (op.timer || op.print || op.exits)
      refuse("it reads a clock, prints or may end the program");
    if (!scan.wrongType.empty())
      refuse("'" + scan.wrongType + "' has another size on the overlay");
    llvm::SetVector<const VarDecl *> variables;
    for (const Capture &capture : captured.list)
      variables.insert(capture.var);
    variables.insert(scan.globals.begin(), scan.globals.end());
    for (const VarDecl *var : variables)
      take(var);
    for (const VarDecl *var : captured.declared)
      store(var, 1);
    // What is sent on comes first.
    for (const auto *list : {&sent, &kept})
      for (auto [var, count] : *list)
        writeOut(var, count);
    if (outputs.empty())
      refuse("it gives nothing back");
    if (!result.refusal)
      result.source = text();
    return std::move(result);
  }

private:
  void refuse(std::string why) {
    if (!result.refusal)
      result.refusal = {"handler", std::move(why)};
  }

  Path pathOf(const VarDecl *var) { return {effects.theProgram().idOf(var), ""}; }
  bool isSent(const VarDecl *var) {
    return candidate.second.info && overlaps(Paths{candidate.second.send}, pathOf(var));
  }

  void take(const VarDecl *var) {
    QualType type = var->getType().getCanonicalType();
    std::string name = var->getNameAsString();
    if (const ConstantArrayType *array = context.getAsConstantArrayType(type)) {
      uint64_t count = context.getConstantArrayElementCount(array);
      QualType element = context.getBaseElementType(type).getUnqualifiedType();
      if (context.getAsVariableArrayType(element))
        return refuse("the size of '" + name + "' is known only at run time");
      if (!element->isArithmeticType())
        return refuse("'" + name + "' is not an array of numbers");
      Path elements = pathOf(var) + "[";
      bool writes = overlaps(op.writes, elements);
      declarations += "  " + declare(QualType(array, 0), name, context) + ";\n";
      if (overlaps(Paths{candidate.first.recv}, elements)) {
        load("acis_in", var, inType, element, count, /*offset=*/0);
        describe(Role::StreamIn, var, element, count);
        isStart(candidate.first, candidate.first.info->recv, var);
      } else if (!isOverwritten(var, elements, count)) {
        inbound(var, element, count); // what the op does not write keeps its value
      }
      if (writes)
        store(var, count);
      return;
    }
    if (type->isPointerType() || type->isArrayType())
      return refuse("the size of '" + name + "' is known only at run time");
    if (!type->isArithmeticType())
      return refuse("'" + name + "' is not a number");
    scalar(var, type);
  }

  void scalar(const VarDecl *var, QualType type) {
    std::string name = var->getNameAsString();
    Path path = pathOf(var);
    if (isSent(var) || (overlaps(op.writes, path) && isLive(var)))
      store(var, 1);
    if (overlaps(Paths{candidate.first.recv}, path)) {
      declarations += "  " + declare(type.getUnqualifiedType(), name, context) + ";\n";
      setType(inType, type, "the result of the first collective");
      loads += "  " + name + " = acis_in[0];\n";
      describe(Role::StreamIn, var, type, 1);
      isStart(candidate.first, candidate.first.info->recv, var);
      return;
    }
    // A counter that every loop sets before it reads it; a sum that starts with a constant.
    const Expr *initial = constantBefore(var);
    bool isCounter = overlaps(op.writes, path) && isSetFirst(var);
    if (!initial && !isCounter)
      return inboundNumber(var, type);
    declarations += "  " + declare(type.getUnqualifiedType(), name, context) +
                    (isCounter ? "" : " = " + print(initial)) + ";\n";
  }

  /// Whether the op reads nothing of the array and a loop of it, for (i = 0; i < count; i++) with
  /// array[i] = value as a statement of its body, writes all of it.
  bool isOverwritten(const VarDecl *var, const Path &elements, uint64_t count) {
    if (overlaps(op.reads, elements))
      return false;
    return llvm::any_of(candidate.op, [&](const Stmt *stmt) {
      const auto *loop = dyn_cast<ForStmt>(stmt);
      const VarDecl *counter = loop ? countsTo(loop, count) : nullptr;
      if (!counter)
        return false;
      const auto *block = dyn_cast<CompoundStmt>(loop->getBody());
      if (!block)
        return writesAt(loop->getBody(), var, counter);
      // A break or continue could leave some out.
      return !effects.of(loop->getBody()).jump &&
             llvm::any_of(block->body(),
                          [&](const Stmt *child) { return writesAt(child, var, counter); });
    });
  }

  /// The counter of a loop over 0 to count - 1; null: it is another loop.
  const VarDecl *countsTo(const ForStmt *loop, uint64_t count) {
    const VarDecl *counter = nullptr;
    const Expr *from = nullptr;
    if (const auto *decl = dyn_cast_or_null<DeclStmt>(loop->getInit());
        decl && decl->isSingleDecl()) {
      counter = dyn_cast<VarDecl>(decl->getSingleDecl());
      from = counter ? counter->getInit() : nullptr;
    } else if (const auto *assign = dyn_cast_or_null<BinaryOperator>(loop->getInit());
               assign && assign->getOpcode() == BO_Assign) {
      counter = variableOf(assign->getLHS());
      from = assign->getRHS();
    }
    const auto *test = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    Expr::EvalResult first, last;
    bool isWhole =
        counter && from && from->EvaluateAsInt(first, context) && first.Val.getInt() == 0 && test &&
        test->getOpcode() == BO_LT && variableOf(test->getLHS()) == counter &&
        test->getRHS()->EvaluateAsInt(last, context) && last.Val.getInt().getZExtValue() == count &&
        step && step->isIncrementOp() && variableOf(step->getSubExpr()) == counter &&
        !overlaps(effects.of(loop->getBody()).writes, pathOf(counter));
    return isWhole ? counter : nullptr;
  }

  static const VarDecl *variableOf(const Expr *expr) {
    const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  }

  /// array[counter] = value
  static bool writesAt(const Stmt *stmt, const VarDecl *array, const VarDecl *counter) {
    const auto *assign = dyn_cast<BinaryOperator>(stmt);
    const auto *element = assign && assign->getOpcode() == BO_Assign
                              ? dyn_cast<ArraySubscriptExpr>(assign->getLHS()->IgnoreParens())
                              : nullptr;
    return element && variableOf(element->getBase()) == array &&
           variableOf(element->getIdx()) == counter;
  }

  /// One number at the place of an array.
  void inboundNumber(const VarDecl *var, QualType type) {
    setType(memType, type, "memory");
    uint64_t size = context.getTypeSizeInChars(type).getQuantity();
    declarations += "  " + declare(type.getUnqualifiedType(), var->getNameAsString(), context) +
                    " = acis_mem[" + std::to_string(memBytes / size) + "];\n";
    describe(Role::Inbound, var, type, 1);
    memBytes += 64;
  }

  /// Whether what the op leaves in the variable may be read after it.
  bool isLive(const VarDecl *var) {
    if (var->hasGlobalStorage())
      return true;
    LaterUses uses(var, candidate.op);
    uses.TraverseStmt(candidate.in->getBody());
    return uses.found;
  }

  /// The constant that the variable is declared with, if nothing else writes it before the op.
  const Expr *constantBefore(const VarDecl *var) {
    bool isOwn = var->getType().isConstQualified() || effects.theProgram().onlyValue(var);
    for (const Stmt *stmt : candidate.movedBefore)
      if (const auto *decl = dyn_cast<DeclStmt>(stmt))
        isOwn |= llvm::is_contained(decl->decls(), static_cast<const Decl *>(var));
    isOwn |= startsInBlock(var);
    Expr::EvalResult value;
    if (!isOwn || !var->getInit() || var->getInit()->isValueDependent() ||
        !var->getInit()->EvaluateAsRValue(value, context))
      return nullptr;
    return var->getInit();
  }

  /// Whether the block of the chain declares it and only the op writes it afterwards.
  bool startsInBlock(const VarDecl *var) {
    if (!candidate.block)
      return false;
    bool isDeclared = false;
    for (const Stmt *stmt : candidate.block->children()) {
      if (const auto *decl = dyn_cast_or_null<DeclStmt>(stmt);
          decl && llvm::is_contained(decl->decls(), static_cast<const Decl *>(var))) {
        isDeclared = true;
        continue;
      }
      if (stmt == candidate.op.front())
        break;
      if (isDeclared && overlaps(effects.of(stmt).writes, pathOf(var)))
        return false;
    }
    return isDeclared;
  }

  /// Whether each statement of the op that uses it is a loop that sets it first.
  bool isSetFirst(const VarDecl *var) {
    for (const Stmt *stmt : candidate.op) {
      if (!overlaps(effects.of(stmt).reads, pathOf(var)))
        continue;
      const auto *loop = dyn_cast<ForStmt>(stmt);
      const auto *init = loop ? dyn_cast_or_null<BinaryOperator>(loop->getInit()) : nullptr;
      const auto *ref = init && init->getOpcode() == BO_Assign
                            ? dyn_cast<DeclRefExpr>(init->getLHS()->IgnoreParens())
                            : nullptr;
      if (!ref || ref->getDecl() != var)
        return false;
    }
    return true;
  }

  void setType(QualType &place, QualType type, const std::string &what) {
    if (place.isNull())
      place = type.getUnqualifiedType();
    else if (!context.hasSameType(place, type.getUnqualifiedType()))
      refuse(what + " would have elements of two types");
  }

  /// All numbers of an array, of however many dimensions, one after the other.
  std::string flat(const VarDecl *var) {
    std::string name = var->getNameAsString();
    QualType element = context.getBaseElementType(var->getType()).getUnqualifiedType();
    if (context.getAsArrayType(var->getType())->getElementType()->isArrayType())
      name = "((" + element.getCanonicalType().getAsString(policy) + " *)" + name + ")";
    return name + "[acis_k]";
  }

  void load(const char *from, const VarDecl *var, QualType &place, QualType element, uint64_t count,
            uint64_t offset) {
    setType(place, element, "a stream or memory");
    loads += "  for (int acis_k = 0; acis_k < " + std::to_string(count) + "; acis_k++)\n    " +
             flat(var) + " = " + from + "[" + (offset ? std::to_string(offset) + " + " : "") +
             "acis_k];\n";
  }

  void inbound(const VarDecl *var, QualType element, uint64_t count) {
    uint64_t size = context.getTypeSizeInChars(element).getQuantity();
    load("acis_mem", var, memType, element, count, memBytes / size);
    describe(Role::Inbound, var, element, count);
    memBytes += (count * size + 63) / 64 * 64;
  }

  /// Buffers that begin inside an array would need the place of their first element.
  void isStart(const Collective &collective, int index, const VarDecl *var) {
    const Expr *expr = collective.arg(index)->IgnoreParenCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(expr);
        address && address->getOpcode() == UO_AddrOf)
      expr = address->getSubExpr()->IgnoreParenCasts();
    // &matrix[0][0]
    while (const auto *element = dyn_cast<ArraySubscriptExpr>(expr)) {
      Expr::EvalResult index;
      if (!element->getIdx()->EvaluateAsInt(index, context) || index.Val.getInt() != 0)
        break;
      expr = element->getBase()->IgnoreParenCasts();
    }
    const auto *ref = dyn_cast<DeclRefExpr>(expr);
    if (!ref || ref->getDecl()->getCanonicalDecl() != var->getCanonicalDecl())
      refuse("the buffer of a collective is a part of '" + var->getNameAsString() + "'");
  }

  void store(const VarDecl *var, uint64_t count) {
    if (isSent(var)) {
      const MpiCall &info = *candidate.second.info;
      isStart(candidate.second, candidate.second.inPlace ? info.recv : info.send, var);
    }
    (isSent(var) ? sent : kept).push_back({var, count});
  }

  void writeOut(const VarDecl *var, uint64_t count) {
    QualType element = context.getBaseElementType(var->getType()).getUnqualifiedType();
    setType(outType, element.getCanonicalType(), "the output");
    std::string name = var->getNameAsString(), base = std::to_string(outCount);
    if (var->getType()->isArrayType())
      outputs += "  for (int acis_k = 0; acis_k < " + std::to_string(count) +
                 "; acis_k++)\n    acis_out[" + base + " + acis_k] = " + flat(var) + ";\n";
    else
      outputs += "  acis_out[" + base + "] = " + name + ";\n";
    outCount += count;
    describe(isSent(var) ? Role::StreamOut : Role::Outbound, var, element, count);
  }

  void describe(Role role, const VarDecl *var, QualType element, uint64_t count) {
    Array array;
    array.role = role;
    array.name = (var->getType()->isArrayType() ? "" : "&") + var->getNameAsString();
    array.type = element.getAsString();
    array.bytes = count * context.getTypeSizeInChars(element).getQuantity();
    result.arrays.push_back(std::move(array));
  }

  std::string print(const Stmt *stmt) {
    std::string text;
    llvm::raw_string_ostream out(text);
    stmt->printPretty(out, nullptr, policy, /*Indentation=*/1);
    if (isa<Expr>(stmt))
      return text;
    return text;
  }

  std::string text() {
    std::string text = "#include <acis.h>\n";
    // A callee is found after those that call it.
    for (const FunctionDecl *callee : llvm::reverse(scan.callees)) {
      llvm::raw_string_ostream out(text);
      PrintingPolicy plain = policy;
      out << (callee->getStorageClass() == SC_Static ? "" : "static ");
      callee->print(out, plain);
      out << '\n';
    }
    auto typeName = [&](QualType type) {
      return type.isNull() ? std::string("uint32_t") : type.getAsString(policy);
    };
    text += "ACIS_HANDLER void op(const " + typeName(inType) + " *restrict acis_in, " +
            typeName(outType) + " *restrict acis_out,\n    const " + typeName(memType) +
            " *restrict acis_mem, uint32_t *acis_len) {\n" + declarations + loads;
    for (const Stmt *stmt : candidate.op)
      text += print(stmt) + (isa<Expr>(stmt) ? ";\n" : "");
    return text + outputs + "}\n";
  }

  EffectsAnalysis &effects;
  const Candidate &candidate;
  const Captures &captured;
  const ASTContext &context;
  PrintingPolicy policy;
  Effects op;
  Scan scan;
  OpHandler result;
  std::vector<std::pair<const VarDecl *, uint64_t>> sent, kept;
  std::string declarations, loads, outputs;
  QualType inType, outType, memType;
  uint64_t memBytes = 0, outCount = 0;
};

} // namespace

OpHandler makeHandler(EffectsAnalysis &effects, const Candidate &candidate,
                      const Captures &captured) {
  return Maker(effects, candidate, captured).run();
}

} // namespace acis::rewriter
