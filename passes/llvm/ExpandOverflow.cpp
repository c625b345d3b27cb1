// The flag as a comparison of the result; of a product its upper half tells.
#include "passes/llvm/Expansions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned WidestUnit = 64; ///< bits

class OverflowExpander {
public:
  explicit OverflowExpander(WithOverflowInst &call)
      : a(call.getLHS()), b(call.getRHS()), type(a->getType()), bits(type->getIntegerBitWidth()),
        isSigned(call.isSigned()), builder(&call) {}

  /// The result and whether it is not the true one.
  std::pair<Value *, Value *> expand(Instruction::BinaryOps op) {
    if (op == Instruction::Mul)
      return multiply();
    Value *result = builder.CreateBinOp(op, a, b);
    const bool adds = op == Instruction::Add;
    if (!isSigned)
      return {result, adds ? builder.CreateICmpULT(result, a) : builder.CreateICmpULT(a, b)};
    // An overflow is a result of the wrong sign.
    Value *other = adds ? builder.CreateXor(b, result) : builder.CreateXor(a, b);
    Value *wrong = builder.CreateAnd(builder.CreateXor(a, result), other);
    return {result, builder.CreateICmpSLT(wrong, value(0))};
  }

private:
  Value *value(uint64_t constant) { return ConstantInt::get(type, constant); }

  std::pair<Value *, Value *> multiply() {
    Value *result = builder.CreateMul(a, b);
    Value *upper = 2 * bits <= WidestUnit ? upperByWidening() : upperByHalves();
    Value *expected = isSigned ? builder.CreateAShr(result, value(bits - 1)) : value(0);
    return {result, builder.CreateICmpNE(upper, expected)};
  }

  Value *upperByWidening() {
    Type *wide = builder.getIntNTy(2 * bits);
    auto widen = [&](Value *factor) {
      return isSigned ? builder.CreateSExt(factor, wide) : builder.CreateZExt(factor, wide);
    };
    Value *product = builder.CreateMul(widen(a), widen(b));
    return builder.CreateTrunc(builder.CreateLShr(product, uint64_t(bits)), type);
  }

  /// From the products of halves of the factors, none of which overflows.
  Value *upperByHalves() {
    const unsigned half = bits / 2;
    auto low = [&](Value *x) {
      return builder.CreateAnd(x, value(maskTrailingOnes<uint64_t>(half)));
    };
    auto high = [&](Value *x) { return builder.CreateLShr(x, value(half)); };
    Value *aLow = low(a), *aHigh = high(a), *bLow = low(b), *bHigh = high(b);
    Value *middle =
        builder.CreateAdd(builder.CreateMul(aHigh, bLow), high(builder.CreateMul(aLow, bLow)));
    Value *carry = high(builder.CreateAdd(builder.CreateMul(aLow, bHigh), low(middle)));
    Value *upper =
        builder.CreateAdd(builder.CreateAdd(builder.CreateMul(aHigh, bHigh), high(middle)), carry);
    if (!isSigned)
      return upper;
    // A negative factor was taken as one that is larger by 2^bits.
    auto excess = [&](Value *factor, Value *other) {
      return builder.CreateAnd(builder.CreateAShr(factor, value(bits - 1)), other);
    };
    return builder.CreateSub(builder.CreateSub(upper, excess(a, b)), excess(b, a));
  }

  Value *a, *b;
  Type *type;
  unsigned bits;
  bool isSigned;
  IRBuilder<> builder;
};

} // namespace

bool expandOverflow(WithOverflowInst &call) {
  auto *type = dyn_cast<IntegerType>(call.getLHS()->getType());
  auto isPart = [](User *user) { return isa<ExtractValueInst>(user); };
  if (!type || type->getBitWidth() < 8 || type->getBitWidth() > WidestUnit ||
      !isPowerOf2_32(type->getBitWidth()) || !all_of(call.users(), isPart))
    return false;
  auto [result, flag] = OverflowExpander(call).expand(call.getBinaryOp());
  for (User *user : make_early_inc_range(call.users())) {
    auto *part = cast<ExtractValueInst>(user);
    part->replaceAllUsesWith(part->getIndices().front() == 0 ? result : flag);
    part->eraseFromParent();
  }
  call.eraseFromParent();
  return true;
}

} // namespace acis
