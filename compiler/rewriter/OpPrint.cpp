#include "compiler/rewriter/OpPrint.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// `long` has 64 bits on the host, and 32 on the overlay.
std::string withWidths(const std::string &text) {
  std::string result;
  std::vector<std::string> words; // of a type that may go on
  size_t at = 0;
  auto flush = [&](std::string next) {
    bool isLong = llvm::is_contained(words, "long");
    if (isLong && next != "double")
      result += llvm::is_contained(words, "unsigned") ? "uint64_t " : "int64_t ";
    else
      for (const std::string &word : words)
        result += word + " ";
    words.clear();
    result += next;
  };
  while (at < text.size()) {
    if (!llvm::isAlpha(text[at]) && text[at] != '_') {
      if (!words.empty() && text[at] == ' ') {
        at++;
        continue;
      }
      // A number keeps its suffix.
      size_t end = at + 1;
      if (llvm::isDigit(text[at]))
        while (end < text.size() && (llvm::isAlnum(text[end]) || text[end] == '.'))
          end++;
      flush(text.substr(at, end - at));
      at = end;
      continue;
    }
    size_t end = at;
    while (end < text.size() && (llvm::isAlnum(text[end]) || text[end] == '_'))
      end++;
    std::string word = text.substr(at, end - at);
    if (word == "long" || word == "unsigned")
      words.push_back(word);
    else
      flush(word == "_Bool" ? "bool" : word);
    at = end;
  }
  flush("");
  return result;
}

} // namespace

OpPrinter::OpPrinter(const ASTContext &context, OpMemory &memory,
                     const llvm::SetVector<const FunctionDecl *> &callees)
    : context(context), memory(memory), callees(callees), policy(context.getLangOpts()) {
  policy.PrintAsCanonical = true;
  policy.SuppressScope = true;
}

std::string OpPrinter::declare(QualType type, const std::string &name) const {
  type = type.getNonReferenceType().getCanonicalType();
  if (const auto *enumeration = type->getAsEnumDecl())
    type = enumeration->getIntegerType().getCanonicalType();
  // A pointer to structures leads to their numbers.
  if (type->isPointerType() && type->getPointeeType()->isRecordType())
    if (QualType number = memory.numberIn(type->getPointeeType()); !number.isNull())
      type = context.getPointerType(type->getPointeeType().isConstQualified() ? number.withConst()
                                                                              : number);
  std::string text = name;
  type.getAsStringInternal(text, policy);
  return withWidths(text);
}

std::string OpPrinter::raw(const Stmt *stmt) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (stmt)
    stmt->printPretty(out, this, policy, /*Indentation=*/1);
  return text;
}

std::string OpPrinter::print(const Stmt *stmt) {
  return withWidths(raw(stmt)) + (isa<Expr>(stmt) ? ";\n" : "");
}

bool OpPrinter::handledStmt(Stmt *stmt, llvm::raw_ostream &out) {
  if (const auto *decl = dyn_cast<DeclStmt>(stmt)) {
    printDeclaration(decl, out);
    return true;
  }
  if (const auto *loop = dyn_cast<ForStmt>(stmt)) {
    printFor(loop, out);
    return true;
  }
  const auto *expr = dyn_cast<Expr>(stmt);
  return expr && printExpr(expr, out);
}

bool OpPrinter::printExpr(const Expr *expr, llvm::raw_ostream &out) {
  if (const auto *literal = dyn_cast<IntegerLiteral>(expr)) {
    if (context.getTypeSize(literal->getType()) < 64)
      return false;
    bool isSigned = literal->getType()->isSignedIntegerType();
    out << llvm::toString(literal->getValue(), 10, isSigned) << (isSigned ? "LL" : "ULL");
    return true;
  }
  if (const auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(expr)) {
    Expr::EvalResult value;
    if (!trait->EvaluateAsInt(value, context))
      return false;
    out << llvm::toString(value.Val.getInt(), 10) << "ULL";
    return true;
  }
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *function = dyn_cast<FunctionDecl>(ref->getDecl());
    if (const auto *constant = dyn_cast<EnumConstantDecl>(ref->getDecl()))
      out << '(' << llvm::toString(constant->getInitVal(), 10) << ')';
    else if (function)
      out << nameOf(function);
    else if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()); var && memory.done.owns(var))
      out << memory.handlerName(var);
    else
      return false;
    return true;
  }
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expr); cast && !isa<CStyleCastExpr>(cast)) {
    out << "((" << declare(cast->getType(), "") << ")(" << raw(cast->getSubExpr()) << "))";
    return true;
  }
  if (VectorCall call = isa<CallExpr>(expr) ? vectorCall(expr) : VectorCall()) {
    const Place *place = memory.of(call.vector);
    if (!place)
      return false;
    if (call.index)
      out << place->name << "[" << raw(call.index) << "]";
    else
      out << (call.method == "data" ? place->name : memory.valueOf(sizeOf(*place)));
    return true;
  }
  if (expr == memory.done.call) {
    out << "((" << declare(memory.done.value->getType(), "") << ")(" << raw(memory.done.value)
        << "))";
    return true;
  }
  if (const auto *call = dyn_cast<CallExpr>(expr))
    return printMemoryCall(call, out);
  const auto *member = dyn_cast<MemberExpr>(expr);
  const Place *place = member ? memory.of(member) : nullptr;
  if (place)
    out << place->name;
  return place || printFlat(expr, out);
}

