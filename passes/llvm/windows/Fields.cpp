// See Fields.h.
#include "passes/llvm/windows/Fields.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acis {

bool isNumber(const Type *type) {
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy();
}

int64_t bytesOf(const Instruction &access) {
  return int64_t(
      access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)).getFixedValue());
}

Value *addressBehind(IRBuilderBase &builder, Value *address, int64_t bytes) {
  return bytes == 0 ? address
                    : builder.CreateConstGEP1_64(builder.getInt8Ty(), address, uint64_t(bytes));
}

Value *placedAt(IRBuilderBase &builder, Value *number, int64_t at, Type *type) {
  auto integerOf = [&](Type *of) { return builder.getIntNTy(of->getPrimitiveSizeInBits()); };
  Value *bits = builder.CreateBitCast(number, integerOf(number->getType()));
  if (at < 0)
    bits = builder.CreateLShr(bits, uint64_t(-8 * at));
  bits = builder.CreateZExtOrTrunc(bits, integerOf(type));
  if (at > 0)
    bits = builder.CreateShl(bits, uint64_t(8 * at));
  return builder.CreateBitCast(bits, type);
}

void readByWords(LoadInst &read, ArrayRef<Piece> pieces) {
  IRBuilder<> builder(&read);
  Type *whole = builder.getIntNTy(unsigned(8 * bytesOf(read)));
  Value *value = ConstantInt::getNullValue(whole);
  for (const Piece &piece : pieces) {
    Value *place = addressBehind(builder, read.getPointerOperand(), piece.at);
    Value *part = builder.CreateLoad(piece.type, place, read.getName());
    value = builder.CreateOr(placedAt(builder, part, piece.at, whole), value);
  }
  read.replaceAllUsesWith(builder.CreateBitCast(value, read.getType()));
  read.eraseFromParent();
}

/// A loop in front of an instruction over the words of an array from one on up to another one, if
/// that is later; `body` makes what it does with the word at an address and of a number.
static void forWords(Instruction &before, AllocaInst &array, Value &first, Value &end,
                     function_ref<void(IRBuilder<> &, Value *, Value *)> body) {
  IRBuilder<> builder(&before);
  Type *type = cast<ArrayType>(array.getAllocatedType())->getElementType();
  Instruction *then =
      SplitBlockAndInsertIfThen(builder.CreateICmpULT(&first, &end), &before, false);
  BasicBlock *start = then->getParent(), *after = start->getSingleSuccessor();
  auto *block = BasicBlock::Create(before.getContext(), "word", before.getFunction(), after);
  then->setSuccessor(0, block);
  builder.SetInsertPoint(block);
  builder.SetCurrentDebugLocation(before.getDebugLoc());
  PHINode *number = builder.CreatePHI(builder.getInt32Ty(), 2, "number");
  number->addIncoming(&first, start);
  body(builder, builder.CreateInBoundsGEP(type, &array, number), number);
  Value *next = builder.CreateAdd(number, builder.getInt32(1), "", /*HasNUW=*/true,
                                  /*HasNSW=*/true);
  number->addIncoming(next, block);
  builder.CreateCondBr(builder.CreateICmpEQ(next, &end), after, block);
}

LoadInst &copyWords(Instruction &before, Value &from, AllocaInst &array, Value &count) {
  Type *type = cast<ArrayType>(array.getAllocatedType())->getElementType();
  LoadInst *read = nullptr;
  forWords(before, array, *ConstantInt::get(count.getType(), 0), count,
           [&](IRBuilder<> &builder, Value *word, Value *number) {
             read = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, &from, number));
             builder.CreateStore(read, word);
           });
  return *read;
}

void clearWords(Instruction &before, AllocaInst &array, Value &first, Value &end) {
  Type *type = cast<ArrayType>(array.getAllocatedType())->getElementType();
  forWords(before, array, first, end, [&](IRBuilder<> &builder, Value *word, Value *) {
    builder.CreateStore(Constant::getNullValue(type), word);
  });
}

} // namespace acis
