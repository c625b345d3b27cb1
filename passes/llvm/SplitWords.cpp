// See Transforms.h. The first element is the lowest part of the word.
#include "passes/llvm/Transforms.h"

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
  Splitter(Instruction &access, Type *element, SmallVectorImpl<Instruction *> &replaced)
      : access(access), element(element), replaced(replaced), builder(&access),
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
    replaced.push_back(&access);
  }

private:
  Value *placeOf(Instruction &whole, uint64_t number) {
    Value *start = getLoadStorePointerOperand(&whole);
    return number ? builder.CreatePtrAdd(start, builder.getInt32(uint32_t(number * bits / 8)))
                  : start;
  }

  Value *elementOf(LoadInst &load, uint64_t number) {
    return builder.CreateAlignedLoad(element, placeOf(load, number), Align(bits / 8),
                                     load.getName());
  }

  Value *joined(LoadInst &load) {
    Value *all = nullptr;
    for (uint64_t k = 0; k < parts; ++k) {
      Value *one = builder.CreateBitCast(elementOf(load, k), part);
      Value *moved = builder.CreateShl(builder.CreateZExt(one, word), k * bits);
      all = all ? builder.CreateOr(all, moved) : moved;
    }
    return all;
  }

  /// What is read for this write alone, from a stream or the memory.
  static LoadInst *copiedBy(StoreInst &store) {
    auto *load = dyn_cast<LoadInst>(store.getValueOperand());
    return load && load->hasOneUse() && load->isSimple() &&
                   isa<Argument>(getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0))
               ? load
               : nullptr;
  }

  void takeApart(StoreInst &store) {
    LoadInst *copied = copiedBy(store);
    SmallVector<Value *, 8> values;
    if (copied)
      builder.SetInsertPoint(copied);
    Value *all = copied ? nullptr : builder.CreateBitCast(store.getValueOperand(), word);
    for (uint64_t k = 0; k < parts; ++k)
      values.push_back(
          copied ? elementOf(*copied, k)
                 : builder.CreateBitCast(
                       builder.CreateTrunc(builder.CreateLShr(all, k * bits), part), element));
    builder.SetInsertPoint(&store);
    for (uint64_t k = 0; k < parts; ++k)
      builder.CreateAlignedStore(values[k], placeOf(store, k), Align(bits / 8));
    if (copied)
      replaced.push_back(copied);
  }

  Instruction &access;
  Type *element;
  SmallVectorImpl<Instruction *> &replaced; ///< to be erased
  IRBuilder<> builder;
  uint64_t bits; ///< of an element
  Type *type;    ///< that is read or written
  uint64_t parts;
  Type *word, *part; ///< integers of both sizes
};

} // namespace

bool splitWords(Function &function) {
  SmallVector<std::pair<Instruction *, Type *>, 8> accesses;
  for (Instruction &inst : instructions(function)) {
    const Value *pointer = getLoadStorePointerOperand(&inst);
    if (Type *element = pointer ? elementTypeOf(pointer) : nullptr;
        element && Splitter::isNeeded(inst, element))
      accesses.push_back({&inst, element});
  }
  SmallVector<Instruction *, 8> replaced;
  for (auto [inst, element] : accesses)
    Splitter(*inst, element, replaced).run();
  for (Instruction *inst : reverse(replaced)) // a write in front of the read that it copied
    inst->eraseFromParent();
  return !accesses.empty();
}

} // namespace acis
