// The table is one of the largest numbers that all addresses are a whole number
// of.
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

bool number(PHINode &phi, Value &base, uint64_t size) {
  const DataLayout &data = phi.getDataLayout();
  Part root;
  root.number = IntegerType::get(phi.getContext(), unsigned(8 * size));
  root.stride = size;
  Places places(root, data);
  places.start(base, 0);
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
  Value *address = builder.CreateGEP(root.number, &base, index);
  address->takeName(&phi);
  phi.replaceAllUsesWith(address);
  phi.eraseFromParent();
  return true;
}

} // namespace

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
