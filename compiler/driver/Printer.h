// Prints Diagnostic values the way clang prints its own: place, message, the source
// line and a caret.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace llvm {
class MemoryBuffer;
class raw_ostream;
} // namespace llvm

namespace acis::driver {

class Printer {
public:
  Printer(llvm::raw_ostream &out, bool color);
  ~Printer();

  /// The lines of a file are those of `text`.
  void keep(const std::string &name, const std::string &text);
  void print(const Diagnostic &diag);
  void print(const Diagnostics &diags);

private:
  void printOne(const Diagnostic &diag);
  void printSource(const Diagnostic &diag);
  /// Text of one line of a file, or null when it cannot be read.
  const llvm::MemoryBuffer *file(const std::string &name);

  llvm::raw_ostream &out;
  bool color;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
};

} // namespace acis::driver
