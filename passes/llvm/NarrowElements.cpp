// See Transforms.h. Split words then has accesses of whole elements only.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/objects/Layout.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acis {
namespace {

/// Of a variable, its type; null for what is none.
Type *typeOf(const Value &object) {
  if (auto *local = dyn_cast<AllocaInst>(&object))
    return local->getAllocatedType();
  auto *global = dyn_cast<GlobalVariable>(&object);
  return global && global->hasDefinitiveInitializer() ? global->getValueType() : nullptr;
}

/// The numbers that a variable is an array of, or itself; null for records.
Type *numberOf(const Value &object, const DataLayout &data) {
  Type *type = typeOf(object);
  return type ? numberIn(type, data) : nullptr;
}

/// Each number of a type as `count` numbers.
Type *narrowed(Type *type, Type *part, uint64_t count) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(narrowed(array->getElementType(), part, count), array->getNumElements());
  auto *sequence = dyn_cast<StructType>(type); // Clang's, of an array that ends in zeros
  if (!sequence)
    return ArrayType::get(part, count);
  SmallVector<Type *, 4> members;
  for (Type *member : sequence->elements())
    members.push_back(narrowed(member, part, count));
  return StructType::get(type->getContext(), members, sequence->isPacked());
}

/// The first part is the lowest of a number. Null if it is not known what a number is.
Constant *narrowed(Constant &value, Type *part, uint64_t count) {
  Type *type = narrowed(value.getType(), part, count);
  if (value.isNullValue())
    return Constant::getNullValue(type);
  SmallVector<Constant *, 64> parts;
  if (!isNumber(value.getType())) {
    for (unsigned i = 0; Constant *element = value.getAggregateElement(i); ++i)
      parts.push_back(narrowed(*element, part, count));
  } else {
    auto *real = dyn_cast<ConstantFP>(&value);
    auto *whole = dyn_cast<ConstantInt>(&value);
    if (!real && !whole)
      return nullptr;
    const APInt bits = real ? real->getValueAPF().bitcastToAPInt() : whole->getValue();
    const unsigned width = part->getIntegerBitWidth();
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(ConstantInt::get(part, bits.extractBits(width, i * width)));
  }
  if (is_contained(parts, nullptr))
    return nullptr;
  auto *sequence = dyn_cast<StructType>(type);
  return sequence ? ConstantStruct::get(sequence, parts)
                  : ConstantArray::get(cast<ArrayType>(type), parts);
}

bool isUsedInAlone(const Value &object, const Function &handler) {
  return all_of(object.users(), [&](const User *user) {
    auto *inst = dyn_cast<Instruction>(user);
    return inst ? inst->getFunction() == &handler : isUsedInAlone(*user, handler);
  });
}

bool narrow(Value &object, Type *number, unsigned bits) {
  Type *part = IntegerType::get(object.getContext(), bits);
  const uint64_t count = number->getPrimitiveSizeInBits() / bits;
  Value *other = nullptr;
  if (auto *local = dyn_cast<AllocaInst>(&object)) {
    auto *changed = new AllocaInst(narrowed(local->getAllocatedType(), part, count),
                                   local->getAddressSpace(), nullptr, local->getAlign());
    changed->insertBefore(local->getIterator());
    changed->setDebugLoc(local->getDebugLoc());
    other = changed;
  } else {
    auto &global = cast<GlobalVariable>(object);
    Constant *initial = narrowed(*global.getInitializer(), part, count);
    if (!initial)
      return false;
    auto *changed = new GlobalVariable(*global.getParent(), initial->getType(), global.isConstant(),
                                       global.getLinkage(), initial, "", &global);
    changed->copyAttributesFrom(&global);
    changed->copyMetadata(&global, 0);
    other = changed;
  }
  other->takeName(&object);
  object.replaceAllUsesWith(other);
  if (auto *local = dyn_cast<AllocaInst>(&object))
    local->eraseFromParent();
  else
    cast<GlobalVariable>(object).eraseFromParent();
  return true;
}

/// Bits of the least access of objects that have parts of numbers accessed.
class Narrowest {
public:
  explicit Narrowest(Function &handler) : data(handler.getDataLayout()) {
    SmallVector<MemTransferInst *, 4> copies;
    for (Instruction &inst : instructions(handler)) {
      const Value *pointer = getLoadStorePointerOperand(&inst);
      if (auto *copy = dyn_cast<MemTransferInst>(&inst))
        copies.push_back(copy);
      else if (pointer && isNumber(getLoadStoreType(&inst)))
        note(pointer, unsigned(8 * bytesOf(inst)));
    }
    // A copy is of elements of one size.
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (MemTransferInst *copy : copies)
        isChanged |= note(copy->getRawDest(), bitsOf(copy->getRawSource())) ||
                     note(copy->getRawSource(), bitsOf(copy->getRawDest()));
    }
  }

  MapVector<Value *, unsigned> bits;

private:
  unsigned bitsOf(const Value *pointer) const {
    unsigned least = 64;
    for (const Value *object : objectsBehind(pointer))
      if (auto known = bits.find(const_cast<Value *>(object)); known != bits.end())
        least = std::min(least, known->second);
    return least;
  }

  /// Whether this is news.
  bool note(const Value *pointer, unsigned size) {
    bool isChanged = false;
    for (const Value *object : objectsBehind(pointer)) {
      Type *number = numberOf(*object, data);
      if (!number || number->getPrimitiveSizeInBits() <= size)
        continue;
      auto [known, isNew] = bits.insert({const_cast<Value *>(object), size});
      isChanged |= isNew || size < known->second;
      known->second = std::min(known->second, size);
    }
    return isChanged;
  }

  const DataLayout &data;
};

} // namespace

bool narrowElements(Function &handler) {
  bool isChanged = false;
  for (auto &[object, bits] : Narrowest(handler).bits)
    if (isUsedInAlone(*object, handler))
      isChanged |= narrow(*object, numberOf(*object, handler.getDataLayout()), bits);
  return isChanged;
}

} // namespace acis
