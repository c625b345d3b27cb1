#include "compiler/rewriter/HandlerText.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace acis::rewriter {
namespace {

std::string numbered(const char *name, unsigned number) { return name + std::to_string(number); }

} // namespace

uint64_t HandlerText::sizeOf(const Cargo &cargo) const {
  return context.getTypeSizeInChars(cargo.element).getQuantity();
}

std::string HandlerText::elementName(const Cargo &cargo) const {
  std::string name = printer.declare(cargo.element, "");
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

/// All numbers of an array, of however many dimensions, one after the other.
std::string HandlerText::flat(const Cargo &cargo, const std::string &start) const {
  bool hasRows = context.getAsArrayType(cargo.type)->getElementType()->isArrayType();
  return (hasRows ? "((" + elementName(cargo) + " *)" + cargo.name + ")" : cargo.name) + "[" +
         (start.empty() ? "" : start + " + ") + "acis_k]";
}

void HandlerText::describe(Role role, const Cargo &cargo) {
  Array array;
  array.role = role;
  array.name = cargo.base;
  array.type = cargo.element.getAsString();
  array.bytes = cargo.count * sizeOf(cargo);
  array.size = cargo.size;
  array.object = cargo.object;
  array.used = cargo.used.empty() ? std::to_string(*array.bytes) : cargo.used;
  arrays.push_back(std::move(array));
}

void HandlerText::numbers(const std::string &table, const std::vector<std::string> &names) {
  for (size_t i = 0; i < names.size(); i++)
    declarations += "  int64_t " + names[i] + " = ((const int64_t *)acis_mem)[" +
                    std::to_string(memory / 8 + i) + "];\n";
  Cargo cargo{"", table, context.LongLongTy, context.LongLongTy, names.size(), "", "", 1};
  describe(Role::Inbound, cargo);
  memory += (names.size() * 8 + 63) / 64 * 64;
}

void HandlerText::declare(const Cargo &cargo, const std::string &initial, bool isShared) {
  std::string text = printer.declare(cargo.type.getUnqualifiedType(), cargo.name);
  if (isShared)
    shared += "static " + text + ";\n";
  else
    declarations += "  " + text + (initial.empty() ? "" : " = " + initial) + ";\n";
  if (isShared && !initial.empty())
    loads += "  " + cargo.name + " = " + initial + ";\n";
}

void HandlerText::fill(const Cargo &cargo, const std::string &count, const std::string &value,
                       const std::string &start) {
  if (isArray(cargo))
    loads += "  for (int64_t acis_k = 0; acis_k < " + count + "; acis_k++)\n    " +
             flat(cargo, start) + " = " + value + ";\n";
  else
    loads += "  " + cargo.name + " = " + value + ";\n";
}

void HandlerText::inbound(const Cargo &cargo) {
  std::string from = "((const " + elementName(cargo) + " *)((const char *)acis_mem + " +
                     std::to_string(memory) + "))[" + (isArray(cargo) ? "acis_k" : "0") + "]";
  fill(cargo, std::to_string(cargo.count), from);
  describe(Role::Inbound, cargo);
  memory += (cargo.count * sizeOf(cargo) + 63) / 64 * 64;
}

void HandlerText::received(const Cargo &cargo, const std::string &count, const std::string &start) {
  inType = elementName(cargo);
  fill(cargo, count, isArray(cargo) ? "acis_in[acis_k]" : "acis_in[0]", start);
  describe(Role::StreamIn, cargo);
}

void HandlerText::output(const Cargo &cargo, Role role, const std::string &count,
                         const std::string &start) {
  std::string to = numbered("acis_to", numOutputs);
  std::string from = numOutputs ? numbered("acis_to", numOutputs - 1) : "acis_out";
  outputs +=
      "  " + elementName(cargo) + " *" + to + " = (" + elementName(cargo) + " *)" + from + ";\n";
  if (isArray(cargo))
    outputs += "  for (int64_t acis_k = 0; acis_k < " + count + "; acis_k++)\n    *" + to +
               "++ = " + flat(cargo, start) + ";\n";
  else
    outputs += "  *" + to + "++ = " + cargo.name + ";\n";
  numOutputs++;
  describe(role, cargo);
}

std::string HandlerText::text(const std::vector<const Stmt *> &op, const std::string &before) {
  std::string statements = before;
  for (const Stmt *stmt : op)
    statements += printer.print(stmt);
  return "#include <acis.h>\n#include <math.h>\n#include <stdbool.h>\n"
         "#include <stdlib.h>\n#include <string.h>\n" +
         shared + printer.functions() + "ACIS_HANDLER void op(const " + inType +
         " *restrict acis_in, void *restrict acis_out,\n    const void *restrict acis_mem, "
         "uint32_t *acis_len) {\n" +
         declarations + loads + statements + outputs + "}\n";
}

} // namespace acis::rewriter
