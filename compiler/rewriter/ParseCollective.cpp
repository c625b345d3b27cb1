// Reads predefined names through macros and constant variables, checks types of buffers.
#include "compiler/rewriter/ParseCollective.h"

#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The first name in the stack of macros from which the expression came that `accept` takes.
std::string macroName(const Expr *expr, const ASTContext &context,
                      llvm::function_ref<bool(llvm::StringRef)> accept) {
  const SourceManager &sources = context.getSourceManager();
  for (SourceLocation loc = expr->getBeginLoc(); loc.isMacroID();
       loc = sources.getImmediateMacroCallerLoc(loc)) {
    llvm::StringRef name = Lexer::getImmediateMacroName(loc, sources, context.getLangOpts());
    if (accept(name))
      return name.str();
    // An argument of a macro: the macros of the argument itself come with its spelling.
    if (sources.isMacroArgExpansion(loc)) {
      SourceLocation spelling = sources.getImmediateSpellingLoc(loc);
      if (spelling.isMacroID()) {
        name = Lexer::getImmediateMacroName(spelling, sources, context.getLangOpts());
        if (accept(name))
          return name.str();
      }
    }
  }
  return "";
}

/// What a variable or a constant is set to once, or a function returns; null: neither.
const Expr *valueOf(const Expr *expr, const Program &program) {
  const Expr *plain = expr->IgnoreParenCasts();
  if (const auto *call = dyn_cast<CallExpr>(plain))
    return program.onlyReturn(program.definition(call));
  const ValueDecl *decl = nullptr;
  if (const auto *ref = dyn_cast<DeclRefExpr>(plain))
    decl = ref->getDecl();
  else if (const auto *member = dyn_cast<MemberExpr>(plain))
    decl = member->getMemberDecl();
  const auto *var = dyn_cast_or_null<VarDecl>(decl);
  if (!var || isa<ParmVarDecl>(var))
    return nullptr;
  if (var->isStaticDataMember() && var->getType().isConstQualified())
    return var->getAnyInitializer();
  return program.onlyValue(var);
}

/// Where the value of valueOf() is written.
const ASTContext &contextOf(const Expr *expr, const ASTContext &here, const Program &program) {
  const auto *call = dyn_cast<CallExpr>(expr->IgnoreParenCasts());
  const FunctionDecl *body = call ? program.definition(call) : nullptr;
  return body ? body->getASTContext() : here;
}

/// A predefined name, or else the text.
std::string nameOf(const Expr *expr, const ASTContext &context, const Program &program,
                   llvm::function_ref<bool(llvm::StringRef)> accept, unsigned depth = 0) {
  if (!expr)
    return "";
  std::string name = macroName(expr, context, accept);
  if (!name.empty())
    return name;
  if (const Expr *value = valueOf(expr, program); value && depth < 4) {
    const ASTContext &there = contextOf(expr, context, program);
    name = nameOf(value, there, program, accept, depth + 1);
    if (accept(name))
      return name;
  }
  return sourceText(expr, context);
}

/// What the buffer's elements are; null type: unknown (void).
QualType elementType(const Expr *buffer) {
  QualType type = buffer->IgnoreParenImpCasts()->getType();
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(buffer->IgnoreParenImpCasts()))
    type = cast->getSubExpr()->IgnoreParenImpCasts()->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  while (const ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  return type.getUnqualifiedType();
}

bool isFullOf(const RecordDecl *record, const MpiType &mpi, const ASTContext &context);

bool matches(QualType type, const MpiType &mpi, const ASTContext &context) {
  if (mpi.kind == 'b' || type->isVoidType() || type->isDependentType())
    return true;
  if (type->isEnumeralType())
    return mpi.kind == 'i';
  if (const auto *complex = type->getAs<ComplexType>())
    return matches(complex->getElementType(), mpi, context);
  if (const ConstantArrayType *array = context.getAsConstantArrayType(type))
    return matches(array->getElementType(), mpi, context);
  if (const auto *record = type->getAsRecordDecl())
    return isFullOf(record, mpi, context);
  if (!type->isArithmeticType())
    return false;
  bool isFloat = type->isRealFloatingType();
  return isFloat == (mpi.kind == 'f') &&
         context.getTypeSizeInChars(type).getQuantity() == mpi.bytes;
}

