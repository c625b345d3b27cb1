// See Fields.h.
#include "passes/llvm/windows/Fields.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

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

} // namespace acis
