// The handler of an op while it is put together: what lies where in its memory, stream and output,
// and the table of arrays that says the same to the host.
#pragma once

#include "compiler/rewriter/OpPrint.h"

namespace acis::rewriter {

/// An array or a number of the op as the handler moves it.
struct Cargo {
  std::string name;     ///< of the handler's variable
  std::string base;     ///< address in the program
  clang::QualType type; ///< of the variable; an array has as many numbers as `count`
  clang::QualType element;
  uint64_t count = 1;  ///< of numbers, or room for so many
  std::string size;    ///< bytes as an expression of the program, for a buffer of a collective
  std::string used;    ///< bytes that are used; empty: all
  unsigned object = 0; ///< of the array
};

class HandlerText {
public:
  HandlerText(const clang::ASTContext &context, OpPrinter &printer)
      : context(context), printer(printer) {}

  /// At the start of the memory: numbers that the program computes for the handler.
  void numbers(const std::string &table, const std::vector<std::string> &names);
  void declare(const Cargo &cargo, const std::string &initial, bool isShared);
  void inbound(const Cargo &cargo);
  /// From the packet; `count` elements, at element `start`.
  void received(const Cargo &cargo, const std::string &count, const std::string &start = "");
  void clear(const Cargo &cargo) { fill(cargo, std::to_string(cargo.count), "0"); }
  void output(const Cargo &cargo, Role role, const std::string &count,
              const std::string &start = "");
  bool hasOutput() const { return !outputs.empty(); }
  bool hasStream() const { return !inType.empty(); }

  /// `before` is text that goes before the statements.
  std::string text(const std::vector<const clang::Stmt *> &op, const std::string &before);
  std::vector<Array> arrays;
  uint64_t memoryBytes() const { return memory; }

private:
  bool isArray(const Cargo &cargo) const { return cargo.type->isArrayType(); }
  uint64_t sizeOf(const Cargo &cargo) const;
  std::string elementName(const Cargo &cargo) const;
  std::string flat(const Cargo &cargo, const std::string &start = "") const;
  void fill(const Cargo &cargo, const std::string &count, const std::string &value,
            const std::string &start = "");
  void describe(Role role, const Cargo &cargo);

  const clang::ASTContext &context;
  OpPrinter &printer;
  std::string shared, declarations, loads, outputs, inType;
  uint64_t memory = 0;
  unsigned numOutputs = 0;
};

} // namespace acis::rewriter
