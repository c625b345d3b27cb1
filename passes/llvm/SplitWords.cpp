// See Transforms.h. The first element is the lowest part of the word.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/objects/Layout.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace acis {
namespace {

/// Of a local or static array; null for what is none, or is of records.
Type *elementTypeOf(const Value &object, const DataLayout &data) {
  Type *type = nullptr;
  if (auto *local = dyn_cast<AllocaInst>(&object))
    type = local->getAllocatedType();
  else if (auto *global = dyn_cast<GlobalVariable>(&object))
    type = global->getValueType();
  return isa_and_nonnull<ArrayType, StructType>(type) ? numberIn(type, data) : nullptr;
}

/// Of all arrays that a pointer may lead into; null if they differ, or if it may lead elsewhere.
Type *elementTypeBehind(const Value *pointer, const DataLayout &data) {
  const auto objects = objectsBehind(pointer);
  Type *type = objects.empty() ? nullptr : elementTypeOf(*objects.front(), data);
  const bool isOne =
      all_of(objects, [&](const Value *object) { return elementTypeOf(*object, data) == type; });
  return isOne ? type : nullptr;
}

/// Whether a stream or the memory is accessed by a number that nothing has, as of structures with
/// three bytes.
bool isOfOddSize(const Instruction &access) {
  auto *type = dyn_cast<IntegerType>(getLoadStoreType(&access));
  const Value *pointer = getLoadStorePointerOperand(&access);
  return type && type->getBitWidth() % 8 == 0 && !isPowerOf2_32(type->getBitWidth()) &&
         all_of(objectsBehind(pointer), IsaPred<Argument>);
}

/// The elements that an access is several of, or none if it is one, or no whole number of them.
SmallVector<Piece, 8> elementsOf(const Instruction &access, Type *element) {
  SmallVector<Piece, 8> elements;
  const auto bits = int64_t(element->getPrimitiveSizeInBits()), bytes = bytesOf(access);
  const Type *type = getLoadStoreType(&access);
  if (type != element && isNumber(type) && bits % 8 == 0 && 8 * bytes % bits == 0)
    for (int64_t at = 0; at < bytes; at += bits / 8)
      elements.push_back({at, element});
  return elements;
}

/// What is read for this write alone, from a stream or the memory.
LoadInst *copiedBy(StoreInst &store) {
  auto *load = dyn_cast<LoadInst>(store.getValueOperand());
  return load && load->hasOneUse() && load->isSimple() &&
                 all_of(objectsBehind(load->getPointerOperand()), IsaPred<Argument>)
             ? load
             : nullptr;
}

void writeByElements(StoreInst &store, ArrayRef<Piece> elements) {
  IRBuilder<> builder(&store);
  LoadInst *copied = copiedBy(store);
  IRBuilder<> reader(copied ? static_cast<Instruction *>(copied) : &store);
  for (auto [at, type] : elements) {
    Value *value =
        copied ? reader.CreateLoad(type, addressBehind(reader, copied->getPointerOperand(), at),
                                   copied->getName())
               : placedAt(builder, store.getValueOperand(), -at, type);
    builder.CreateStore(value, addressBehind(builder, store.getPointerOperand(), at));
  }
  store.eraseFromParent();
  if (copied)
    copied->eraseFromParent();
}

} // namespace

bool splitWords(Function &function) {
  SmallVector<std::pair<Instruction *, SmallVector<Piece, 8>>, 8> accesses;
  for (Instruction &inst : instructions(function)) {
    const Value *pointer = getLoadStorePointerOperand(&inst);
    Type *element = pointer ? elementTypeBehind(pointer, function.getDataLayout()) : nullptr;
    if (pointer && !element && isOfOddSize(inst))
      element = Type::getInt8Ty(function.getContext());
    if (element)
      if (SmallVector<Piece, 8> elements = elementsOf(inst, element); !elements.empty())
        accesses.push_back({&inst, elements});
  }
  for (auto &[inst, elements] : accesses)
    if (auto *read = dyn_cast<LoadInst>(inst))
      readByWords(*read, elements);
    else
      writeByElements(*cast<StoreInst>(inst), elements);
  return !accesses.empty();
}

} // namespace acis
