// See FlagSum.h.
#include "passes/import/FlagSum.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis::import {

static constexpr size_t MaxProducts = 256;
/// Of one comparison: each may double the number of products.
static constexpr unsigned MaxBits = 3;

void FlagSum::add(const Product &product, uint32_t factor) {
  uint32_t &sum = products[product];
  sum += factor;
  if (sum == 0)
    products.erase(product);
  tooLarge |= products.size() > MaxProducts;
}

FlagSum &FlagSum::operator+=(const FlagSum &other) {
  tooLarge |= other.tooLarge;
  for (const auto &[product, factor] : other.products)
    add(product, factor);
  return *this;
}

FlagSum &FlagSum::operator-=(const FlagSum &other) {
  tooLarge |= other.tooLarge;
  for (const auto &[product, factor] : other.products)
    add(product, 0 - factor);
  return *this;
}

FlagSum operator*(const FlagSum &a, const FlagSum &b) {
  FlagSum result;
  result.tooLarge = a.tooLarge || b.tooLarge;
  for (const auto &[left, leftFactor] : a.products)
    for (const auto &[right, rightFactor] : b.products) {
      if (result.tooLarge)
        return result;
      FlagSum::Product both = left;
      for (auto [flag, least] : right.first)
        both.first[flag] = std::max(both.first[flag], least);
      result.tooLarge |= left.second && right.second;
      if (!both.second)
        both.second = right.second;
      result.add(both, leftFactor * rightFactor);
    }
  return result;
}

namespace {

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

/// v + 2 < 5 says where v is; extensions by zeros say it of what they extend.
std::optional<Comparison> comparisonOf(const Instruction &inst) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  const Value *value = nullptr, *from = nullptr;
  const APInt *number = nullptr;
  if (!match(&inst, m_ICmp(predicate, m_Value(value), m_APInt(number))) ||
      number->getBitWidth() > 64)
    return std::nullopt;
  ConstantRange range = ConstantRange::makeExactICmpRegion(predicate, *number);
  for (;; value = from) {
    if (match(value, m_Add(m_Value(from), m_APInt(number))) &&
        number->getBitWidth() == range.getBitWidth())
      range = range.subtract(*number);
    else if (!match(value, m_ZExt(m_Value(from))) && !match(value, m_Freeze(m_Value(from))))
      return Comparison{value, range};
  }
}

} // namespace

FlagSums::FlagSums(const NestShape &nest) : loop(*nest.root().loop) {
  for (const LoopShape &shape : nest.loops)
    for (const Item &item : shape.body) {
      if (item.kind == Item::Kind::Merge)
        merges[item.inst] = &item;
      else if (item.kind == Item::Kind::Inst)
        if (std::optional<Comparison> found = comparisonOf(*item.inst))
          limits[found->value].insert(found->limits());
    }
}

FlagSum FlagSums::integer(const Value *value) {
  if (auto known = integers.find(value); known != integers.end())
    return known->second;
  FlagSum made = makeInteger(value);
  integers.emplace(value, made);
  return made;
}

FlagSum FlagSums::condition(const Value *value) {
  if (auto known = conditions.find(value); known != conditions.end())
    return known->second;
  FlagSum made = makeCondition(value);
  conditions.emplace(value, made);
  return made;
}

FlagSum FlagSums::predicate(const Predicate *predicate) {
  FlagSum all(1);
  for (; predicate; predicate = predicate->outer) {
    FlagSum own = condition(predicate->condition);
    all = all * (predicate->value ? own : FlagSum(1) - own);
  }
  return all;
}

FlagSum FlagSums::makeInteger(const Value *value) {
  using namespace PatternMatch;
  if (auto *literal = dyn_cast<ConstantInt>(value))
    return FlagSum(uint32_t(literal->getValue().getLoBits(32).zextOrTrunc(64).getZExtValue()));
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst))
    return FlagSum::value(value);
  auto choose = [&](const Value *flag, const Value *ifTrue, const Value *ifFalse) {
    FlagSum otherwise = integer(ifFalse);
    return otherwise + condition(flag) * (integer(ifTrue) - otherwise);
  };
  if (auto merge = merges.find(value); merge != merges.end())
    return choose(merge->second->condition, merge->second->ifTrue, merge->second->ifFalse);
  const Value *a = nullptr, *b = nullptr, *c = nullptr;
  const APInt *by = nullptr;
  bool isWord = value->getType()->isPointerTy() || value->getType()->isIntegerTy(32) ||
                value->getType()->isIntegerTy(64);
  if (!isWord)
    return FlagSum::value(value);
  if (match(value, m_ZExt(m_Value(a))) && a->getType()->isIntegerTy(1))
    return condition(a);
  if (match(value, m_SExt(m_Value(a))) && a->getType()->isIntegerTy(1))
    return FlagSum() - condition(a);
  if (match(value, m_ZExtOrSExt(m_Value(a))) && a->getType()->isIntegerTy(32))
    return integer(a);
  if (match(value, m_Trunc(m_Value(a))) || match(value, m_Freeze(m_Value(a))))
    return integer(a);
  if (match(value, m_AddLike(m_Value(a), m_Value(b))))
    return integer(a) + integer(b);
  if (std::optional<FlagSum> bit = singleBit(value))
    return *bit;
  if (match(value, m_Sub(m_Value(a), m_Value(b))))
    return integer(a) - integer(b);
  if (match(value, m_Mul(m_Value(a), m_Value(b))))
    return integer(a) * integer(b);
  if (match(value, m_Shl(m_Value(a), m_APInt(by))))
    return by->uge(32) ? FlagSum() : integer(a) * FlagSum(uint32_t(1) << by->getZExtValue());
  if (match(value, m_Select(m_Value(c), m_Value(a), m_Value(b))))
    return choose(c, a, b);
  if (auto *pointer = dyn_cast<GEPOperator>(value)) {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(32, 0);
    const DataLayout &layout = inst->getDataLayout();
    if (layout.getIndexTypeSizeInBits(pointer->getType()) == 32 &&
        pointer->collectOffset(layout, 32, variable, constant)) {
      FlagSum sum = integer(pointer->getPointerOperand());
      sum += FlagSum(uint32_t(constant.getZExtValue()));
      for (const auto &[part, scale] : variable)
        sum += integer(part) * FlagSum(uint32_t(scale.getZExtValue()));
      return sum;
    }
  }
  return FlagSum::value(value);
}

