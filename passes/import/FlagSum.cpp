// See FlagSum.h.
#include "passes/import/FlagSum.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis::import {

static constexpr size_t MaxProducts = 256;

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

FlagSums::FlagSums(const NestShape &nest) : loop(*nest.root().loop) {
  for (const LoopShape &shape : nest.loops)
    for (const Item &item : shape.body)
      if (item.kind == Item::Kind::Merge)
        merges[item.inst] = &item;
  for (const LoopShape &shape : nest.loops)
    for (const Item &item : shape.body)
      if (item.kind == Item::Kind::Inst)
        noteComparison(*item.inst);
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
  if (match(value, m_Sub(m_Value(a), m_Value(b))))
    return integer(a) - integer(b);
  if (match(value, m_Mul(m_Value(a), m_Value(b))))
    return integer(a) * integer(b);
  if (match(value, m_Shl(m_Value(a), m_APInt(by))))
    return by->uge(32) ? FlagSum() : integer(a) * FlagSum(uint32_t(1) << by->getZExtValue());
  if (match(value, m_Select(m_Value(c), m_Value(a), m_Value(b))))
    return choose(c, a, b);
  if (std::optional<FlagSum> bit = singleBit(value))
    return *bit;
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
  if (auto compared = choices.find(value); compared != choices.end())
    return compareOptions(compared->second.predicate, compared->second.value,
                          compared->second.options);
  if (std::optional<FlagSum> bit = bitTest(value))
    return *bit;
  return llvm::isa<CmpInst>(inst) ? compare(inst) : atom(value);
}

} // namespace acis::import
