// See Positions.h. A position is followed from the end of an iteration to its start.
#include "passes/llvm/windows/Positions.h"

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

class Mover {
public:
  Mover(const Loop &loop, ScalarEvolution &evolution, LazyValueInfo &values)
      : loop(loop), evolution(evolution), values(values) {}

  /// What is added to the position, of those that the iteration comes to the end with.
  std::optional<ConstantRange> movedBy(Value *value, PHINode &phi, Instruction &at,
                                       unsigned depth = 0) {
    constexpr unsigned MaxDepth = 8; ///< sums and choices behind a position
    const unsigned bits = phi.getType()->getIntegerBitWidth();
    if (value == &phi)
      return ConstantRange(APInt::getZero(bits));
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !loop.contains(inst) || depth == MaxDepth)
      return std::nullopt;
    auto join = [&](std::optional<ConstantRange> one, std::optional<ConstantRange> other) {
      return one && other ? std::optional(one->unionWith(*other)) : std::nullopt;
    };
    if (auto *choice = dyn_cast<SelectInst>(inst))
      return join(movedBy(choice->getTrueValue(), phi, at, depth + 1),
                  movedBy(choice->getFalseValue(), phi, at, depth + 1));
    if (auto *merge = dyn_cast<PHINode>(inst); merge && merge->getParent() != loop.getHeader()) {
      std::optional<ConstantRange> all = ConstantRange::getEmpty(bits);
      for (auto [option, block] : zip(merge->incoming_values(), merge->blocks()))
        all = join(all, movedBy(option, phi, *block->getTerminator(), depth + 1));
      return all;
    }
    Value *one = nullptr, *other = nullptr;
    const APInt *mask = nullptr;
    if (match(inst, m_And(m_Value(one), m_NegatedPower2(mask)))) { // rounded down
      const ConstantRange less = ConstantRange::getNonEmpty(APInt::getZero(bits), -*mask);
      std::optional<ConstantRange> before = movedBy(one, phi, at, depth + 1);
      return before ? std::optional(before->sub(less)) : std::nullopt;
    }
    if (!match(inst, m_AddLike(m_Value(one), m_Value(other))))
      return std::nullopt;
    for (auto [position, step] : {std::pair(one, other), std::pair(other, one)})
      if (std::optional<ConstantRange> before = movedBy(position, phi, at, depth + 1))
        return before->add(rangeOf(step, at));
    return std::nullopt;
  }

private:
  ConstantRange rangeOf(Value *value, Instruction &at) {
    const SCEV *known = evolution.getSCEV(value);
    return evolution.getUnsignedRange(known)
        .intersectWith(evolution.getSignedRange(known))
        .intersectWith(values.getConstantRange(value, &at, /*UndefAllowed=*/false));
  }

  const Loop &loop;
  ScalarEvolution &evolution;
  LazyValueInfo &values;
};

} // namespace

std::optional<ConstantRange> movedInIteration(PHINode &position, const Loop &loop,
                                              ScalarEvolution &evolution, LazyValueInfo &values) {
  return Mover(loop, evolution, values)
      .movedBy(position.getIncomingValueForBlock(loop.getLoopLatch()), position,
               *loop.getLoopLatch()->getTerminator());
}

} // namespace acis
