#include "compiler/rewriter/OpMemory.h"

#include "compiler/rewriter/Captures.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The type of the elements of std::vector and std::array; null: it is neither.
QualType elementOfVector(QualType type) {
  const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!record || !record->isInStdNamespace() || !record->getIdentifier() ||
      (record->getName() != "vector" && record->getName() != "array"))
    return {};
  QualType element = record->getTemplateArgs()[0].getAsType().getCanonicalType();
  const CXXRecordDecl *own = element->getAsCXXRecordDecl();
  bool isNumber = element->isArithmeticType() && !element->isBooleanType();
  return isNumber || (own && !own->isInStdNamespace()) ? element : QualType();
}

} // namespace

VectorCall vectorCall(const Expr *expr) {
  VectorCall result;
  expr = expr->IgnoreParenImpCasts();
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
      op && op->getOperator() == OO_Subscript && op->getNumArgs() == 2)
    result = {op->getArg(0)->IgnoreParenImpCasts(), op->getArg(1), ""};
  else if (const auto *call = dyn_cast<CXXMemberCallExpr>(expr);
           call && call->getNumArgs() == 0 && call->getMethodDecl() &&
           call->getMethodDecl()->getIdentifier())
    result = {call->getImplicitObjectArgument()->IgnoreParenImpCasts(), nullptr,
              call->getMethodDecl()->getName()};
  bool isKnown = result.index || result.method == "data" || result.method == "size";
  return isKnown && result.vector && !elementOfVector(result.vector->getType()).isNull()
             ? result
             : VectorCall();
}

const std::string &OpMemory::valueOf(const std::string &text) {
  return values.try_emplace(text, "acis_value" + std::to_string(values.size())).first->second;
}

QualType OpMemory::numberIn(QualType type) const {
  type = context.getBaseElementType(type).getCanonicalType().getUnqualifiedType();
  if (type->isArithmeticType())
    return type;
  const RecordDecl *record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  const auto *object = dyn_cast_or_null<CXXRecordDecl>(record);
  if (!record || record->isUnion() || record->isInvalidDecl() || record->field_empty() ||
      (object && (object->getNumBases() > 0 || object->isPolymorphic())))
    return {};
  QualType number;
  uint64_t bytes = 0;
  for (const FieldDecl *field : record->fields()) {
    QualType own = field->isBitField() ? QualType() : numberIn(field->getType());
    if (own.isNull() || (!number.isNull() && number != own))
      return {};
    number = own;
    bytes += context.getTypeSizeInChars(field->getType()).getQuantity();
  }
  return bytes == uint64_t(context.getTypeSizeInChars(type).getQuantity()) ? number : QualType();
}

uint64_t OpMemory::numbersIn(QualType type) const {
  type = type.getCanonicalType();
  if (const ConstantArrayType *array = context.getAsConstantArrayType(type))
    return array->getZExtSize() * numbersIn(array->getElementType());
  if (type->isArrayType())
    return 0;
  QualType number = numberIn(type);
  return number.isNull() ? 0
                         : context.getTypeSizeInChars(type).getQuantity() /
                               context.getTypeSizeInChars(number).getQuantity();
}

QualType OpMemory::flat(QualType type) const {
  if (!type->isArrayType() || !context.getBaseElementType(type)->isRecordType())
    return type;
  return context.getConstantArrayType(numberIn(type), llvm::APInt(64, numbersIn(type)), nullptr,
                                      ArraySizeModifier::Normal, 0);
}

std::string OpMemory::strideOf(const Place &place, QualType element) const {
  if (uint64_t numbers = numbersIn(element))
    return std::to_string(numbers);
  if (!place.hasOpenRows)
    return "";
  auto rank = [&](QualType type) {
    unsigned dimensions = type->isPointerType();
    QualType inner = type->isPointerType() ? type->getPointeeType() : type;
    for (; const ArrayType *array = context.getAsArrayType(inner); dimensions++)
      inner = array->getElementType();
    return dimensions;
  };
  std::string row = place.text;
  for (unsigned depth = rank(place.type) - rank(element); depth > 0; depth--)
    row += "[0]";
  return "(sizeof(" + row + ") / sizeof(" + place.element.getAsString(context.getPrintingPolicy()) +
         "))";
}

