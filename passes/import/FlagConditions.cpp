// Conditions of FlagSum.h: bits of values, and comparisons with constants and with each other.
#include "passes/import/FlagSum.h"

#include "llvm/Analysis/CmpInstAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace acis::import {
namespace {

/// Of one comparison: each may double the number of products.
constexpr unsigned MaxBits = 3;

constexpr unsigned MostChoices = 4; ///< in each other, whose values are compared one by one

constexpr int Whole = -2; ///< a flag that is a value, not one of its bits

/// A comparison with a constant: the value is in a range, which may go round behind the largest.
struct Comparison {
  const Value *value = nullptr;
  ConstantRange range;

  /// The same for the opposite.
  std::pair<uint64_t, uint64_t> limits() const {
    return std::minmax(range.getLower().getZExtValue(), range.getUpper().getZExtValue());
  }
};

/// Two values are equal where their difference, which the program computes, is 0.
std::optional<Comparison> differenceOf(const Instruction &inst) {
  using namespace PatternMatch;
  auto *compare = dyn_cast<ICmpInst>(&inst);
  if (!compare || !compare->isEquality() || llvm::isa<Constant>(compare->getOperand(0)) ||
      !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  const Value *a = compare->getOperand(0), *b = compare->getOperand(1);
  for (const User *user : a->users())
    if (match(user, m_Sub(m_Specific(a), m_Specific(b))) ||
        match(user, m_Sub(m_Specific(b), m_Specific(a))))
      return Comparison{
          user, ConstantRange::makeExactICmpRegion(
                    compare->getPredicate(), APInt::getZero(a->getType()->getIntegerBitWidth()))};
  return std::nullopt;
}

/// v + 2 < 5 says where v is; extensions by zeros say it of what they extend.
Comparison comparisonOf(CmpInst::Predicate predicate, const Value *value, const APInt &number) {
  using namespace PatternMatch;
  const Value *from = nullptr;
  const APInt *by = nullptr;
  ConstantRange range = ConstantRange::makeExactICmpRegion(predicate, number);
  for (;; value = from) {
    if (match(value, m_Add(m_Value(from), m_APInt(by))) && by->getBitWidth() == range.getBitWidth())
      range = range.subtract(*by);
    else if (!match(value, m_ZExt(m_Value(from))) && !match(value, m_Freeze(m_Value(from))))
      return {value, range};
  }
}

std::optional<Comparison> comparisonOf(const Instruction &inst) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  const Value *value = nullptr;
  const APInt *number = nullptr;
  if (std::optional<Comparison> difference = differenceOf(inst))
    return difference;
  if (!match(&inst, m_ICmp(predicate, m_Value(value), m_APInt(number))) ||
      number->getBitWidth() > 64)
    return std::nullopt;
  return comparisonOf(predicate, value, *number);
}

} // namespace

/// The condition and both values of a select or merge; none of other values.
std::optional<FlagSums::Choice> FlagSums::choiceOf(const Value *value) const {
  if (auto *select = dyn_cast<SelectInst>(value); select && loop.contains(select))
    return Choice{select->getCondition(), select->getTrueValue(), select->getFalseValue()};
  if (auto merge = merges.find(value); merge != merges.end())
    return Choice{merge->second->condition, merge->second->ifTrue, merge->second->ifFalse};
  return std::nullopt;
}

/// Calls `then` for each constant of a choice in which there is nothing else; false if there is.
bool FlagSums::eachOption(const Value *options, function_ref<void(const ConstantInt &)> then,
                          unsigned depth) const {
  if (auto *option = dyn_cast<ConstantInt>(options))
    return then(*option), depth > 0 && option->getBitWidth() <= 64;
  const std::optional<Choice> choice = choiceOf(options);
  return choice && depth < MostChoices && eachOption(choice->ifTrue, then, depth + 1) &&
         eachOption(choice->ifFalse, then, depth + 1);
}

