// Integers as sums over flags: c0 + c1 * a + c2 * [p] * [q] + ..., modulo 2^32, where a is a
// value of the loop and [p] is 1 where the condition p holds, else 0. Two such sums that are
// equal as terms are equal for all values of the conditions; that is what makes
//   if (p) out[n++] = x;
// and all that compilers make of it comparable.
//
// A condition is "v >= c", without signs, for a value or a bit v and a constant c: of two that hold
// of one v, the one with the larger c says both, so a product has one for each v. All comparisons
// of v with constants are sums of such conditions, [v == c] is [v >= c] - [v >= c + 1]: those of a
// switch add up to 1, however the compiler asks for them.
#pragma once

#include "passes/import/LoopShape.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace acis::import {

class FlagSum {
public:
  /// A product of flags, by number with the least value that each asks for, and perhaps one value.
  using Product = std::pair<std::map<unsigned, uint64_t>, const llvm::Value *>;

  FlagSum() = default;
  explicit FlagSum(uint32_t constant) { add({}, constant); }
  static FlagSum flag(unsigned number, uint64_t least = 1) {
    return FlagSum(Product{{{number, least}}, nullptr});
  }
  static FlagSum value(const llvm::Value *value) { return FlagSum(Product{{}, value}); }

  FlagSum &operator+=(const FlagSum &other);
  FlagSum &operator-=(const FlagSum &other);
  friend FlagSum operator+(FlagSum a, const FlagSum &b) { return a += b; }
  friend FlagSum operator-(FlagSum a, const FlagSum &b) { return a -= b; }
  friend FlagSum operator*(const FlagSum &a, const FlagSum &b);

  bool isZero() const { return !tooLarge && products.empty(); }
  /// It grew beyond what is worth comparing, or has a product of two values.
  bool isUnknown() const { return tooLarge; }
  const std::map<Product, uint32_t> &terms() const { return products; }

private:
  explicit FlagSum(Product product) { products[std::move(product)] = 1; }
  void add(const Product &product, uint32_t factor);

  std::map<Product, uint32_t> products; ///< no factor is 0
  bool tooLarge = false;
};

/// Values of a loop as such sums.
class FlagSums {
public:
  explicit FlagSums(const NestShape &nest);

  FlagSum integer(const llvm::Value *value);
  FlagSum condition(const llvm::Value *value);
  FlagSum predicate(const Predicate *predicate);

private:
  struct Choice {
    const llvm::Value *condition, *ifTrue, *ifFalse;
  };
  /// Of a value with a choice of constants.
  struct ChoiceCompared {
    llvm::CmpInst::Predicate predicate;
    const llvm::Value *value, *options;
  };
  std::optional<Choice> choiceOf(const llvm::Value *value) const;
  bool eachOption(const llvm::Value *options,
                  llvm::function_ref<void(const llvm::ConstantInt &)> then,
                  unsigned depth = 0) const;
  void noteComparison(const llvm::Instruction &inst);
  FlagSum compareOptions(llvm::CmpInst::Predicate predicate, const llvm::Value *value,
                         const llvm::Value *options);
  FlagSum within(const llvm::Value *value, const llvm::ConstantRange &range);
  FlagSum makeInteger(const llvm::Value *value);
  FlagSum makeCondition(const llvm::Value *value);
  FlagSum atom(const llvm::Value *value, int bit = -1);
  FlagSum bitAtom(const llvm::Value *value, unsigned bit);
  FlagSum compare(const llvm::Instruction *compare);
  std::optional<FlagSum> compareRanges(const llvm::Instruction *compare);
  FlagSum atLeast(const llvm::Value *value, uint64_t least);
  bool isCompared(const llvm::Value *value) const;
  std::optional<FlagSum> singleBit(const llvm::Value *value);
  std::optional<FlagSum> bitTest(const llvm::Value *compare);

  const llvm::Loop &loop;
  std::map<const llvm::Value *, const Item *> merges;
  std::map<const llvm::Value *, FlagSum> integers, conditions;
  /// By number: a condition, a bit of a value, or all of it.
  std::vector<std::pair<const llvm::Value *, int>> flags;
  std::map<const llvm::Value *, ChoiceCompared> choices; ///< by comparison
  /// Of values, the ranges that conditions ask for.
  std::map<const llvm::Value *, std::set<std::pair<uint64_t, uint64_t>>> limits;
};

} // namespace acis::import
