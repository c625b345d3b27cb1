// See InitialTables.h.
#include "passes/llvm/objects/InitialTables.h"

#include "passes/llvm/objects/Places.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis {
namespace {

/// Which element of the array a store gives a constant, nullopt if it does something else.
std::optional<int64_t> elementOf(const Instruction &inst, Places &places) {
  auto *store = dyn_cast<StoreInst>(&inst);
  if (!store || store->isVolatile() || !isa<ConstantInt, ConstantFP>(store->getValueOperand()))
    return std::nullopt;
  std::optional<Place> place = places.of(*const_cast<Value *>(store->getPointerOperand()));
  if (!place || place->rest != 0 || place->numbers.front().constant < 0 ||
      !place->numbers.front().terms.empty() ||
      place->part().number != store->getValueOperand()->getType())
    return std::nullopt;
  return place->numbers.front().constant;
}

bool gather(MemSetInst &fill) {
  auto *array = dyn_cast<AllocaInst>(fill.getRawDest());
  auto *length = dyn_cast<ConstantInt>(fill.getLength());
  const DataLayout &data = fill.getDataLayout();
  std::unique_ptr<Layout> layout = array ? Layout::of(array->getAllocatedType(), data) : nullptr;
  if (!layout || !layout->root.number || !array->isStaticAlloca() ||
      !match(fill.getValue(), PatternMatch::m_Zero()) || !length ||
      length->getZExtValue() != layout->root.count * layout->root.stride)
    return false;
  Places places(layout->root, data);
  places.start(*array, 0);
  Type *type = layout->root.number;
  SmallVector<Constant *, 64> elements(layout->root.count, Constant::getNullValue(type));
  SmallVector<Instruction *, 8> gathered;
  for (Instruction *inst = fill.getNextNode(); inst; inst = inst->getNextNode())
    if (std::optional<int64_t> element = elementOf(*inst, places)) {
      elements[size_t(*element)] = cast<Constant>(cast<StoreInst>(inst)->getValueOperand());
      gathered.push_back(inst);
    } else if (inst->mayReadOrWriteMemory()) {
      break;
    }
  if (gathered.empty())
    return false;
  Constant *initial = ConstantArray::get(ArrayType::get(type, layout->root.count), elements);
  auto *table =
      new GlobalVariable(*fill.getModule(), initial->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, initial, array->getName() + ".initial");
  IRBuilder<>(&fill).CreateMemCpy(array, array->getAlign(), table, data.getABITypeAlign(type),
                                  length->getZExtValue());
  for (Instruction *store : gathered)
    store->eraseFromParent();
  fill.eraseFromParent();
  return true;
}

} // namespace

bool gatherInitialTables(Function &handler) {
  SmallVector<MemSetInst *, 4> fills;
  for (Instruction &inst : instructions(handler))
    if (auto *fill = dyn_cast<MemSetInst>(&inst))
      fills.push_back(fill);
  return count_if(fills, [](MemSetInst *fill) { return gather(*fill); }) != 0;
}

} // namespace acis
