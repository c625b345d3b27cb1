#include "backend/codegen/Lifetimes.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace acis::codegen {

llvm::StringMap<regalloc::Lifetime> nestPlaces(const llvm::Function &function) {
  // Strongly connected parts come in reverse order of execution. In a part without a
  // cycle every call has a place of its own, in the order of its block.
  llvm::SmallVector<llvm::SmallVector<llvm::StringRef, 4>, 8> reversed;
  auto nestsOf = [](const llvm::BasicBlock &block) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    for (const llvm::Instruction &instr : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instr))
        if (const llvm::Function *callee = call->getCalledFunction();
            callee && callee->getName().starts_with("acis.nest."))
          names.push_back(callee->getName());
    return names;
  };
  for (auto part = llvm::scc_begin(&function); !part.isAtEnd(); ++part) {
    if (part.hasCycle()) {
      llvm::SmallVector<llvm::StringRef, 4> all;
      for (const llvm::BasicBlock *block : *part)
        all.append(nestsOf(*block));
      reversed.push_back(all);
    } else {
      llvm::SmallVector<llvm::StringRef, 4> names = nestsOf(*part->front());
      for (llvm::StringRef name : llvm::reverse(names))
        reversed.push_back({name});
    }
  }
  llvm::StringMap<regalloc::Lifetime> places;
  for (auto [index, names] : llvm::enumerate(llvm::reverse(reversed)))
    for (llvm::StringRef name : names) {
      auto [it, isNew] = places.try_emplace(name);
      if (isNew)
        it->second.first = index;
      it->second.last = index;
    }
  return places;
}

} // namespace acis::codegen
