// Intervals of values, iteration by iteration.
#include "passes/llvm/RangeCounts.h"

#include "passes/llvm/ArrayCounts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis {
namespace {

/// The longest loop that is followed; with more, what runs it to its end waits for too long.
constexpr unsigned MaxBranches = 1024;

/// What each iteration comes to, a way out of the loop or an access: for which values of a number
/// it is the last one.
struct Test {
  const Value *value;
  ConstantRange leaves;
};

/// What a number may be, whenever.
ConstantRange rangeAnywhere(const Value *value, ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(value->getType()))
    return ConstantRange::getFull(value->getType()->getScalarSizeInBits());
  const SCEV *expression = evolution.getSCEV(const_cast<Value *>(value));
  return evolution.getUnsignedRange(expression).intersectWith(evolution.getSignedRange(expression));
}

/// The values of one iteration after the other.
class Iterations {
public:
  Iterations(const Loop &loop, ArrayRef<Test> tests, ScalarEvolution &evolution,
             LazyValueInfo &values)
      : loop(loop), tests(tests), evolution(evolution), values(values) {
    for (const PHINode &phi : loop.getHeader()->phis())
      if (phi.getType()->isIntegerTy())
        counters.push_back(&phi);
  }

  std::optional<uint64_t> count();

private:
  ConstantRange startOf(const PHINode &phi);
  ConstantRange rangeOf(const Value *value, const Instruction *at = nullptr, unsigned depth = 0);
  ConstantRange computed(const Instruction &inst, const Instruction *at, unsigned depth);
  bool endsIn();
  const Value *nextOf(const PHINode &phi) const {
    return phi.getIncomingValueForBlock(loop.getLoopLatch());
  }

  static constexpr unsigned MaxDepth = 8; ///< operations behind a value

  const Loop &loop;
  const ArrayRef<Test> tests;
  ScalarEvolution &evolution;
  LazyValueInfo &values;
  SmallVector<const PHINode *, 4> counters;
  DenseMap<const Value *, ConstantRange> known; ///< in this iteration
};

/// The number of which a value is the other half, without the element between the halves: no
/// interval says that this is at most half of it.
const Value *wholeOf(const Instruction &inst) {
  using namespace PatternMatch;
  const Value *whole = nullptr;
  return match(&inst, m_c_Add(m_Value(whole), m_Not(m_LShr(m_Deferred(whole), m_One())))) ? whole
                                                                                          : nullptr;
}

ConstantRange Iterations::computed(const Instruction &inst, const Instruction *at, unsigned depth) {
  auto operand = [&](unsigned number) { return rangeOf(inst.getOperand(number), at, depth + 1); };
  const unsigned bits = inst.getType()->getIntegerBitWidth();
  if (const Value *whole = wholeOf(inst)) {
    const ConstantRange all = rangeOf(whole, at, depth + 1);
    if (const APInt zero = APInt::getZero(bits); !all.contains(zero))
      return ConstantRange::getNonEmpty(zero, all.getUnsignedMax().lshr(1) + 1);
  }
  if (isa<SelectInst>(inst))
    return operand(1).unionWith(operand(2));
  if (auto *join = dyn_cast<PHINode>(&inst); join && join->getParent() != loop.getHeader()) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    for (auto [value, block] : zip(join->incoming_values(), join->blocks()))
      all = all.unionWith(rangeOf(value, block->getTerminator(), depth + 1));
    return all;
  }
  if (auto *cast = dyn_cast<CastInst>(&inst); cast && cast->getSrcTy()->isIntegerTy())
    return operand(0).castOp(cast->getOpcode(), bits);
  if (auto *disjoint = dyn_cast<PossiblyDisjointInst>(&inst); disjoint && disjoint->isDisjoint())
    return operand(0).add(operand(1));
  if (auto *binary = dyn_cast<BinaryOperator>(&inst))
    return operand(0).binaryOp(binary->getOpcode(), operand(1));
  return ConstantRange::getFull(bits);
}

/// `at`: what holds there is true; null: whatever.
ConstantRange Iterations::rangeOf(const Value *value, const Instruction *at, unsigned depth) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return constant->getValue();
  ConstantRange any = rangeAnywhere(value, evolution);
  if (at)
    any = any.intersectWith(values.getConstantRange(const_cast<Value *>(value),
                                                    const_cast<Instruction *>(at),
                                                    /*UndefAllowed=*/false));
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth == MaxDepth || (isa<PHINode>(inst) && !loop.contains(inst)))
    return any;
  return any.intersectWith(computed(*inst, at, depth));
}

/// Whether the iteration is certain to be the last; else what its tests take away is known.
bool Iterations::endsIn() {
  for (const Test &test : tests) {
    const ConstantRange range = rangeOf(test.value);
    if (test.leaves.contains(range))
      return true;
    known.insert_or_assign(test.value, range.intersectWith(test.leaves.inverse()));
  }
  return false;
}