std::string OpPrinter::stride(const Expr *pointer, QualType element) {
  const Place *rows = memory.numbersIn(element) ? nullptr : memory.openRowsOf(pointer);
  return rows ? memory.valueOf(memory.strideOf(*rows, element))
              : std::to_string(memory.numbersIn(element));
}

std::string OpPrinter::flat(const Expr *lvalue) {
  lvalue = lvalue->IgnoreParenImpCasts();
  auto moved = [&](const std::string &base, const Expr *index) {
    return "(" + base + " + (" + raw(index) + ") * " + stride(lvalue, lvalue->getType()) + ")";
  };
  if (VectorCall call = vectorCall(lvalue); call && call.index) {
    const Place *place = memory.of(call.vector);
    return moved(place ? place->name : raw(call.vector), call.index);
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue))
    return moved(flatPointer(element->getBase()), element->getIdx());
  if (const auto *op = dyn_cast<UnaryOperator>(lvalue); op && op->getOpcode() == UO_Deref)
    return flatPointer(op->getSubExpr());
  if (const auto *member = dyn_cast<MemberExpr>(lvalue);
      member && isa<FieldDecl>(member->getMemberDecl()) && memory.isOfElement(member)) {
    std::string base = member->isArrow() ? flatPointer(member->getBase()) : flat(member->getBase());
    return "(" + base + " + " +
           std::to_string(memory.numbersBefore(cast<FieldDecl>(member->getMemberDecl()))) + ")";
  }
  return raw(lvalue);
}

std::string OpPrinter::flatPointer(const Expr *pointer) {
  pointer = pointer->IgnoreParenCasts();
  if (pointer->getType()->isArrayType())
    return flat(pointer);
  if (const auto *op = dyn_cast<UnaryOperator>(pointer); op && op->getOpcode() == UO_AddrOf)
    return flat(op->getSubExpr());
  const auto *op = dyn_cast<BinaryOperator>(pointer);
  if (!op || !op->isAdditiveOp())
    return raw(pointer);
  bool isLeft = op->getLHS()->getType()->isPointerType();
  std::string base = flatPointer(isLeft ? op->getLHS() : op->getRHS());
  return "(" + base + (op->getOpcode() == BO_Sub ? " - (" : " + (") +
         raw(isLeft ? op->getRHS() : op->getLHS()) + ") * " +
         stride(pointer, pointer->getType()->getPointeeType()) + ")";
}

/// What reaches into a structure of an array, or points to one.
bool OpPrinter::printFlat(const Expr *expr, llvm::raw_ostream &out) {
  const auto *member = dyn_cast<MemberExpr>(expr);
  if (member && isa<FieldDecl>(member->getMemberDecl()) && memory.isOfElement(member)) {
    out << flat(member) << (member->getType()->isArrayType() ? "" : "[0]");
    return true;
  }
  QualType type = expr->getType();
  if (!isa<DeclRefExpr, CastExpr, ParenExpr>(expr) && memory.openRowsOf(expr)) {
    out << (type->isPointerType() ? flatPointer(expr) : flat(expr))
        << (type->isPointerType() || type->isArrayType() ? "" : "[0]");
    return true;
  }
  if (!type->isPointerType() || !type->getPointeeType()->isRecordType() ||
      !isa<UnaryOperator, BinaryOperator>(expr) || memory.numberIn(type->getPointeeType()).isNull())
    return false;
  const auto *unary = dyn_cast<UnaryOperator>(expr);
  const auto *binary = dyn_cast<BinaryOperator>(expr);
  if ((unary && unary->getOpcode() != UO_AddrOf) || (binary && !binary->isAdditiveOp()))
    return false;
  out << flatPointer(expr);
  return true;
}

