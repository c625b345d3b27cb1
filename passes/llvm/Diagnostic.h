// Messages about the user's program as values; the driver prints them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class DebugLoc;
class Function;
class Instruction;
} // namespace llvm

namespace acis {

enum class Severity : uint8_t { Error, Warning, Remark, Note };

/// One message and the notes that belong to it. `line` 0: no place is known.
struct Diagnostic {
  std::string file;
  unsigned line = 0, column = 0;
  Severity severity = Severity::Error;
  std::string message; ///< lower case, no full stop
  std::string nest;    ///< "handler/nest" that it is about, if it is about one
  std::vector<Diagnostic> notes;

  static Diagnostic at(const llvm::Function &function, std::string message,
                       Severity severity = Severity::Error);
  /// The place of the instruction, or of its function when it has none.
  static Diagnostic at(const llvm::Instruction &instruction, std::string message,
                       Severity severity = Severity::Error);
  Diagnostic &note(Diagnostic other) {
    other.severity = Severity::Note;
    notes.push_back(std::move(other));
    return *this;
  }
};

using Diagnostics = std::vector<Diagnostic>;

inline bool hasError(const Diagnostics &diags) {
  for (const Diagnostic &diag : diags)
    if (diag.severity == Severity::Error)
      return true;
  return false;
}

} // namespace acis