void FlagSums::noteComparison(const Instruction &inst) {
  if (std::optional<Comparison> found = comparisonOf(inst))
    limits[found->value].insert(found->limits());
  auto *compare = dyn_cast<ICmpInst>(&inst);
  if (!compare)
    return;
  for (unsigned side : {0, 1}) {
    const CmpInst::Predicate predicate =
        side == 1 ? compare->getPredicate() : compare->getSwappedPredicate();
    const Value *value = compare->getOperand(1 - side), *options = compare->getOperand(side);
    SmallVector<Comparison, 4> found;
    if (eachOption(options, [&](const ConstantInt &option) {
          found.push_back(comparisonOf(predicate, value, option.getValue()));
        })) {
      choices[compare] = {predicate, value, options};
      for (const Comparison &one : found)
        limits[one.value].insert({one.limits(), {0, 0}}); // more than one
    }
  }
}

/// A comparison with a choice of constants: the choice of the comparisons.
FlagSum FlagSums::compareOptions(CmpInst::Predicate predicate, const Value *value,
                                 const Value *options) {
  if (auto *option = dyn_cast<ConstantInt>(options)) {
    const Comparison own = comparisonOf(predicate, value, option->getValue());
    return within(own.value, own.range);
  }
  const Choice choice = *choiceOf(options);
  const FlagSum otherwise = compareOptions(predicate, value, choice.ifFalse);
  return otherwise + condition(choice.condition) *
                         (compareOptions(predicate, value, choice.ifTrue) - otherwise);
}

FlagSum FlagSums::atom(const Value *value, int bit) {
  auto known = llvm::find(flags, std::pair(value, bit));
  if (known == flags.end())
    known = flags.insert(flags.end(), {value, bit});
  return FlagSum::flag(unsigned(known - flags.begin()));
}

/// Bit `bit` of a value, named by where it comes from.
FlagSum FlagSums::bitAtom(const Value *value, unsigned bit) {
  using namespace PatternMatch;
  const Value *from = nullptr;
  const APInt *by = nullptr;
  for (;;) {
    unsigned width = value->getType()->getIntegerBitWidth();
    if (match(value, m_LShr(m_Value(from), m_APInt(by))) && by->ult(width - bit))
      bit += unsigned(by->getZExtValue());
    else if (match(value, m_Shl(m_Value(from), m_APInt(by))) && by->ule(bit))
      bit -= unsigned(by->getZExtValue());
    else if (match(value, m_And(m_Value(from), m_APInt(by))) && (*by)[bit])
      ;
    else if ((match(value, m_ZExtOrSExt(m_Value(from))) || match(value, m_Trunc(m_Value(from)))) &&
             bit < from->getType()->getScalarSizeInBits())
      ;
    else if (match(value, m_Freeze(m_Value(from))))
      ;
    else if (bit == width - 1 && isCompared(value))
      return atLeast(value, uint64_t(1) << bit);
    else
      return value->getType()->isIntegerTy(1) ? condition(value) : atom(value, int(bit));
    value = from;
  }
}

/// What InstCombine makes of an integer that is a condition: x & 4, (x & 4) >> 2, x >> 31, and that
/// of a narrower x.
std::optional<FlagSum> FlagSums::singleBit(const Value *value) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !llvm::isa<BinaryOperator, ZExtInst>(inst) || !value->getType()->isIntegerTy(32))
    return std::nullopt;
  const KnownBits known = computeKnownBits(value, inst->getDataLayout());
  const APInt open = ~(known.Zero | known.One);
  if (!open.isPowerOf2())
    return std::nullopt;
  return FlagSum(uint32_t(known.One.getZExtValue())) +
         FlagSum(uint32_t(open.getZExtValue())) * bitAtom(value, open.logBase2());
}

