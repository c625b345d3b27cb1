// See SplitWords.h. The first element is the lowest part of the word.
#include "passes/llvm/SplitWords.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace acis {
namespace {

/// Of the local or static array that a pointer leads into; null for what is none, or is of records.
Type *elementTypeOf(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  Type *type = nullptr;
  if (auto *local = dyn_cast<AllocaInst>(object))
    type = local->getAllocatedType();
  else if (auto *global = dyn_cast<GlobalVariable>(object))
    type = global->getValueType();
  if (!isa_and_nonnull<ArrayType>(type))
    return nullptr;
  while (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() ? type : nullptr;
}

class Splitter {
public:
  Splitter(Instruction &access, Type *element)
      : access(access), element(element), builder(&access),
        bits(access.getDataLayout().getTypeSizeInBits(element)), type(getLoadStoreType(&access)),
        parts(access.getDataLayout().getTypeSizeInBits(type) / bits),
        word(builder.getIntNTy(bits * parts)), part(builder.getIntNTy(bits)) {}

  static bool isNeeded(const Instruction &access, const Type *element) {
    const Type *type = getLoadStoreType(&access);
    const uint64_t each = access.getDataLayout().getTypeSizeInBits(const_cast<Type *>(element));
    const uint64_t all = access.getDataLayout().getTypeSizeInBits(const_cast<Type *>(type));
    return type != element && (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) &&
           each % 8 == 0 && all % each == 0;
  }

  void run() {
    if (auto *load = dyn_cast<LoadInst>(&access))
      load->replaceAllUsesWith(builder.CreateBitCast(joined(*load), type));
    else
      takeApart(cast<StoreInst>(access));
    access.eraseFromParent();
  }

private:
  Value *placeOf(uint64_t number) {
    Value *start = getLoadStorePointerOperand(&access);
    return number ? builder.CreatePtrAdd(start, builder.getInt32(uint32_t(number * bits / 8)))
                  : start;
  }

  Value *joined(LoadInst &load) {
    Value *all = nullptr;
    for (uint64_t k = 0; k < parts; ++k) {
      Value *one = builder.CreateBitCast(
          builder.CreateAlignedLoad(element, placeOf(k), Align(bits / 8), load.getName()), part);
      Value *moved = builder.CreateShl(builder.CreateZExt(one, word), k * bits);
      all = all ? builder.CreateOr(all, moved) : moved;
    }
    return all;
  }

  void takeApart(StoreInst &store) {
    Value *all = builder.CreateBitCast(store.getValueOperand(), word);
    for (uint64_t k = 0; k < parts; ++k) {
      Value *one = builder.CreateTrunc(builder.CreateLShr(all, k * bits), part);
      builder.CreateAlignedStore(builder.CreateBitCast(one, element), placeOf(k), Align(bits / 8));
    }
  }

  Instruction &access;
  Type *element;
  IRBuilder<> builder;
  uint64_t bits; ///< of an element
  Type *type;    ///< that is read or written
  uint64_t parts;
  Type *word, *part; ///< integers of both sizes
};

} // namespace

bool splitWords(Function &function) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    const Value *pointer = getLoadStorePointerOperand(&inst);
    Type *element = pointer ? elementTypeOf(pointer) : nullptr;
    if (!element || !Splitter::isNeeded(inst, element))
      continue;
    Splitter(inst, element).run();
    isChanged = true;
  }
  return isChanged;
}

} // namespace acis
