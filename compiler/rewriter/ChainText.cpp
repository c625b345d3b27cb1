// Pieces of text, in the order in which they appear.
#include "compiler/rewriter/ChainText.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace acis::rewriter {
namespace {

std::string marker(const std::string &text) { return "/* acis: " + text + " */"; }

/// Lengths of run time of the dimensions behind the first one, by the number of the dimension.
std::vector<unsigned> openRows(QualType type, const ASTContext &context) {
  std::vector<unsigned> open;
  QualType row = context.getAsArrayType(type) ? context.getAsArrayType(type)->getElementType()
                                              : type->getPointeeType();
  for (unsigned i = 1; const ArrayType *array = context.getAsArrayType(row); i++) {
    if (context.getAsVariableArrayType(row))
      open.push_back(i);
    row = array->getElementType();
  }
  return open;
}

std::string rowField(const VarDecl *var, unsigned dimension) {
  return "acis_row" + std::to_string(dimension) + "_" + var->getNameAsString();
}

/// `a`, and how many elements a row of each open dimension has.
std::string rowValues(const VarDecl *var, const ASTContext &context) {
  std::string name = var->getNameAsString(), text = name;
  for (unsigned dimension : openRows(var->getType(), context)) {
    std::string row = name;
    for (unsigned i = 0; i < dimension; i++)
      row += "[0]";
    std::string bytes = "sizeof(" + row + "[0])";
    // An element of no bytes is none to divide by.
    text += ", sizeof(" + row + ") / (" + bytes + " + !" + bytes + ")";
  }
  return text;
}

/// The pointer to the first row, of the program's type.
std::string rowPointer(const VarDecl *var, const ASTContext &context) {
  QualType type = var->getType();
  std::string name = var->getNameAsString(), extents;
  QualType row = context.getAsArrayType(type) ? context.getAsArrayType(type)->getElementType()
                                              : type->getPointeeType();
  for (unsigned i = 1; const ArrayType *array = context.getAsArrayType(row); i++) {
    const auto *constant = dyn_cast<ConstantArrayType>(array);
    extents += "[" +
               (constant ? std::to_string(constant->getZExtSize()) : "acis->" + rowField(var, i)) +
               "]";
    row = array->getElementType();
  }
  QualType element = context.getBaseElementType(row);
  return "  " + declare(element, "(*" + name + ")" + extents, context) + " = (" +
         declare(element, "(*)" + extents, context) + ")acis->" + name + ";\n";
}

/// The collective as its descriptor: the same arguments but for the communicator.
std::string descriptor(const Collective &collective) {
  std::string text = "ACIS_" + std::string(collective.info->name) + "(";
  for (int i = 0; i < collective.info->comm; i++)
    text += (i ? ", " : "") + sourceText(collective.arg(i), *collective.context);
  return text + ")";
}

std::string assigned(const Stmt *stmt, const ASTContext &context) {
  const auto *expr = dyn_cast_or_null<Expr>(stmt);
  if (!expr)
    return "";
  const auto *assign = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts());
  return assign ? sourceText(assign->getLHS(), context) + " = " : "";
}

} // namespace

bool isWholeCall(const Stmt *stmt, const CallExpr *call) {
  const auto *expr = dyn_cast_or_null<Expr>(stmt);
  if (!expr)
    return false;
  expr = expr->IgnoreParenCasts();
  if (expr == call)
    return true;
  const auto *assign = dyn_cast<BinaryOperator>(expr);
  return assign && assign->getOpcode() == BO_Assign && assign->getRHS()->IgnoreParenCasts() == call;
}

bool isLambda(const Candidate &candidate) {
  return candidate.in->getASTContext().getLangOpts().CPlusPlus11;
}

ChainText::ChainText(const Candidate &candidate, const std::vector<const Stmt *> &stmts,
                     const SourceText &source, std::string label, std::string binaries)
    : candidate(candidate), stmts(stmts), source(source), context(candidate.in->getASTContext()),
      inPlace(isLambda(candidate)), binaries(std::move(binaries)), request("acis_request_" + label),
      args("acis_args_" + label), table("acis_arrays_" + label), uses("acis_uses_" + label),
      returned("acis_returned_" + label), second("acis_second_" + label) {}

std::string ChainText::head(const Captures &captured, const InlinedBody &inlined) const {
  std::string what = inPlace ? "fused collectives"
                             : "the op of " + candidate.pattern + " in " + candidate.function +
                                   ", line " + std::to_string(candidate.lineFirst);
  std::string text = marker(what) + CccfInclude;
  if (!candidate.binary.empty())
    text += (candidate.hasSizes ? "#include <acis_ranges.h>\n" : "") + ("#include \"" + binaries) +
            "\"\n";
  return inPlace ? text : text + opFunction(captured, inlined);
}

