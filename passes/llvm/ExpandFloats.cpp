// Rounding by an addition: next to 2^23 (a double: 2^52) numbers are integers, so a sum there is
// rounded to one, to the nearest even one as all sums are. The other directions correct it by one.
#include "passes/llvm/Expansions.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

class FloatExpander {
public:
  FloatExpander(IntrinsicInst &call, Value *x)
      : call(call), x(x), type(x->getType()), semantics(type->getFltSemantics()), builder(&call) {}

  Value *expand() {
    switch (call.getIntrinsicID()) {
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven:
      return toNearestEven();
    case Intrinsic::trunc:
      return withSign(truncated());
    case Intrinsic::round:
      return awayFromZero();
    case Intrinsic::floor:
      return towards(/*up=*/false);
    case Intrinsic::ceil:
      return towards(/*up=*/true);
    case Intrinsic::lrint:
    case Intrinsic::llrint:
      return builder.CreateFPToSI(toNearestEven(), call.getType());
    case Intrinsic::lround:
    case Intrinsic::llround:
      return builder.CreateFPToSI(awayFromZero(), call.getType());
    case Intrinsic::is_fpclass:
      return isOfClass(FPClassTest(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue()));
    default:
      return nullptr;
    }
  }

private:
  Value *number(double constant) { return ConstantFP::get(type, constant); }
  Value *magnitude() { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x); }
  Value *withSign(Value *value) { return builder.CreateCopySign(value, x); }

  /// The magnitude as the nearest even integer; as it is where there are only integers.
  Value *nearestMagnitude(Value *magnitude) {
    Value *integers = number(double(uint64_t(1) << (APFloat::semanticsPrecision(semantics) - 1)));
    Value *sum = builder.CreateFSub(builder.CreateFAdd(magnitude, integers), integers);
    return builder.CreateSelect(builder.CreateFCmpOLT(magnitude, integers), sum, magnitude);
  }

  Value *toNearestEven() { return withSign(nearestMagnitude(magnitude())); }

  /// The magnitude without its fraction.
  Value *truncated() {
    Value *all = magnitude(), *nearest = nearestMagnitude(all);
    return builder.CreateSelect(builder.CreateFCmpOGT(nearest, all),
                                builder.CreateFSub(nearest, number(1)), nearest);
  }

  /// Halves are rounded up, in magnitude. The difference is exact.
  Value *awayFromZero() {
    Value *whole = truncated();
    Value *fraction = builder.CreateFSub(magnitude(), whole);
    return withSign(builder.CreateSelect(builder.CreateFCmpOGE(fraction, number(0.5)),
                                         builder.CreateFAdd(whole, number(1)), whole));
  }

  Value *towards(bool up) {
    Value *nearest = toNearestEven();
    Value *isShort = up ? builder.CreateFCmpOLT(nearest, x) : builder.CreateFCmpOGT(nearest, x);
    Value *corrected = builder.CreateFAdd(nearest, number(up ? 1 : -1));
    // Of -0.5 the next integer above is -0.
    return withSign(builder.CreateSelect(isShort, corrected, nearest));
  }

  /// By the bits of the number; each class is a range of magnitudes.
  Value *isOfClass(FPClassTest asked) {
    const unsigned width = type->getScalarSizeInBits();
    Type *word = builder.getIntNTy(width);
    Value *bits = builder.CreateBitCast(x, word);
    Value *all = builder.CreateAnd(bits, ConstantInt::get(word, APInt::getSignedMaxValue(width)));
    Value *isNegative = builder.CreateICmpSLT(bits, ConstantInt::get(word, 0));
    const APInt zero(width, 0), one(width, 1);
    const APInt normal = APFloat::getSmallestNormalized(semantics).bitcastToAPInt();
    const APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
    const APInt quiet = APFloat::getQNaN(semantics).bitcastToAPInt();
    const struct {
      FPClassTest negative, positive;
      APInt first, end;
    } classes[] = {
        {fcNegZero, fcPosZero, zero, one},
        {fcNegSubnormal, fcPosSubnormal, one, normal},
        {fcNegNormal, fcPosNormal, normal, infinity},
        {fcNegInf, fcPosInf, infinity, infinity + 1},
        {fcSNan, fcSNan, infinity + 1, quiet},
        {fcQNan, fcQNan, quiet, APInt::getSignedMinValue(width)},
    };
    Value *result = builder.getFalse();
    for (const auto &[negative, positive, first, end] : classes) {
      const bool below = asked & negative, above = asked & positive;
      if (!below && !above)
        continue;
      Value *found = builder.CreateICmpULT(builder.CreateSub(all, ConstantInt::get(word, first)),
                                           ConstantInt::get(word, end - first));
      if (!below || !above)
        found = builder.CreateAnd(found, below ? isNegative : builder.CreateNot(isNegative));
      result = builder.CreateOr(result, found);
    }
    return result;
  }

  IntrinsicInst &call;
  Value *x;
  Type *type;
  const fltSemantics &semantics;
  IRBuilder<> builder;
};

} // namespace

Value *expandFloat(IntrinsicInst &call) {
  if (call.arg_empty())
    return nullptr;
  Value *x = call.getArgOperand(0);
  if (!x->getType()->isFloatTy() && !x->getType()->isDoubleTy())
    return nullptr;
  return FloatExpander(call, x).expand();
}

} // namespace acis