ConstantRange Iterations::startOf(const PHINode &phi) {
  const Value *start = phi.getIncomingValueForBlock(loop.getLoopPreheader());
  const ConstantRange range = rangeOf(start);
  return evolution.isKnownNonZero(evolution.getSCEV(const_cast<Value *>(start)))
             ? range.intersectWith(ConstantRange(APInt::getZero(range.getBitWidth())).inverse())
             : range;
}

std::optional<uint64_t> Iterations::count() {
  using namespace PatternMatch;
  unsigned bits = 0;
  SmallVector<ConstantRange, 4> ranges, before;
  for (const PHINode *phi : counters) {
    bits = std::max(bits, phi->getType()->getIntegerBitWidth());
    ranges.push_back(startOf(*phi));
  }
  for (unsigned branches = 0; branches <= bits || (branches <= MaxBranches && ranges != before);
       ++branches) {
    known.clear();
    for (auto [phi, range] : zip(counters, ranges)) {
      known.insert({phi, range});
      const bool losesBit =
          match(nextOf(*phi), m_c_And(m_Specific(phi), m_Add(m_Specific(phi), m_AllOnes())));
      if (losesBit && branches + 1 >= range.getBitWidth())
        known.insert({nextOf(*phi), APInt::getZero(range.getBitWidth())});
    }
    if (endsIn())
      return branches;
    before = ranges;
    for (auto [phi, range] : zip(counters, ranges))
      range = rangeOf(nextOf(*phi));
  }
  return std::nullopt;
}

/// What a branch tests: each side, without what is added to it, against all that the other may be.
void addTests(const BranchInst &branch, const Loop &loop, ScalarEvolution &evolution,
              SmallVectorImpl<Test> &tests) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  const Value *left = nullptr, *right = nullptr;
  if (!branch.isConditional() ||
      !match(branch.getCondition(), m_ICmp(predicate, m_Value(left), m_Value(right))) ||
      !left->getType()->isIntegerTy())
    return;
  CmpInst::Predicate leaves = predicate;
  if (loop.contains(branch.getSuccessor(0)))
    leaves = CmpInst::getInversePredicate(leaves);
  auto add = [&](const Value *value, CmpInst::Predicate leaves, const Value *other) {
    ConstantRange range =
        ConstantRange::makeSatisfyingICmpRegion(leaves, rangeAnywhere(other, evolution));
    const Value *from = nullptr;
    const APInt *offset = nullptr;
    if (match(value, m_Add(m_Value(from), m_APInt(offset))))
      tests.push_back({from, range.subtract(*offset)}); // x / 7 == 0 is x + 6 < 13, without signs
    else if (!isa<Constant>(value))
      tests.push_back({value, range});
  };
  add(left, leaves, right);
  add(right, CmpInst::getSwappedPredicate(leaves), left);
}

/// An element of an array that each iteration accesses: C does not access what is none.
void addAccess(const Instruction &inst, SmallVectorImpl<Test> &tests) {
  const DataLayout &data = inst.getDataLayout();
  auto *place = dyn_cast_or_null<GEPOperator>(getLoadStorePointerOperand(&inst));
  const int64_t bytes = place ? int64_t(bytesOf(*place->getPointerOperand(), data)) : 0;
  const unsigned bits = data.getIndexSizeInBits(0);
  SmallMapVector<Value *, APInt, 4> indices;
  APInt offset(bits, 0);
  if (bytes == 0 || !place->collectOffset(data, bits, indices, offset) || indices.size() != 1)
    return;
  const auto &[index, stride] = indices.front();
  const int64_t step = stride.getSExtValue(), start = offset.getSExtValue();
  const int64_t last = bytes - int64_t(data.getTypeStoreSize(getLoadStoreType(&inst))) - start;
  if (!index->getType()->isIntegerTy(bits) || step <= 0 || start < 0 || last < 0)
    return;
  const ConstantRange elements(APInt::getZero(bits), APInt(bits, uint64_t(last / step) + 1));
  tests.push_back({index, elements.inverse()});
}

} // namespace

std::optional<uint64_t> countByRanges(const Loop &loop, const DominatorTree &dominators,
                                      ScalarEvolution &evolution, LazyValueInfo &values) {
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader())
    return std::nullopt;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  erase_if(exiting, [&](const BasicBlock *block) { return !dominators.dominates(block, latch); });
  llvm::sort(exiting, [&](const BasicBlock *a, const BasicBlock *b) {
    return dominators.properlyDominates(a, b);
  });
  SmallVector<Test, 4> tests;
  for (const BasicBlock *block : exiting)
    if (auto *branch = dyn_cast<BranchInst>(block->getTerminator()))
      addTests(*branch, loop, evolution, tests);
  for (const BasicBlock *block : loop.blocks())
    if (dominators.dominates(block, latch))
      for (const Instruction &inst : *block)
        addAccess(inst, tests);
  return Iterations(loop, tests, evolution, values).count();
}

} // namespace acis
