// A message about the user's handler, as a value: file, line and text.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class DebugLoc;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace acis {

/// One error in a handler. `message` is lower case, without a full stop: what was found
/// and, where there is one, the way out. `line` is 0 when the place is not known.
struct Diagnostic {
  std::string file;
  unsigned line = 0, column = 0;
  std::string message;

  /// "file:line:column: error: message"
  std::string str() const;
};
using Diagnostics = std::vector<Diagnostic>;

/// The diagnostic at the place of an instruction, a loop (its start) or a function.
Diagnostic diagnose(const llvm::DebugLoc &where, std::string message);
Diagnostic diagnose(const llvm::Instruction &where, std::string message);
Diagnostic diagnose(const llvm::Loop &where, std::string message);
Diagnostic diagnose(const llvm::Function &where, std::string message);

} // namespace acis
