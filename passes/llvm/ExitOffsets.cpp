// Walks from each address over its GEPs to the array, which the loop does not change.
#include "passes/llvm/ExitOffsets.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace acis {
namespace {

/// The array that all addresses of the phi lead into, or null.
Value *arrayOf(const PHINode &phi, const Loop &loop) {
  Value *array = nullptr;
  for (Value *value : phi.incoming_values()) {
    while (auto *gep = dyn_cast<GEPOperator>(value))
      value = gep->getPointerOperand();
    if (!loop.isLoopInvariant(value) || (array && array != value))
      return nullptr;
    array = value;
  }
  return array;
}

Value *offsetOf(Value *address, IRBuilder<> &builder, const DataLayout &data) {
  Value *offset = ConstantInt::get(data.getIndexType(address->getType()), 0);
  while (auto *gep = dyn_cast<GEPOperator>(address)) {
    offset = builder.CreateAdd(offset, emitGEPOffset(&builder, data, gep));
    address = gep->getPointerOperand();
  }
  return offset;
}

/// What is known to divide the offsets stays known when it is divided out: log2, of 8 at most.
unsigned commonZeros(const PHINode &offset, const DataLayout &data) {
  unsigned zeros = 3;
  for (Value *value : offset.incoming_values())
    zeros = std::min(zeros, computeKnownBits(value, data).countMinTrailingZeros());
  return zeros;
}

void handOnOffset(PHINode &phi, Value *array) {
  const DataLayout &data = phi.getDataLayout();
  IRBuilder<> builder(&phi);
  PHINode *index = builder.CreatePHI(data.getIndexType(phi.getType()), phi.getNumIncomingValues(),
                                     phi.getName() + ".index");
  for (auto [value, from] : zip_equal(phi.incoming_values(), phi.blocks())) {
    builder.SetInsertPoint(from->getTerminator());
    index->addIncoming(offsetOf(value, builder, data), from);
  }
  const unsigned zeros = commonZeros(*index, data);
  for (unsigned i = 0; i < index->getNumIncomingValues(); ++i) {
    builder.SetInsertPoint(index->getIncomingBlock(i)->getTerminator());
    index->setIncomingValue(
        i, builder.CreateLShr(index->getIncomingValue(i), zeros, "", /*isExact=*/true));
  }
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(phi.getDebugLoc());
  Value *address = builder.CreateGEP(builder.getIntNTy(8u << zeros), array, index);
  address->takeName(&phi);
  phi.replaceAllUsesWith(address);
  phi.eraseFromParent();
}

} // namespace

void handOnOffsets(Loop &loop) {
  SmallVector<BasicBlock *, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock *exit : exits)
    for (PHINode &phi : make_early_inc_range(exit->phis()))
      if (phi.getType()->isPointerTy())
        if (Value *array = arrayOf(phi, loop))
          handOnOffset(phi, array);
}

} // namespace acis