/// memset, memcpy and memmove with lengths of run time: loops over elements.
bool OpPrinter::printMemoryCall(const CallExpr *call, llvm::raw_ostream &out) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || call->getNumArgs() != 3)
    return false;
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  const Expr *to = call->getArg(0)->IgnoreParenCasts();
  QualType type = to->getType();
  if ((name != "memset" && name != "memcpy") || !(type->isPointerType() || type->isArrayType()))
    return false;
  std::string element =
      declare(type->isPointerType() ? context.getBaseElementType(type->getPointeeType())
                                    : context.getBaseElementType(type),
              "");
  std::string helper = name.str() + "_" + std::to_string(helpers.size());
  std::string text = "static void acis_" + helper + "(" + element + " *to, " +
                     (name == "memset" ? "int value" : "const " + element + " *from") +
                     ", int64_t bytes) {\n  for (int64_t k = 0; k < bytes / (int64_t)sizeof(" +
                     element + "); k++)\n    to[k] = " + (name == "memset" ? "value" : "from[k]") +
                     ";\n}\n";
  helpers.push_back(text);
  out << "acis_" << helper << "((" << element << " *)(" << raw(to) << "), "
      << raw(name == "memset" ? call->getArg(1) : call->getArg(1)->IgnoreParenCasts()) << ", "
      << raw(call->getArg(2)) << ")";
  return true;
}

void OpPrinter::printDeclaration(const DeclStmt *stmt, llvm::raw_ostream &out) {
  for (const Decl *decl : stmt->decls()) {
    const auto *var = dyn_cast<VarDecl>(decl);
    if (!var)
      continue;
    out << "  " << (var->isStaticLocal() ? "static " : "")
        << declare(var->getType(), var->getNameAsString());
    if (var->getInit())
      out << " = " << raw(var->getInit());
    out << ";\n";
  }
}

void OpPrinter::printFor(const ForStmt *loop, llvm::raw_ostream &out) {
  // Declarations of a loop go before it, in a block of their own.
  const auto *decl = dyn_cast_or_null<DeclStmt>(loop->getInit());
  if (decl && decl->isSingleDecl()) {
    const auto *var = cast<VarDecl>(decl->getSingleDecl());
    out << "  for (" << declare(var->getType(), var->getNameAsString());
    if (var->getInit())
      out << " = " << raw(var->getInit());
    out << ";";
  } else {
    if (decl) {
      out << "  {\n";
      printDeclaration(decl, out);
    }
    out << "  for (" << (decl ? "" : raw(loop->getInit())) << ";";
  }
  out << " " << raw(loop->getCond()) << "; " << raw(loop->getInc()) << ")\n"
      << (isa<NullStmt>(loop->getBody()) ? "    ;\n" : raw(loop->getBody()))
      << (isa<Expr>(loop->getBody()) ? ";\n" : "\n");
  if (decl && !decl->isSingleDecl())
    out << "  }\n";
}

std::string OpPrinter::nameOf(const FunctionDecl *callee) const {
  const FunctionDecl *body = nullptr;
  if (callee->isDefined(body))
    for (size_t i = 0; i < callees.size(); i++)
      if (callees[i] == body)
        return "acis_function" + std::to_string(i) + "_" + callee->getNameAsString();
  return callee->getNameAsString();
}

std::string OpPrinter::head(const FunctionDecl *callee) const {
  std::string parameters;
  for (const ParmVarDecl *param : callee->parameters())
    parameters +=
        (parameters.empty() ? "" : ", ") + declare(param->getType(), param->getNameAsString());
  return "static " + declare(callee->getReturnType(), nameOf(callee)) + "(" +
         (parameters.empty() ? "void" : parameters) + ")";
}

std::string OpPrinter::functions() {
  std::string text;
  for (const FunctionDecl *callee : callees)
    text += head(callee) + ";\n";
  std::string bodies;
  for (const FunctionDecl *callee : callees)
    bodies += head(callee) + " " + withWidths(raw(callee->getBody())) + "\n";
  for (const std::string &helper : helpers)
    text += helper;
  return text + bodies;
}

} // namespace acis::rewriter
