// Makes values of the numbers that places consist of.
#pragma once

#include "passes/llvm/objects/Places.h"

#include "llvm/IR/IRBuilder.h"

namespace acis {

class Emitter {
public:
  Emitter(Places &places, llvm::Type *numberType) : places(places), numberType(numberType) {}

  /// The elements that a pointer is in, each computed once, in front of the
  /// pointer.
  llvm::SmallVector<llvm::Value *, 2> numbersOf(llvm::Value &pointer);

  /// At the insertion point, which what the number is made of dominates. `isInObject`: all of its
  /// parts are places in one object, so nothing wraps round.
  llvm::Value *emit(llvm::IRBuilder<> &builder, const Number &number, bool isInObject = false);

  /// Gives joins of numbers what they join.
  void finish();

private:
  llvm::Value *valueOf(const Term &term);
  llvm::Value *optionOf(llvm::Instruction &choice, llvm::Value &option, uint64_t of,
                        llvm::Instruction &at);

  Places &places;
  llvm::Type *numberType;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 2>> byPointer;
  llvm::DenseMap<std::pair<llvm::Value *, uint64_t>, llvm::Value *> byTerm;
  struct Join {
    llvm::PHINode *phi, *made;
    uint64_t of;
  };
  llvm::SmallVector<Join, 4> joins;
};

} // namespace acis
