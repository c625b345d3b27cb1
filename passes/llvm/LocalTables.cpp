// See LocalTables.h.
#include "passes/llvm/LocalTables.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acis {
namespace {

/// The elements of an array of arrays, one type for all; 0 if there is none.
uint64_t countElements(Type *type, Type *&element) {
  uint64_t count = 1;
  while (auto *array = dyn_cast<ArrayType>(type)) {
    count *= array->getNumElements();
    type = array->getElementType();
  }
  element = type;
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() ? count : 0;
}

/// Byte offset of an address within the array, nullopt if it is not a constant one.
std::optional<uint64_t> offsetIn(const AllocaInst &array, const Value *pointer) {
  const DataLayout &layout = array.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true) !=
      &array)
    return std::nullopt;
  return offset.getZExtValue();
}

/// Stores of constants to the array that directly follow its fill.
SmallVector<StoreInst *, 8> storesAfter(MemSetInst &fill, const AllocaInst &array, Type *element) {
  SmallVector<StoreInst *, 8> stores;
  uint64_t size = array.getDataLayout().getTypeAllocSize(element);
  for (Instruction *inst = fill.getNextNode(); inst; inst = inst->getNextNode()) {
    auto *store = dyn_cast<StoreInst>(inst);
    if (!store && !inst->mayReadOrWriteMemory())
      continue;
    std::optional<uint64_t> at =
        store ? offsetIn(array, store->getPointerOperand()) : std::optional<uint64_t>();
    if (!at || *at % size || store->isVolatile() ||
        store->getValueOperand()->getType() != element ||
        !isa<ConstantInt, ConstantFP>(store->getValueOperand()))
      break;
    stores.push_back(store);
  }
  return stores;
}

bool gather(MemSetInst &fill) {
  auto *array = dyn_cast<AllocaInst>(fill.getRawDest());
  auto *byte = dyn_cast<ConstantInt>(fill.getValue());
  auto *length = dyn_cast<ConstantInt>(fill.getLength());
  if (!array || !array->isStaticAlloca() || !byte || !byte->isZero() || !length)
    return false;
  Type *element = nullptr;
  uint64_t count = countElements(array->getAllocatedType(), element);
  const DataLayout &layout = array->getDataLayout();
  if (!count || length->getZExtValue() != layout.getTypeAllocSize(array->getAllocatedType()))
    return false;
  SmallVector<StoreInst *, 8> stores = storesAfter(fill, *array, element);
  if (stores.empty())
    return false;
  SmallVector<Constant *, 64> elements(count, Constant::getNullValue(element));
  for (StoreInst *store : stores)
    elements[*offsetIn(*array, store->getPointerOperand()) / layout.getTypeAllocSize(element)] =
        cast<Constant>(store->getValueOperand());
  Constant *initial = ConstantArray::get(ArrayType::get(element, count), elements);
  auto *table =
      new GlobalVariable(*fill.getModule(), initial->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, initial, array->getName() + ".initial");
  IRBuilder<> builder(&fill);
  builder.CreateMemCpy(array, array->getAlign(), table, layout.getABITypeAlign(element),
                       length->getZExtValue());
  for (StoreInst *store : stores)
    store->eraseFromParent();
  fill.eraseFromParent();
  return true;
}

} // namespace

bool gatherLocalTables(Function &handler) {
  SmallVector<MemSetInst *, 4> fills;
  for (Instruction &inst : instructions(handler))
    if (auto *fill = dyn_cast<MemSetInst>(&inst))
      fills.push_back(fill);
  bool changed = false;
  for (MemSetInst *fill : fills)
    changed |= gather(*fill);
  return changed;
}

} // namespace acis
