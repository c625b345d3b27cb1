// One expression per intrinsic of integers of 8 to 64 bits. Those of floating-point numbers and
// those that tell of an overflow have their own files.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/Expansions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

class BitsExpander {
public:
  explicit BitsExpander(IntrinsicInst &call)
      : call(call), type(call.getType()), bits(type->getScalarSizeInBits()), builder(&call) {}

  /// The value in place of the call, or null where it stays.
  Value *expand() {
    if (!type->isIntegerTy() || bits > 64 || !isPowerOf2_32(bits) || bits < 8)
      return nullptr;
    Value *a = call.arg_empty() ? nullptr : call.getArgOperand(0);
    Value *b = call.arg_size() < 2 ? nullptr : call.getArgOperand(1);
    switch (call.getIntrinsicID()) {
    case Intrinsic::fshl:
      if (a == b) // a rotation, which the units have
        return nullptr;
      return funnel(a, b, call.getArgOperand(2), /*left=*/true);
    case Intrinsic::fshr:
      if (a == b)
        return builder.CreateIntrinsic(Intrinsic::fshl, {type},
                                       {a, a, builder.CreateNeg(call.getArgOperand(2))});
      return funnel(a, b, call.getArgOperand(2), /*left=*/false);
    case Intrinsic::usub_sat:
      return builder.CreateSub(builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b), b);
    case Intrinsic::uadd_sat:
      return builder.CreateAdd(
          builder.CreateBinaryIntrinsic(Intrinsic::umin, a, builder.CreateNot(b)), b);
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
      return saturate(a, b, call.getIntrinsicID() == Intrinsic::sadd_sat);
    case Intrinsic::bswap:
      return swapBytes(a);
    case Intrinsic::bitreverse:
      return swapBytes(swapInBytes(a));
    case Intrinsic::ctpop:
      return countBits(a);
    case Intrinsic::cttz: // the bits below the lowest one
      return countBits(builder.CreateAnd(builder.CreateNot(a), builder.CreateSub(a, value(1))));
    case Intrinsic::ctlz:
      return builder.CreateSub(value(bits), countBits(smear(a)));
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
      return compare(a, b, call.getIntrinsicID() == Intrinsic::scmp);
    default:
      return nullptr;
    }
  }

private:
  Value *value(uint64_t constant) { return ConstantInt::get(type, constant); }

  /// The upper (left) or lower half of a:b shifted; a shift by 0 must not become one by
  /// the width, so the other half is shifted in two steps.
  Value *funnel(Value *a, Value *b, Value *amount, bool left) {
    Value *by = builder.CreateAnd(amount, value(bits - 1));
    if (auto *constant = dyn_cast<ConstantInt>(by); constant && !constant->isZero()) {
      Value *back = value(bits - constant->getZExtValue());
      return left ? builder.CreateOr(builder.CreateShl(a, by), builder.CreateLShr(b, back))
                  : builder.CreateOr(builder.CreateShl(a, back), builder.CreateLShr(b, by));
    }
    Value *back = builder.CreateXor(by, value(bits - 1));
    if (left)
      return builder.CreateOr(builder.CreateShl(a, by),
                              builder.CreateLShr(builder.CreateLShr(b, value(1)), back));
    return builder.CreateOr(builder.CreateShl(builder.CreateShl(a, value(1)), back),
                            builder.CreateLShr(b, by));
  }

  /// The limit is that of a's sign, and overflow is a result of the wrong sign.
  Value *saturate(Value *a, Value *b, bool add) {
    Value *result = add ? builder.CreateAdd(a, b) : builder.CreateSub(a, b);
    Value *other = add ? builder.CreateXor(b, result) : builder.CreateXor(a, b);
    Value *overflow = builder.CreateAnd(builder.CreateXor(a, result), other);
    Value *limit =
        builder.CreateXor(builder.CreateAShr(a, value(bits - 1)),
                          ConstantInt::get(type, APInt::getSignedMaxValue(unsigned(bits))));
    return builder.CreateSelect(builder.CreateICmpSLT(overflow, value(0)), limit, result);
  }

  Value *swapBytes(Value *a) {
    Value *result = value(0);
    for (unsigned from = 0; from < bits; from += 8) {
      Value *byte = builder.CreateAnd(builder.CreateLShr(a, value(from)), value(0xff));
      result = builder.CreateOr(result, builder.CreateShl(byte, value(bits - 8 - from)));
    }
    return result;
  }

  Value *swapInBytes(Value *a) {
    for (unsigned width = 1; width < 8; width *= 2)
      a = builder.CreateOr(builder.CreateAnd(builder.CreateLShr(a, value(width)), mask(width)),
                           builder.CreateShl(builder.CreateAnd(a, mask(width)), value(width)));
    return a;
  }

  /// A constant whose fields of 2 * width bits have their lower half set.
  Value *mask(unsigned width) {
    return ConstantInt::get(type, APInt::getSplat(bits, APInt::getLowBitsSet(2 * width, width)));
  }

  /// Sums of neighbours, in fields that double.
  Value *countBits(Value *a) {
    for (unsigned width = 1; width < bits; width *= 2)
      a = builder.CreateAdd(builder.CreateAnd(a, mask(width)),
                            builder.CreateAnd(builder.CreateLShr(a, value(width)), mask(width)));
    return a;
  }

  /// All bits at and below the highest one.
  Value *smear(Value *a) {
    for (unsigned by = 1; by < bits; by *= 2)
      a = builder.CreateOr(a, builder.CreateLShr(a, value(by)));
    return a;
  }

  Value *compare(Value *a, Value *b, bool isSigned) {
    Value *greater = builder.CreateICmp(isSigned ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_UGT, a, b);
    Value *less = builder.CreateICmp(isSigned ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT, a, b);
    return builder.CreateSub(builder.CreateZExt(greater, type), builder.CreateZExt(less, type));
  }

  IntrinsicInst &call;
  Type *type;
  unsigned bits;
  IRBuilder<> builder;
};

/// The value in place of the call, or null where it stays.
Value *expansionOf(IntrinsicInst &call) {
  if (Value *result = expandFloat(call))
    return result;
  return BitsExpander(call).expand();
}

} // namespace

bool expandIntrinsics(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 16> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst))
      calls.push_back(call);
  bool changed = false;
  for (IntrinsicInst *call : calls) {
    if (auto *checked = dyn_cast<WithOverflowInst>(call)) {
      changed |= expandOverflow(*checked);
    } else if (Value *result = expansionOf(*call)) {
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
      changed = true;
    }
  }
  return changed;
}

} // namespace acis
