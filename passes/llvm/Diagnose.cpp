// Passes merge or drop places; a neighbour's line is better than none.
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace acis {

static const llvm::Instruction *nearest(const llvm::Instruction &inst) {
  auto hasLine = [](const llvm::Instruction *candidate) {
    return candidate->getDebugLoc() && candidate->getDebugLoc().getLine() != 0;
  };
  for (const llvm::Instruction *next = &inst; next; next = next->getNextNode())
    if (hasLine(next))
      return next;
  for (const llvm::Instruction *previous = &inst; previous; previous = previous->getPrevNode())
    if (hasLine(previous))
      return previous;
  return nullptr;
}

const llvm::DILocation *nearestPlace(const llvm::Instruction &inst) {
  const llvm::Instruction *found = nearest(inst);
  return found ? found->getDebugLoc().get() : nullptr;
}

Diagnostic diagnose(const llvm::Instruction &where, Refusal refusal) {
  const llvm::Instruction *found = nearest(where);
  return Diagnostic::at(found ? *found : where, std::move(refusal));
}

Diagnostic diagnose(const llvm::Loop &where, Refusal refusal) {
  llvm::DebugLoc start = where.getStartLoc();
  if (!start || start.getLine() == 0)
    return diagnose(where.getHeader()->front(), std::move(refusal));
  Diagnostic diagnostic;
  diagnostic.handler = where.getHeader()->getParent()->getName().str();
  diagnostic.file = start->getFilename().str();
  diagnostic.line = start.getLine();
  diagnostic.column = start.getCol();
  diagnostic.refusal = std::move(refusal);
  return diagnostic;
}

Diagnostic diagnose(const llvm::Function &where, Refusal refusal) {
  return Diagnostic::at(where, std::move(refusal));
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
  text += std::string(severities[unsigned(diagnostic.severity)]) + ": " + diagnostic.text() + "\n";
  for (const Diagnostic &note : diagnostic.notes)
    text += render(note);
  return text;
}

} // namespace acis
