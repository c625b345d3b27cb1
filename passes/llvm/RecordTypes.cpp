// See RecordTypes.h.
#include "passes/llvm/RecordTypes.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

Type *unwrapped(Type *type) {
  while (type->isStructTy() && type->getStructNumElements() == 1)
    type = type->getStructElementType(0);
  return type;
}

/// Reads the bytes of initial values by types of the source.
class InitialValues {
public:
  InitialValues(Constant &from, const DataLayout &data) : from(from), data(data) {}

  /// Of one member of all records in `type`, of which the first byte is `at`.
  Constant *ofMember(Type *type, unsigned member, uint64_t at) const {
    type = unwrapped(type);
    if (auto *record = dyn_cast<StructType>(type))
      return valueAt(record->getElementType(member), at + offset(record, member));
    auto *array = cast<ArrayType>(type);
    return elements(
        array, cast<ArrayType>(arrayOfMember(array, member)), at,
        [&](Type *element, uint64_t place) { return ofMember(element, member, place); });
  }

private:
  uint64_t offset(StructType *record, unsigned member) const {
    return data.getStructLayout(record)->getElementOffset(member);
  }

  Constant *valueAt(Type *type, uint64_t at) const {
    if (from.isNullValue())
      return Constant::getNullValue(type);
    if (auto *array = dyn_cast<ArrayType>(type))
      return elements(array, array, at,
                      [&](Type *element, uint64_t place) { return valueAt(element, place); });
    if (auto *record = dyn_cast<StructType>(type)) {
      SmallVector<Constant *, 8> members;
      for (unsigned i = 0; i < record->getNumElements(); i++)
        members.push_back(valueAt(record->getElementType(i), at + offset(record, i)));
      return ConstantStruct::get(record, members);
    }
    Constant *value = ConstantFoldLoadFromConst(&from, type, APInt(64, at), data);
    return value ? value : Constant::getNullValue(type);
  }

  template <typename Read>
  Constant *elements(ArrayType *array, ArrayType *result, uint64_t at, Read read) const {
    const uint64_t size = data.getTypeAllocSize(array->getElementType());
    SmallVector<Constant *, 64> values;
    for (uint64_t i = 0; i < array->getNumElements(); i++)
      values.push_back(read(array->getElementType(), at + i * size));
    return ConstantArray::get(result, values);
  }

  Constant &from;
  const DataLayout &data;
};

} // namespace

Type *elementOf(Type *type) {
  type = unwrapped(type);
  while (auto *array = dyn_cast<ArrayType>(type))
    type = unwrapped(array->getElementType());
  return type;
}

StructType *recordOf(Type *type) {
  auto *record = dyn_cast<StructType>(elementOf(type));
  return record && !record->isLiteral() ? record : nullptr;
}

Type *arrayOfMember(Type *type, unsigned member) {
  type = unwrapped(type);
  if (auto *record = dyn_cast<StructType>(type))
    return record->getElementType(member);
  auto *array = cast<ArrayType>(type);
  return ArrayType::get(arrayOfMember(array->getElementType(), member), array->getNumElements());
}

bool beginsWith(Type *type, Type *inner) {
  while (type != inner) {
    if (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    else if (auto *record = dyn_cast<StructType>(type); record && record->getNumElements() > 0)
      type = record->getElementType(0);
    else
      return false;
  }
  return true;
}

Type *sourceTypeOf(const GlobalVariable &variable) {
  const DataLayout &data = variable.getDataLayout();
  Type *type = variable.getValueType();
  if (recordOf(type))
    return type;
  for (const User *user : variable.users())
    if (auto *step = dyn_cast<GetElementPtrInst>(user);
        step && recordOf(step->getSourceElementType()) &&
        data.getTypeAllocSize(step->getSourceElementType()) == data.getTypeAllocSize(type))
      return step->getSourceElementType();
  return type;
}

Constant *valuesOfMember(const GlobalVariable &variable, unsigned member) {
  InitialValues values(*const_cast<Constant *>(variable.getInitializer()),
                       variable.getDataLayout());
  return values.ofMember(sourceTypeOf(variable), member, 0);
}

} // namespace acis
