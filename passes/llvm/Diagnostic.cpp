// Places of refusals, from debug information.
#include "passes/llvm/Diagnostic.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace acis {

Diagnostic Diagnostic::at(const llvm::Function &function, Refusal refusal, Severity severity) {
  Diagnostic diag;
  diag.handler = function.getName().str();
  if (const llvm::DISubprogram *subprogram = function.getSubprogram()) {
    diag.file = subprogram->getFilename().str();
    diag.line = subprogram->getLine();
  }
  diag.severity = severity;
  diag.refusal = std::move(refusal);
  return diag;
}

Diagnostic Diagnostic::at(const llvm::Instruction &instruction, Refusal refusal,
                          Severity severity) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  if (!location || location->getLine() == 0)
    return at(*instruction.getFunction(), std::move(refusal), severity);
  Diagnostic diag;
  diag.handler = instruction.getFunction()->getName().str();
  diag.file = location->getFilename().str();
  diag.line = location->getLine();
  diag.column = location->getColumn();
  diag.severity = severity;
  diag.refusal = std::move(refusal);
  // Inlined code: say where it was called from, innermost first.
  for (location = location->getInlinedAt(); location; location = location->getInlinedAt()) {
    Diagnostic caller;
    caller.file = location->getFilename().str();
    caller.line = location->getLine();
    caller.column = location->getColumn();
    caller.refusal = Refusal(Why::Said, "called from here");
    diag.note(std::move(caller));
  }
  return diag;
}

std::string placeText(const std::string &file, unsigned line, unsigned column) {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string Diagnostic::text() const {
  std::string text = textOf(refusal);
  if (instead == Instead::ScalarUnit)
    text += " (the scalar unit runs it, which is slow)";
  if (instead == Instead::ScalarUnitIfAsked)
    text += " (with --scalar-loops the scalar unit runs it, which is slow)";
  if (instead == Instead::InnerLoops)
    text += " (the scalar unit runs it and launches the loops in it)";
  return text;
}

} // namespace acis
