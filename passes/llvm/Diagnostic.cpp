// Places of instructions, loops and functions from their debug information.
#include "passes/llvm/Diagnostic.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace acis {

std::string Diagnostic::str() const {
  std::string place;
  if (!file.empty())
    place = file + ":";
  if (line != 0)
    place += std::to_string(line) + ":" + std::to_string(column) + ":";
  return place.empty() ? "error: " + message : place + " error: " + message;
}

Diagnostic diagnose(const llvm::DebugLoc &where, std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  if (const llvm::DILocation *location = where.get()) {
    diagnostic.file = location->getFilename().str();
    diagnostic.line = location->getLine();
    diagnostic.column = location->getColumn();
  }
  return diagnostic;
}

Diagnostic diagnose(const llvm::Instruction &where, std::string message) {
  if (where.getDebugLoc() && where.getDebugLoc().getLine() != 0)
    return diagnose(where.getDebugLoc(), std::move(message));
  // Passes merge or drop locations; a neighbour's line is better than none.
  for (const llvm::Instruction *next = &where; next; next = next->getNextNode())
    if (next->getDebugLoc() && next->getDebugLoc().getLine() != 0)
      return diagnose(next->getDebugLoc(), std::move(message));
  return diagnose(*where.getFunction(), std::move(message));
}

Diagnostic diagnose(const llvm::Loop &where, std::string message) {
  if (llvm::DebugLoc start = where.getStartLoc(); start && start.getLine() != 0)
    return diagnose(start, std::move(message));
  return diagnose(where.getHeader()->front(), std::move(message));
}

Diagnostic diagnose(const llvm::Function &where, std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  if (const llvm::DISubprogram *subprogram = where.getSubprogram()) {
    diagnostic.file = subprogram->getFilename().str();
    diagnostic.line = subprogram->getLine();
    diagnostic.column = 1;
  } else if (const llvm::Module *module = where.getParent()) {
    diagnostic.file = module->getSourceFileName();
  }
  return diagnostic;
}

} // namespace acis