Place *OpMemory::openRowsOf(const Expr *expr) {
  while (true) {
    expr = expr->IgnoreParenCasts();
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else if (const auto *op = dyn_cast<UnaryOperator>(expr);
             op && (op->getOpcode() == UO_Deref || op->getOpcode() == UO_AddrOf))
      expr = op->getSubExpr();
    else if (const auto *sum = dyn_cast<BinaryOperator>(expr);
             sum && sum->isAdditiveOp() && sum->getType()->isPointerType())
      expr = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    else
      break;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  if (!ref || !rewriter::hasOpenRows(ref->getType(), context))
    return nullptr;
  return of(ref);
}

uint64_t OpMemory::numbersBefore(const FieldDecl *field) const {
  QualType number = numberIn(field->getType());
  return number.isNull() ? 0 : context.getFieldOffset(field) / context.getTypeSize(number);
}

bool OpMemory::isOfElement(const MemberExpr *member) const {
  const Expr *base = member->getBase()->IgnoreParenImpCasts();
  if (const auto *outer = dyn_cast<MemberExpr>(base); outer && !member->isArrow())
    return isOfElement(outer);
  const auto *ref = dyn_cast<DeclRefExpr>(base);
  const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (member->isArrow() && var)
    return pointers.contains(var);
  return !var && !isa<MemberExpr, CXXThisExpr>(base);
}

std::string OpMemory::hostName(const VarDecl *var) {
  std::string name = var->getNameAsString();
  if (!done.hidden.contains(name) || done.owns(var))
    return name;
  std::string alias = "acis_outer_" + name + "_" + done.label;
  QualType type = var->getType().getNonReferenceType();
  const LangOptions &options = context.getLangOpts();
  bool isArray = type->isArrayType() && !options.CPlusPlus;
  if (options.CPlusPlus11)
    aliases[alias] = "auto &" + alias + " = " + name + ";";
  else if (isArray)
    aliases[alias] =
        declare(context.getArrayDecayedType(type), alias, context) + " = " + name + ";";
  else if (options.CPlusPlus)
    aliases[alias] =
        declare(context.getLValueReferenceType(type), alias, context) + " = " + name + ";";
  else
    aliases[alias] = declare(context.getPointerType(type), alias, context) + " = &" + name + ";";
  return options.CPlusPlus || isArray ? alias : "(*" + alias + ")";
}

std::string OpMemory::handlerName(const VarDecl *var) const {
  return (done.owns(var) ? "acis_inner_" : "") + var->getNameAsString();
}

Place *OpMemory::of(const Expr *expr) {
  Place place;
  place.use = expr;
  std::string arrows;
  std::vector<const MemberExpr *> members;
  for (expr = expr->IgnoreParenImpCasts(); const auto *member = dyn_cast<MemberExpr>(expr);
       expr = member->getBase()->IgnoreParenImpCasts()) {
    if (!isa<FieldDecl>(member->getMemberDecl()))
      return nullptr;
    if (isOfElement(member))
      return nullptr;
    members.push_back(member);
  }
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  place.var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  bool isOfObject = isa<CXXThisExpr>(expr) && !members.empty();
  if (!place.var && !isOfObject)
    return nullptr;
  // A reference is another name for what the call gives.
  if (auto bound = done.arguments.find(place.var);
      place.var && bound != done.arguments.end() && place.var->getType()->isReferenceType())
    return members.empty() ? of(bound->second) : nullptr;
  place.text = isOfObject ? "this" : hostName(place.var);
  place.type = isOfObject ? expr->getType() : place.var->getType().getNonReferenceType();
  for (const MemberExpr *member : llvm::reverse(members)) {
    if (member->isArrow() && place.text != "this")
      arrows += (arrows.empty() ? "" : " && ") + place.text;
    const auto *field = cast<FieldDecl>(member->getMemberDecl());
    if (field->isBitField() || field->isAnonymousStructOrUnion() || field->getParent()->isUnion())
      return nullptr;
    place.fields.push_back(field);
    place.text += (member->isArrow() ? "->" : ".") + field->getNameAsString();
    place.type = field->getType();
  }
  place.type = place.type.getCanonicalType();
  if (QualType element = elementOfVector(place.type); !element.isNull()) {
    place.type = context.getPointerType(element);
    place.text += ".data()";
  }
  place.hasOpenRows = rewriter::hasOpenRows(place.type, context);
  // Another name of it would need its type, whose lengths may have changed.
  if (place.hasOpenRows && place.text != place.var->getNameAsString())
    return nullptr;
  auto [found, isNew] = known.try_emplace({place.var, place.fields}, nullptr);
  if (!isNew)
    return found->second;
  place.guarded = arrows.empty() ? place.text : "(" + arrows + " ? " + place.text + " : 0)";
  place.name =
      members.empty() ? handlerName(place.var) : "acis_place" + std::to_string(places.size());
  QualType row = place.type->isPointerType() ? place.type->getPointeeType()
                 : place.type->isArrayType() ? context.getAsArrayType(place.type)->getElementType()
                                             : place.type;
  if (place.hasOpenRows)
    row = context.getBaseElementType(row);
  place.rowCount = numbersIn(row);
  place.element = numberIn(row);
  if (place.element.isNull())
    place.element = context.getBaseElementType(row).getCanonicalType().getUnqualifiedType();
  if (uint64_t count = place.type->isPointerType() ? 0 : numbersIn(place.type))
    place.count = count;
  places.push_back(std::move(place));
  return found->second = &places.back();
}

std::string lineOf(const Stmt *stmt, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  return " (line " + std::to_string(sources.getExpansionLineNumber(stmt->getBeginLoc())) + ")";
}

} // namespace acis::rewriter
