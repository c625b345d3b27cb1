// Passes merge or drop places; a neighbour's line is better than none.
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace acis {

Diagnostic diagnose(const llvm::Instruction &where, std::string message) {
  for (const llvm::Instruction *next = &where; next; next = next->getNextNode())
    if (next->getDebugLoc() && next->getDebugLoc().getLine() != 0)
      return Diagnostic::at(*next, std::move(message));
  return Diagnostic::at(where, std::move(message));
}

Diagnostic diagnose(const llvm::Loop &where, std::string message) {
  llvm::DebugLoc start = where.getStartLoc();
  if (!start || start.getLine() == 0)
    return diagnose(where.getHeader()->front(), std::move(message));
  Diagnostic diagnostic;
  diagnostic.file = start->getFilename().str();
  diagnostic.line = start.getLine();
  diagnostic.column = start.getCol();
  diagnostic.message = std::move(message);
  return diagnostic;
}

Diagnostic diagnose(const llvm::Function &where, std::string message) {
  return Diagnostic::at(where, std::move(message));
}

std::string render(const Diagnostic &diagnostic) {
  constexpr const char *severities[] = {"error", "warning", "remark", "note"};
  std::string text;
  if (!diagnostic.file.empty())
    text = diagnostic.file + ":";
  if (diagnostic.line != 0)
    text += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ":";
  if (!text.empty())
    text += " ";
  text += std::string(severities[unsigned(diagnostic.severity)]) + ": " + diagnostic.message + "\n";
  for (const Diagnostic &note : diagnostic.notes)
    text += render(note);
  return text;
}

} // namespace acis
