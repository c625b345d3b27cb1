// See Transforms.h.
#include "passes/llvm/Transforms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace acis {
namespace {

/// Adds all numbers in a constant to a range. False: one of them is no number of that type.
bool addNumbers(const Constant &constant, Type &type, ConstantRange &range) {
  if (auto *number = dyn_cast<ConstantInt>(&constant)) {
    range = range.unionWith(ConstantRange(number->getValue()));
    return number->getType() == &type;
  }
  if (auto *numbers = dyn_cast<ConstantDataSequential>(&constant)) {
    if (numbers->getElementType() != &type)
      return false;
    for (unsigned i = 0; i < numbers->getNumElements(); ++i)
      range = range.unionWith(ConstantRange(numbers->getElementAsAPInt(i)));
    return true;
  }
  if (constant.isNullValue()) {
    Type *element = constant.getType();
    while (element->isArrayTy())
      element = element->getArrayElementType();
    range = range.unionWith(ConstantRange(APInt::getZero(range.getBitWidth())));
    return element == &type;
  }
  auto *parts = dyn_cast<ConstantArray>(&constant);
  return parts && all_of(parts->operands(), [&](const Use &part) {
           return addNumbers(*cast<Constant>(part.get()), type, range);
         });
}

ConstantRange rangeOf(const GlobalVariable &table, Type &type) {
  const unsigned width = type.getIntegerBitWidth();
  ConstantRange range = ConstantRange::getEmpty(width);
  return addNumbers(*table.getInitializer(), type, range) ? range : ConstantRange::getFull(width);
}

} // namespace

bool boundTables(Function &handler) {
  DenseMap<std::pair<const Value *, Type *>, ConstantRange> known;
  bool isChanged = false;
  for (Instruction &inst : instructions(handler)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (!load || !load->getType()->isIntegerTy())
      continue;
    auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
    if (!table || !table->isConstant() || !table->hasDefinitiveInitializer())
      continue;
    auto place = known.find({table, load->getType()});
    if (place == known.end())
      place = known.insert({{table, load->getType()}, rangeOf(*table, *load->getType())}).first;
    const ConstantRange &range = place->second;
    if (range.isFullSet() || range.isEmptySet())
      continue;
    load->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(load->getContext()).createRange(range.getLower(), range.getUpper()));
    isChanged = true;
  }
  return isChanged;
}

} // namespace acis
