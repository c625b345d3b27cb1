// See InitialValues.h.
#include "passes/import/InitialValues.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace acis::import {
namespace {

/// Arrays, and the structures that Clang makes of those whose last elements are 0.
void gather(const Constant &from, std::vector<APInt> &bits, unsigned width) {
  if (auto *array = dyn_cast<ArrayType>(from.getType())) {
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      gather(*from.getAggregateElement(unsigned(i)), bits, width);
  } else if (auto *parts = dyn_cast<StructType>(from.getType())) {
    for (unsigned i = 0; i < parts->getNumElements(); ++i)
      gather(*from.getAggregateElement(i), bits, width);
  } else if (auto *integer = dyn_cast<ConstantInt>(&from)) {
    bits.push_back(integer->getValue());
  } else if (auto *number = dyn_cast<ConstantFP>(&from)) {
    bits.push_back(number->getValueAPF().bitcastToAPInt());
  } else {
    bits.push_back(APInt::getZero(width));
  }
}

} // namespace

mlir::ElementsAttr initialValues(const Constant &initial, mlir::Type element,
                                 ArrayRef<int64_t> shape) {
  std::vector<APInt> bits;
  gather(initial, bits, element.getIntOrFloatBitWidth());
  auto type = mlir::RankedTensorType::get(shape, element);
  auto number = dyn_cast<mlir::FloatType>(element);
  if (!number)
    return mlir::DenseElementsAttr::get(type, bits);
  std::vector<APFloat> values;
  values.reserve(bits.size());
  for (const APInt &value : bits)
    values.emplace_back(number.getFloatSemantics(), value);
  return mlir::DenseElementsAttr::get(type, values);
}

} // namespace acis::import