std::string ChainText::opFunction(const Captures &captured, const InlinedBody &inlined) const {
  bool isCxx = context.getLangOpts().CPlusPlus;
  const std::string &name = candidate.opName;
  std::string fields, load, store;
  auto add = [&](const VarDecl *var, bool isArray) {
    std::string field = var->getNameAsString();
    QualType type = isArray ? context.getArrayDecayedType(var->getType())
                            : context.getPointerType(var->getType().getNonReferenceType());
    fields += "  " + declare(type, field, context) + ";\n";
    return field;
  };
  for (const Capture &capture : captured.list) {
    if (capture.hasOpenRows) {
      fields += "  const void *" + capture.var->getNameAsString() + ";\n";
      for (unsigned dimension : openRows(capture.var->getType(), context))
        fields += "  unsigned long long " + rowField(capture.var, dimension) + ";\n";
      load += rowPointer(capture.var, context);
      continue;
    }
    std::string field = add(capture.var, capture.isArray);
    QualType type = capture.var->getType();
    if (capture.isArray)
      load += "  " + declare(context.getArrayDecayedType(type), field, context) + " = acis->" +
              field + ";\n";
    else if (isCxx)
      load += "  " + declare(type.getNonReferenceType(), "&" + field, context) + " = *acis->" +
              field + ";\n";
    else
      load += "  " + declare(type, field, context) + " = *acis->" + field + ";\n";
    if (capture.isWrittenBack)
      store += "  *acis->" + field + " = " + field + ";\n";
  }
  for (const VarDecl *var : captured.declared)
    store += "  *acis->" + add(var, /*isArray=*/false) + " = " + var->getNameAsString() + ";\n";
  std::string value;
  if (inlined.hasOwn()) {
    if (!inlined.value.empty())
      value = "  " + declare(inlined.type, returned, context) + ";\n";
    value += "  {\n";
    for (const VarDecl *var : inlined.locals) {
      std::string field = var->getNameAsString();
      fields += "  " +
                declare(context.getPointerType(var->getType()), "acis_local_" + field, context) +
                ";\n";
      value += "    " + declare(var->getType(), field, context) + " = *acis->acis_local_" + field +
               ";\n";
    }
    value += inlined.tail;
    if (!inlined.value.empty())
      value += "    " + returned + " = " + inlined.value + ";\n";
    value += "  }\n";
  }
  std::string text = "struct " + name + " {\n" + (fields.empty() ? "  char none;\n" : fields) +
                     "};\nstatic void " + name + "_run(void *acis_pointer) {\n";
  if (!fields.empty())
    text += "  struct " + name + " *acis = (struct " + name + " *)acis_pointer;\n" + value + load;
  else
    text += "  (void)acis_pointer;\n" + value;
  return text + opText(inlined) + store + "}\n";
}

/// The statements of the op with their lines.
std::string ChainText::opText(const InlinedBody &inlined) const {
  std::string text;
  const Stmt *previous = nullptr;
  for (const Stmt *stmt : candidate.op) {
    if (!source.follows(stmts, previous, stmt))
      text += source.lineDirective(stmts, stmt);
    std::string piece = source.pieceOf(stmts, stmt);
    // The call whose value is there already.
    if (stmt == candidate.firstStmt)
      if (size_t at = piece.find(inlined.callText); at != std::string::npos)
        piece.replace(at, inlined.callText.size(), returned);
    text += piece;
    previous = stmt;
  }
  return text;
}

std::string ChainText::declarations(const Captures &captured, const std::string &indent) const {
  std::string text;
  for (const VarDecl *var : captured.declared) {
    std::string name = var->getNameAsString();
    text += indent + declare(var->getType(), name, context) + ";\n";
    // What the op declares hides the variable of the same name outside.
    if (inPlace)
      text += indent + declare(var->getType(), "&acis_out_" + name, context) + " = " + name + ";\n";
  }
  return text;
}

std::string ChainText::fieldValues(const Captures &captured) const {
  std::string text;
  for (const Capture &capture : captured.list)
    text += (text.empty() ? "" : ", ") +
            (capture.hasOpenRows ? rowValues(capture.var, context)
                                 : (capture.isArray ? "" : "&") + capture.var->getNameAsString());
  for (const VarDecl *var : captured.declared)
    text += (text.empty() ? "&" : ", &") + var->getNameAsString();
  return text.empty() ? "0" : text;
}

std::string ChainText::arrayTable(const std::vector<Array> &arrays,
                                  const std::string &indent) const {
  if (arrays.empty())
    return "";
  std::string text = indent + "ACIS_Array " + table + "[] = {\n";
  for (const Array &array : arrays) {
    const char *role = array.role == Role::StreamIn    ? "ACIS_STREAM_IN"
                       : array.role == Role::Inbound   ? "ACIS_INBOUND"
                       : array.role == Role::StreamOut ? "ACIS_STREAM_OUT"
                                                       : "ACIS_OUTBOUND";
    text += indent + "    {" + role + ", " + array.name + ", " +
            (array.size.empty() ? std::to_string(array.bytes.value_or(0))
                                : "(size_t)(" + array.size + ")") +
            "},\n";
  }
  text += indent + "};\n";
  return candidate.hasSizes ? sizes(indent) + text + useTable(arrays, indent) : text;
}

