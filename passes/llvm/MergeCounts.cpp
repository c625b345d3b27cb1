// Counters that an iteration moves on by 1 or leaves: where one moves, it has been the place of an
// access, so it moves no further than its array goes.
#include "passes/llvm/ArrayCounts.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

struct Mover {
  const PHINode *counter, *next; ///< in the header; where the ways of an iteration meet
  uint64_t places;               ///< of the largest array that it goes through
  SmallVector<const BasicBlock *, 4> accesses;
};

class Merge {
public:
  Merge(const Loop &loop, const DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), dominators(dominators), evolution(evolution) {}

  /// Iterations that move one counter each, of all counters together.
  std::optional<uint64_t> count() {
    SmallVector<Mover, 4> movers;
    for (const PHINode &counter : loop.getHeader()->phis())
      if (std::optional<Mover> mover = moverOf(counter))
        movers.push_back(std::move(*mover));
    for (const Mover &first : movers) {
      const BasicBlock *meeting = first.next->getParent();
      if (!dominators.dominates(meeting, loop.getLoopLatch()) ||
          !all_of(predecessors(meeting), [&](const BasicBlock *way) {
            return any_of(movers, [&](const Mover &mover) { return moves(mover, *meeting, *way); });
          }))
        continue;
      uint64_t sum = 0;
      for (const Mover &mover : movers)
        sum += mover.next->getParent() == meeting ? mover.places : 0;
      return sum;
    }
    return std::nullopt;
  }

private:
  /// None if the counter may do anything else, or is the place of no access.
  std::optional<Mover> moverOf(const PHINode &counter) {
    auto *next = dyn_cast<PHINode>(counter.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || next == &counter || !counter.getType()->isIntegerTy(32) ||
        !all_of(next->incoming_values(), [&](const Value *value) {
          return value == &counter || match(value, m_Add(m_Specific(&counter), m_One()));
        }))
      return std::nullopt;
    Mover mover{&counter, next, 0, {}};
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &inst : *block)
        if (const uint64_t places = placesAt(inst, counter, evolution)) {
          mover.places = std::max(mover.places, places);
          mover.accesses.push_back(block);
        }
    return mover.accesses.empty() ? std::nullopt : std::optional(std::move(mover));
  }

  /// Whether the counter moves on, from where it was accessed, on a way to the meeting.
  bool moves(const Mover &mover, const BasicBlock &meeting, const BasicBlock &way) const {
    return mover.next->getParent() == &meeting &&
           mover.next->getIncomingValueForBlock(&way) != mover.counter &&
           any_of(mover.accesses,
                  [&](const BasicBlock *block) { return dominators.dominates(block, &way); });
  }

  const Loop &loop;
  const DominatorTree &dominators;
  ScalarEvolution &evolution;
};

} // namespace

std::optional<uint64_t> countByMerge(const Loop &loop, const DominatorTree &dominators,
                                     ScalarEvolution &evolution) {
  if (!loop.getLoopLatch() || !loop.isInnermost())
    return std::nullopt;
  return Merge(loop, dominators, evolution).count();
}

} // namespace acis