/// A structure that is nothing but numbers of the type, e.g. the coordinates of a point.
bool isFullOf(const RecordDecl *record, const MpiType &mpi, const ASTContext &context) {
  record = record->getDefinition();
  if (!record || record->isUnion() || record->isInvalidDecl() || record->field_empty())
    return false;
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record); cxx && cxx->isPolymorphic())
    return false;
  CharUnits used;
  if (const auto *cxx = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : cxx->bases()) {
      if (base.isVirtual() || !matches(base.getType(), mpi, context))
        return false;
      used += context.getTypeSizeInChars(base.getType());
    }
  for (const FieldDecl *field : record->fields()) {
    if (field->isBitField() || !matches(field->getType(), mpi, context))
      return false;
    used += context.getTypeSizeInChars(field->getType());
  }
  return used == context.getTypeSizeInChars(context.getCanonicalTagType(record));
}

Refusal checkBuffer(const Expr *buffer, llvm::StringRef typeName, const ASTContext &context) {
  const MpiType *type = findType(typeName);
  if (!type || buffer->isNullPointerConstant(const_cast<ASTContext &>(context),
                                             Expr::NPC_ValueDependentIsNotNull))
    return {};
  QualType element = elementType(buffer);
  if (element->isPointerType())
    return {"type-mismatch", "the buffer is an array of pointers"};
  if (matches(element, *type, context))
    return {};
  return {"type-mismatch", "the buffer has elements of type '" + element.getAsString() +
                               "' but the call says " + typeName.str()};
}

} // namespace

std::string sourceText(const Stmt *stmt, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  CharSourceRange range = CharSourceRange::getTokenRange(stmt->getSourceRange());
  // An argument of a macro is where it is written.
  if (CharSourceRange written = Lexer::makeFileCharRange(range, sources, context.getLangOpts());
      written.isValid())
    return Lexer::getSourceText(written, sources, context.getLangOpts()).str();
  range = CharSourceRange(sources.getExpansionRange(range.getAsRange()).getAsRange(), true);
  return Lexer::getSourceText(range, sources, context.getLangOpts()).str();
}

Collective parseCollective(const CallExpr *call, const MpiCall &info, const ASTContext &context,
                           const Program &program) {
  Collective result;
  result.info = &info;
  result.call = call;
  result.context = &context;
  nameCollective(result, program);
  return result;
}

void nameCollective(Collective &result, const Program &program) {
  const MpiCall &info = *result.info;
  const ASTContext &context = *result.context;
  auto isType = [](llvm::StringRef name) {
    return findType(name) || name == "MPI_DATATYPE_NULL" || name == "MPI_2INT" ||
           name == "MPI_DOUBLE_INT" || name == "MPI_FLOAT_INT" || name == "MPI_LONG_INT";
  };
  auto isOp = [](llvm::StringRef name) {
    return isPredefinedOp(name) || name == "MPI_MAXLOC" || name == "MPI_MINLOC";
  };
  auto isComm = [](llvm::StringRef name) { return name.starts_with("MPI_COMM_"); };
  auto isInPlace = [](llvm::StringRef name) { return name == "MPI_IN_PLACE"; };
  auto named = [&](int index, llvm::function_ref<bool(llvm::StringRef)> accept) {
    return nameOf(result.outerArg(index), result.outerContext(index), program, accept);
  };

  const Expr *send = result.arg(info.send), *recv = result.arg(info.recv);
  bool recvInPlace = !macroName(recv, context, isInPlace).empty();
  result.inPlace = recvInPlace || !macroName(send, context, isInPlace).empty();
  result.problem = {};
  result.type = named(info.sendType, isType);
  result.recvType = named(info.recvType, isType);
  if (result.inPlace && !recvInPlace)
    result.type = result.recvType;
  else if (recvInPlace)
    result.recvType = result.type;
  result.comm = named(info.comm, isComm);
  if (info.isRooted())
    result.root = sourceText(result.outerArg(info.root), result.outerContext(info.root));

  for (const std::string &type : {result.type, result.recvType})
    if (!findType(type) && !result.problem)
      result.problem = {"derived-type",
                        "the datatype '" + type + "' is not a predefined type of one number"};
  if (info.op >= 0) {
    result.op = named(info.op, isOp);
    if (!isPredefinedOp(result.op) && !result.problem)
      result.problem = {"user-op", "'" + result.op + "' is not a predefined operation on numbers"};
  }
  auto check = [&](int index, const std::string &type) {
    if (!result.problem)
      result.problem = checkBuffer(result.outerArg(index), type, result.outerContext(index));
  };
  if (!result.inPlace || recvInPlace)
    check(info.send, result.type);
  if (!recvInPlace)
    check(info.recv, result.recvType);
  if (!result.problem && result.type != result.recvType)
    result.problem = {"type-mismatch",
                      "it sends " + result.type + " and receives " + result.recvType};
}

} // namespace acis::rewriter
