// Places of messages, from debug information.
#include "passes/llvm/Diagnostic.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace acis {

Diagnostic Diagnostic::at(const llvm::Function &function, std::string message, Severity severity) {
  Diagnostic diag;
  if (const llvm::DISubprogram *subprogram = function.getSubprogram()) {
    diag.file = subprogram->getFilename().str();
    diag.line = subprogram->getLine();
  }
  diag.severity = severity;
  diag.message = std::move(message);
  return diag;
}

Diagnostic Diagnostic::at(const llvm::Instruction &instruction, std::string message,
                          Severity severity) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  if (!location || location->getLine() == 0)
    return at(*instruction.getFunction(), std::move(message), severity);
  Diagnostic diag;
  diag.file = location->getFilename().str();
  diag.line = location->getLine();
  diag.column = location->getColumn();
  diag.severity = severity;
  diag.message = std::move(message);
  // Inlined code: say where it was called from, innermost first.
  for (location = location->getInlinedAt(); location; location = location->getInlinedAt()) {
    Diagnostic caller;
    caller.file = location->getFilename().str();
    caller.line = location->getLine();
    caller.column = location->getColumn();
    caller.message = "called from here";
    diag.note(std::move(caller));
  }
  return diag;
}

} // namespace acis
