// The mark is a function attribute, so that a handler in textual IR needs one word.
#include "passes/llvm/Handlers.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acis {

bool isHandler(const Function &function) { return function.hasFnAttribute("acis.handler"); }

SmallVector<Function *, 4> handlersOf(Module &module) {
  SmallVector<Function *, 4> handlers;
  for (Function &function : module)
    if (isHandler(function) && !function.isDeclaration())
      handlers.push_back(&function);
  return handlers;
}

} // namespace acis
