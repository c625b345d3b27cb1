// See Aggregates.h.
#include "passes/llvm/objects/Aggregates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// A number of an aggregate.
struct Element {
  SmallVector<unsigned, 2> indices;
  Type *type = nullptr;
  uint64_t offset = 0;
};

void addElements(Type *type, Element at, const DataLayout &data, SmallVectorImpl<Element> &found) {
  auto step = [&](unsigned index, Type *inner, uint64_t offset) {
    Element next = at;
    next.indices.push_back(index);
    next.offset += offset;
    addElements(inner, std::move(next), data, found);
  };
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t bytes = data.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      step(i, array->getElementType(), i * bytes);
  } else if (auto *record = dyn_cast<StructType>(type)) {
    const StructLayout &layout = *data.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      step(i, record->getElementType(i), layout.getElementOffset(i));
  } else {
    at.type = type;
    found.push_back(std::move(at));
  }
}

void split(Instruction &access, Value &pointer, Type *type, Align alignment) {
  SmallVector<Element, 4> elements;
  addElements(type, {}, access.getDataLayout(), elements);
  IRBuilder<> builder(&access);
  auto *store = dyn_cast<StoreInst>(&access);
  Value *whole = store ? store->getValueOperand() : PoisonValue::get(type);
  for (const Element &element : elements) {
    Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &pointer, element.offset);
    const Align at = commonAlignment(alignment, element.offset);
    if (store)
      builder.CreateAlignedStore(builder.CreateExtractValue(whole, element.indices), place, at);
    else
      whole = builder.CreateInsertValue(whole, builder.CreateAlignedLoad(element.type, place, at),
                                        element.indices);
  }
  if (!store)
    access.replaceAllUsesWith(whole);
  access.eraseFromParent();
}

} // namespace

bool splitAggregates(Function &handler) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(handler))) {
    Value *pointer = getLoadStorePointerOperand(&inst);
    Type *type = pointer ? getLoadStoreType(&inst) : nullptr;
    if (!type || !type->isAggregateType() || inst.isVolatile())
      continue;
    split(inst, *pointer, type, getLoadStoreAlignment(&inst));
    isChanged = true;
  }
  return isChanged;
}

} // namespace acis