/// How much of each array is used at this call.
std::string ChainText::useTable(const std::vector<Array> &arrays, const std::string &indent) const {
  std::string text = indent + "ACIS_Use " + uses + "[] = {\n";
  for (const Array &array : arrays)
    text += indent + "    {" + std::to_string(array.object) + ", " + array.used + "},\n";
  return text + indent + "};\n";
}

std::string ChainText::sizes(const std::string &indent) const {
  std::string text;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(candidate.sizes).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    text += indent + line.drop_front(2).str() + "\n";
  return text;
}

/// File and line as a literal, by which what a run says is found in the report.
static std::string placeOf(const Candidate &candidate) {
  std::string text = "\"";
  for (char c : candidate.file) {
    if (c == '"' || c == '\\')
      text += '\\';
    text += c;
  }
  return text + ":" + std::to_string(candidate.lineFirst) + "\"";
}

std::string ChainText::cccf(const std::string &made, const std::string &inlinedCode,
                            size_t numArrays, const std::string &indent) const {
  std::string op = "ACIS_Make_op(" + made + ")";
  if (!candidate.binary.empty())
    op = "ACIS_Make_switch_op(" + made + ", " + candidate.opName + "_binary, sizeof(" +
         candidate.opName + "_binary), " + table + ", " + std::to_string(numArrays) + ")";
  if (!candidate.binary.empty() && candidate.hasSizes)
    op = "ACIS_Size_op(" + op + ", " + uses + ")";
  op = "ACIS_Place_op(" + placeOf(candidate) + ", " + op + ")";
  std::string comm =
      sourceText(candidate.first.arg(candidate.first.info->comm), *candidate.first.context);
  // What a function round the collective returns is no return code.
  auto [head, behind] = candidate.isChecked
                            ? source.around(candidate.firstStmt, candidate.first.call)
                            : std::pair<std::string, std::string>("", ";");
  std::string result = candidate.wrapper ? inlinedCode : assigned(candidate.firstStmt, context);
  if (result.empty() && candidate.second.call)
    result = assigned(candidate.secondStmt, context);
  std::string first = descriptor(candidate.first);
  std::string tail = comm + ", &" + request + ")" + behind + "\n";
  std::string comma = ",\n" + indent + "    ";
  switch (candidate.kind) {
  case Kind::Fused:
    return indent + result + "ACIS_Ifused(" + first + comma + op + comma +
           (candidate.wrapper ? second : descriptor(candidate.second)) + comma + tail;
  case Kind::SemiFused:
    return (candidate.isChecked ? source.lineDirective(stmts, candidate.firstStmt) : "") + indent +
           head + result + "ACIS_Isemifused(" + first + comma + op + comma + tail;
  default:
    return indent + result + "ACIS_Ikernel(" + op + comma + first + comma + tail;
  }
}

std::string ChainText::call(const Captures &captured, const InlinedBody &inlined,
                            const std::vector<Array> &arrays, const std::string &indent) const {
  std::string text, inner = candidate.wrapper ? indent + "  " : indent;
  // Its arguments mean what they mean here, not between the braces of an inlined body.
  if (candidate.wrapper && candidate.kind == Kind::Fused)
    text += indent + "ACIS_Coll " + second + " = " + descriptor(candidate.second) + ";\n";
  if (inPlace && !inlined.value.empty())
    text += indent + declare(inlined.type, returned, context) + ";\n";
  std::string declared = inner + "MPI_Request " + request + ";\n", made = candidate.opName;
  if (!candidate.wrapper)
    text += declared;
  if (inPlace) {
    text += indent + "auto " + candidate.opName + " = [&]() {\n" + opText(inlined);
    for (const VarDecl *var : captured.declared)
      text +=
          indent + "  acis_out_" + var->getNameAsString() + " = " + var->getNameAsString() + ";\n";
    text += indent + "};\n";
  } else {
    text += indent + "struct " + candidate.opName + " " + args + " = {" + fieldValues(captured) +
            "};\n";
    made += "_run, &" + args;
  }
  for (const std::string &alias : candidate.aliases)
    text += indent + alias + "\n";
  text += inlined.open;
  if (candidate.wrapper)
    text += declared;
  if (inlined.hasOwn() && inPlace) {
    made = candidate.opName + "_behind";
    text += inner + "auto " + made + " = [&]() {\n" + inlined.tail;
    if (!inlined.value.empty())
      text += inner + "  " + returned + " = " + inlined.value + ";\n";
    text += inner + "  " + candidate.opName + "();\n" + inner + "};\n";
  } else if (inlined.hasOwn()) {
    for (const VarDecl *var : inlined.locals)
      text += inner + args + ".acis_local_" + var->getNameAsString() + " = &" +
              var->getNameAsString() + ";\n";
  }
  text += arrayTable(arrays, inner) + cccf(made, inlined.assigned, arrays.size(), inner);
  if (candidate.wrapper)
    text += inner + wait() + "\n" + inlined.close;
  return text;
}

} // namespace acis::rewriter
