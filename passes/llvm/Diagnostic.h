// What is said about the user's program as values; the driver prints them.
#pragma once

#include "backend/support/Refusal.h"

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

/// What becomes of a loop that was refused.
enum class Instead : uint8_t {
  Nothing,
  ScalarUnit,        ///< runs it
  InnerLoops,        ///< are launched by the scalar unit, which runs it
  ScalarUnitIfAsked, ///< would run it with --scalar-loops
};

/// One refusal or word at a place, and the notes that belong to it. `line` 0: no place is known.
struct Diagnostic {
  std::string file;
  unsigned line = 0, column = 0;
  Severity severity = Severity::Error;
  Refusal refusal;
  Instead instead = Instead::Nothing;
  std::string handler; ///< that it is about, if it is about one
  std::string nest;    ///< "handler/nest", the same
  std::vector<Diagnostic> notes;

  static Diagnostic at(const llvm::Function &function, Refusal refusal,
                       Severity severity = Severity::Error);
  /// The place of the instruction, or of its function when it has none.
  static Diagnostic at(const llvm::Instruction &instruction, Refusal refusal,
                       Severity severity = Severity::Error);
  /// The line that is printed: lower case, no full stop.
  std::string text() const;
  Diagnostic &note(Diagnostic other) {
    other.severity = Severity::Note;
    notes.push_back(std::move(other));
    return *this;
  }
};

using Diagnostics = std::vector<Diagnostic>;

/// "file:line:column"
std::string placeText(const std::string &file, unsigned line, unsigned column);

inline bool hasError(const Diagnostics &diags) {
  for (const Diagnostic &diag : diags)
    if (diag.severity == Severity::Error)
      return true;
  return false;
}

} // namespace acis
