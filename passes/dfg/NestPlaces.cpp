#include "passes/dfg/NestPlaces.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace acis::dfg {

std::string calleeOf(HandlerOp handler, llvm::StringRef nest) {
  return ("acis.nest." + handler.getSymName() + "." + nest).str();
}

llvm::StringMap<Lifetime> nestPlaces(const llvm::Function &control) {
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
  for (auto part = llvm::scc_begin(&control); !part.isAtEnd(); ++part) {
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
  llvm::StringMap<Lifetime> places;
  for (auto [index, names] : llvm::enumerate(llvm::reverse(reversed)))
    for (llvm::StringRef name : names) {
      const Lifetime here{unsigned(index), unsigned(index)};
      places.try_emplace(name, here).first->second.add(here);
    }
  return places;
}

llvm::StringMap<Lifetime> arrayLifetimes(HandlerOp handler, const llvm::Function &control) {
  const llvm::StringMap<Lifetime> places = nestPlaces(control);
  llvm::StringMap<Lifetime> lives;
  for (auto nest : handler.getOps<NestOp>()) {
    auto place = places.find(calleeOf(handler, nest.getSymName()));
    if (place == places.end())
      continue;
    nest.walk([&](mlir::Operation *op) {
      if (auto array = op->getAttrOfType<mlir::FlatSymbolRefAttr>("array"))
        lives.try_emplace(array.getValue(), place->second).first->second.add(place->second);
    });
  }
  for (auto array : handler.getOps<ArrayOp>())
    if (array.getPersistent())
      lives.erase(array.getSymName());
  return lives;
}

} // namespace acis::dfg