FlagSum FlagSums::makeCondition(const Value *value) {
  using namespace PatternMatch;
  if (auto *literal = dyn_cast<ConstantInt>(value))
    return FlagSum(literal->isZero() ? 0 : 1);
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst))
    return atom(value);
  const Value *a = nullptr, *b = nullptr, *c = nullptr;
  auto choose = [&](const Value *flag, const Value *ifTrue, const Value *ifFalse) {
    FlagSum otherwise = condition(ifFalse);
    return otherwise + condition(flag) * (condition(ifTrue) - otherwise);
  };
  if (auto merge = merges.find(value); merge != merges.end())
    return choose(merge->second->condition, merge->second->ifTrue, merge->second->ifFalse);
  if (match(value, m_Freeze(m_Value(a))))
    return condition(a);
  if (match(value, m_Not(m_Value(a))))
    return FlagSum(1) - condition(a);
  if (match(value, m_And(m_Value(a), m_Value(b))))
    return condition(a) * condition(b);
  if (match(value, m_Or(m_Value(a), m_Value(b)))) {
    FlagSum left = condition(a), right = condition(b);
    return left + right - left * right;
  }
  if (match(value, m_Xor(m_Value(a), m_Value(b)))) {
    FlagSum left = condition(a), right = condition(b);
    return left + right - FlagSum(2) * left * right;
  }
  if (match(value, m_Select(m_Value(c), m_Value(a), m_Value(b))))
    return choose(c, a, b);
  if (match(value, m_Trunc(m_Value(a))))
    return bitAtom(a, 0);
  if (std::optional<FlagSum> range = compareRanges(inst))
    return *range;
  if (std::optional<FlagSum> bit = bitTest(value))
    return *bit;
  return llvm::isa<CmpInst>(inst) ? compare(inst) : atom(value);
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

/// What InstCombine makes of an integer that is a condition: x & 4, (x & 4) >> 2, x >> 31.
std::optional<FlagSum> FlagSums::singleBit(const Value *value) {
  using namespace PatternMatch;
  const Value *from = nullptr;
  const APInt *mask = nullptr, *by = nullptr;
  unsigned width = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
  if (width != 32)
    return std::nullopt;
  if (match(value, m_And(m_Value(from), m_APInt(mask))) && mask->isPowerOf2())
    return FlagSum(uint32_t(mask->getZExtValue())) * bitAtom(from, mask->logBase2());
  if (!match(value, m_LShr(m_Value(from), m_APInt(by))) || by->uge(width))
    return std::nullopt;
  unsigned shift = unsigned(by->getZExtValue());
  if (shift == width - 1)
    return bitAtom(from, shift);
  if (match(from, m_And(m_Value(from), m_APInt(mask))) && mask->isPowerOf2() &&
      mask->logBase2() >= shift)
    return FlagSum(uint32_t(1) << (mask->logBase2() - shift)) * bitAtom(from, mask->logBase2());
  return std::nullopt;
}

/// A comparison that asks for one bit, or for a few.
std::optional<FlagSum> FlagSums::bitTest(const Value *compare) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  const Value *from = nullptr, *masked = nullptr;
  const APInt *mask = nullptr, *number = nullptr;
  if (!match(compare, m_ICmp(predicate, m_Value(masked), m_APInt(number))))
    return std::nullopt;
  unsigned top = number->getBitWidth() - 1;
  if (predicate == CmpInst::ICMP_SLT && number->isZero())
    return bitAtom(masked, top);
  if (predicate == CmpInst::ICMP_SGT && number->isAllOnes())
    return FlagSum(1) - bitAtom(masked, top);
  if (!ICmpInst::isEquality(predicate) || !match(masked, m_And(m_Value(from), m_APInt(mask))) ||
      mask->popcount() > MaxBits || !number->isSubsetOf(*mask))
    return std::nullopt;
  FlagSum areEqual(1);
  for (unsigned bit = 0; bit <= top; ++bit)
    if ((*mask)[bit]) {
      FlagSum isSet = bitAtom(from, bit);
      areEqual = areEqual * ((*number)[bit] ? isSet : FlagSum(1) - isSet);
    }
  return predicate == CmpInst::ICMP_EQ ? areEqual : FlagSum(1) - areEqual;
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

/// A comparison with a constant of a value that is compared with others, too.
std::optional<FlagSum> FlagSums::compareRanges(const Instruction *compare) {
  const std::optional<Comparison> own = comparisonOf(*compare);
  if (!own || !isCompared(own->value))
    return std::nullopt;
  const ConstantRange &range = own->range;
  if (range.isFullSet() || range.isEmptySet())
    return FlagSum(range.isFullSet());
  const FlagSum from = atLeast(own->value, range.getLower().getZExtValue());
  if (range.getUpper().isZero())
    return from;
  const FlagSum behind = atLeast(own->value, range.getUpper().getZExtValue());
  return range.isWrappedSet() ? FlagSum(1) - behind + from : from - behind;
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