/// A comparison that asks for one bit, or for a few.
std::optional<FlagSum> FlagSums::bitTest(const Value *compare) {
  const auto test = decomposeBitTest(const_cast<Value *>(compare), /*LookThroughTrunc=*/false,
                                     /*AllowNonZeroC=*/true, /*DecomposeAnd=*/true);
  if (!test || test->Mask.popcount() > MaxBits || !test->C.isSubsetOf(test->Mask))
    return std::nullopt;
  FlagSum areEqual(1);
  for (unsigned bit = 0; bit < test->Mask.getBitWidth(); ++bit)
    if (test->Mask[bit]) {
      FlagSum isSet = bitAtom(test->X, bit);
      areEqual = areEqual * (test->C[bit] ? isSet : FlagSum(1) - isSet);
    }
  return test->Pred == CmpInst::ICMP_EQ ? areEqual : FlagSum(1) - areEqual;
}

namespace {

/// A comparison in which constants are compared with < and >= only.
struct Compared {
  explicit Compared(const CmpInst &inst)
      : predicate(inst.getPredicate()), left(inst.getOperand(0)), right(inst.getOperand(1)) {
    auto *literal = dyn_cast<ConstantInt>(right);
    if (!literal)
      return;
    number = literal->getValue();
    bool isSigned = ICmpInst::isSigned(predicate);
    bool isLargest = isSigned ? number->isMaxSignedValue() : number->isMaxValue();
    if ((ICmpInst::isGT(predicate) || ICmpInst::isLE(predicate)) && !isLargest) {
      predicate = CmpInst::getFlippedStrictnessPredicate(predicate);
      ++*number;
    }
  }
  bool sameOperands(const Compared &other) const {
    return left == other.left &&
           (number && other.number ? *number == *other.number : right == other.right);
  }
  void swap() {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }

  CmpInst::Predicate predicate;
  const Value *left, *right;
  std::optional<APInt> number;
};

} // namespace

/// Whether conditions on a value are worth to be compared with each other; one alone is a flag.
bool FlagSums::isCompared(const Value *value) const {
  auto known = limits.find(value);
  return known != limits.end() && known->second.size() > 1;
}

/// [value >= least], without signs.
FlagSum FlagSums::atLeast(const Value *value, uint64_t least) {
  if (least == 0)
    return FlagSum(1);
  if (computeConstantRange(value, /*ForSigned=*/false).getUnsignedMax().ult(least))
    return FlagSum();
  const unsigned number = atom(value, Whole).terms().begin()->first.first.begin()->first;
  return FlagSum::flag(number, least);
}

/// [value is in a range].
FlagSum FlagSums::within(const Value *value, const ConstantRange &range) {
  if (range.isFullSet() || range.isEmptySet())
    return FlagSum(range.isFullSet());
  const FlagSum from = atLeast(value, range.getLower().getZExtValue());
  if (range.getUpper().isZero())
    return from;
  const FlagSum behind = atLeast(value, range.getUpper().getZExtValue());
  return range.isWrappedSet() ? FlagSum(1) - behind + from : from - behind;
}

/// A comparison with a constant of a value that is compared with others, too.
std::optional<FlagSum> FlagSums::compareRanges(const Instruction *compare) {
  const std::optional<Comparison> own = comparisonOf(*compare);
  return own && isCompared(own->value) ? std::optional(within(own->value, own->range))
                                       : std::nullopt;
}

/// A comparison that was seen before, or its opposite.
FlagSum FlagSums::compare(const Instruction *compare) {
  const Compared own(*cast<CmpInst>(compare));
  for (auto [value, bit] : flags) {
    auto *inst = dyn_cast<CmpInst>(value);
    if (!inst || bit >= 0 || bit == Whole || inst->getOpcode() != compare->getOpcode())
      continue;
    Compared other(*inst);
    if (!own.sameOperands(other) && !own.number)
      other.swap();
    if (!own.sameOperands(other))
      continue;
    if (other.predicate == own.predicate)
      return atom(inst);
    if (CmpInst::getInversePredicate(other.predicate) == own.predicate)
      return FlagSum(1) - atom(inst);
  }
  return atom(compare);
}

} // namespace acis::import
