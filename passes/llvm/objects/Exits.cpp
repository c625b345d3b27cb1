// Addresses into one object or parameter become numbers of the largest elements that all of them
// are whole ones of.
#include "passes/llvm/objects/Classes.h"
#include "passes/llvm/objects/Emitter.h"
#include "passes/llvm/objects/LowerObjects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// What all addresses of the phi are a distance from, which the loop does not
/// change; or null.
Value *baseOf(const PHINode &phi, const Loop &loop) {
  Value *base = nullptr;
  for (Value *value : phi.incoming_values()) {
    Value *leaf = leafOf(*value);
    if (isa<ConstantPointerNull, UndefValue>(leaf) || !loop.isLoopInvariant(leaf) ||
        (base && base != leaf))
      return nullptr;
    base = leaf;
  }
  return base;
}

/// The places of a table of numbers of a size.
struct Numbers {
  Numbers(Value &base, uint64_t size, const DataLayout &data) : places(root, data) {
    root.number = IntegerType::get(base.getContext(), unsigned(8 * size));
    root.stride = size;
    places.start(base, 0);
  }

  Part root;
  Places places;
};

bool number(PHINode &phi, Value &base, uint64_t size) {
  const DataLayout &data = phi.getDataLayout();
  Numbers numbers(base, size, data);
  Places &places = numbers.places;
  if (!all_of(phi.incoming_values(), [&](Value *address) {
        std::optional<Place> place = places.of(*address);
        return place && place->rest == 0;
      }))
    return false;
  Type *type = data.getIndexType(phi.getType());
  Emitter emitter(places, type);
  IRBuilder<> builder(&phi);
  PHINode *index = builder.CreatePHI(type, phi.getNumIncomingValues(), phi.getName() + ".index");
  for (auto [address, from] : zip_equal(phi.incoming_values(), phi.blocks())) {
    builder.SetInsertPoint(from->getTerminator());
    index->addIncoming(emitter.emit(builder, places.of(*address)->numbers.front()), from);
  }
  emitter.finish();
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(phi.getDebugLoc());
  Value *address = builder.CreateGEP(numbers.root.number, &base, index);
  address->takeName(&phi);
  phi.replaceAllUsesWith(address);
  phi.eraseFromParent();
  return true;
}

bool number(const ObjectClass &pointers, uint64_t size) {
  Value &base = *pointers.parameter;
  const DataLayout &data = pointers.choices.front()->getDataLayout();
  Numbers numbers(base, size, data);
  if (!numbers.places.settle(pointers.choices) ||
      any_of(pointers.choices,
             [&](Instruction *choice) { return numbers.places.of(*choice)->rest != 0; }))
    return false;
  Emitter emitter(numbers.places, data.getIndexType(base.getType()));
  SmallVector<Value *, 8> indices;
  for (Instruction *choice : pointers.choices)
    indices.push_back(emitter.numbersOf(*choice).front());
  emitter.finish();
  for (auto [choice, index] : zip_equal(pointers.choices, indices)) {
    IRBuilder<> builder(choice);
    if (isa<PHINode>(choice))
      builder.SetInsertPoint(choice->getParent(), choice->getParent()->getFirstInsertionPt());
    Value *address = builder.CreateInBoundsGEP(numbers.root.number, &base, index);
    address->takeName(choice);
    choice->replaceAllUsesWith(address);
  }
  for (Instruction *choice : pointers.choices)
    choice->eraseFromParent();
  return true;
}

} // namespace

bool numberParameters(Function &handler) {
  bool isChanged = false;
  for (const ObjectClass &pointers : classesOf(&handler))
    if (pointers.parameter && pointers.isChosen && !pointers.hasNull)
      isChanged |= any_of(ArrayRef<uint64_t>{8, 4, 2, 1},
                          [&](uint64_t size) { return number(pointers, size); });
  return isChanged;
}

void numberExits(Loop &loop) {
  SmallVector<BasicBlock *, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock *exit : exits)
    for (PHINode &phi : make_early_inc_range(exit->phis()))
      if (Value *base = phi.getType()->isPointerTy() ? baseOf(phi, loop) : nullptr)
        for (uint64_t size : {8, 4, 2, 1})
          if (number(phi, *base, size))
            break;
}

} // namespace acis
