// Prints the op from the tree, so that macros and headers of the program do not matter.
#include "compiler/rewriter/OpHandler.h"

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
    if (!scan.wrongType.empty())
      refuse("'" + scan.wrongType + "' has another size on the overlay");
    if (op.alloc)
      refuse("it allocates memory");
    std::vector<const VarDecl *> variables;
    for (const Capture &capture : captured.list)
      variables.push_back(capture.var);
    variables.insert(variables.end(), scan.globals.begin(), scan.globals.end());
    for (const VarDecl *var : variables)
      take(var);
    for (const VarDecl *var : captured.declared)
      if (isSent(var))
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
      QualType element = array->getElementType().getUnqualifiedType();
      if (!element->isArithmeticType())
        return refuse("'" + name + "' is not an array of numbers");
      uint64_t count = array->getSize().getZExtValue();
      Path elements = pathOf(var) + "[";
      bool reads = overlaps(op.reads, elements), writes = overlaps(op.writes, elements);
      declarations += "  " + declare(QualType(array, 0), name, context) + ";\n";
      if (overlaps(Paths{candidate.first.recv}, elements))
        load("acis_in", name, inType, element, count, /*offset=*/0);
      else if (reads)
        inbound(var, element, count);
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
    if (overlaps(Paths{candidate.first.recv}, path)) {
      declarations += "  " + declare(type.getUnqualifiedType(), name, context) + ";\n";
      setType(inType, type, "the result of the first collective");
      loads += "  " + name + " = acis_in[0];\n";
      return;
    }
    // A counter that every loop sets before it reads it; a sum that starts with a constant.
    const Expr *initial = constantBefore(var);
    bool isCounter = overlaps(op.writes, path) && isSetFirst(var);
    if (!initial && !isCounter && type->isIntegerType() && context.getTypeSize(type) == 32 &&
        context.getAsArrayType(var->getType()) == nullptr)
      return inboundNumber(var, type);
    if (!initial && !isCounter)
      return refuse("the value of '" + name + "' is known only at run time");
    declarations += "  " + declare(type.getUnqualifiedType(), name, context) +
                    (isCounter ? "" : " = " + print(initial)) + ";\n";
    if (isSent(var))
      store(var, 1);
  }

  /// One number at the place of an array.
  void inboundNumber(const VarDecl *var, QualType type) {
    setType(memType, type, "memory");
    declarations += "  " + declare(type.getUnqualifiedType(), var->getNameAsString(), context) +
                    " = acis_mem[" + std::to_string(memBytes / 4) + "];\n";
    describe(Role::Inbound, var, type, 1);
    memBytes += 64;
    if (isSent(var))
      store(var, 1);
  }

  /// The constant that the variable is declared with, if nothing else writes it before the op.
  const Expr *constantBefore(const VarDecl *var) {
    bool isOwn = var->getType().isConstQualified() || effects.theProgram().onlyValue(var);
    for (const Stmt *stmt : candidate.movedBefore)
      if (const auto *decl = dyn_cast<DeclStmt>(stmt))
        isOwn |= llvm::is_contained(decl->decls(), static_cast<const Decl *>(var));
    isOwn |= startsInBlock(var);
    Expr::EvalResult value;
    if (!isOwn || !var->hasInit() || var->getInit()->isValueDependent() ||
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

  void load(const char *from, const std::string &name, QualType &place, QualType element,
            uint64_t count, uint64_t offset) {
    setType(place, element, "a stream or memory");
    loads += "  for (int acis_k = 0; acis_k < " + std::to_string(count) + "; acis_k++)\n    " +
             name + "[acis_k] = " + from + "[" + (offset ? std::to_string(offset) + " + " : "") +
             "acis_k];\n";
  }

  void inbound(const VarDecl *var, QualType element, uint64_t count) {
    uint64_t size = context.getTypeSizeInChars(element).getQuantity();
    load("acis_mem", var->getNameAsString(), memType, element, count, memBytes / size);
    describe(Role::Inbound, var, element, count);
    memBytes += (count * size + 63) / 64 * 64;
  }

  void store(const VarDecl *var, uint64_t count) {
    (isSent(var) ? sent : kept).push_back({var, count});
  }

  void writeOut(const VarDecl *var, uint64_t count) {
    QualType element = var->getType();
    if (const ArrayType *array = context.getAsArrayType(element))
      element = array->getElementType();
    setType(outType, element.getCanonicalType(), "the output");
    std::string name = var->getNameAsString(), base = std::to_string(outCount);
    if (var->getType()->isArrayType())
      outputs += "  for (int acis_k = 0; acis_k < " + std::to_string(count) +
                 "; acis_k++)\n    acis_out[" + base + " + acis_k] = " + name + "[acis_k];\n";
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
