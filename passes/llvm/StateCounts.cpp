// What happens next in a loop that writes nothing depends on a few values alone. If they are what
// they were before, the loop never ends; C lets a compiler assume that it does (C11 6.8.5p6). So it
// has no more iterations than these values have states: a search in a hash table with (h + 1) %
// 128, a chain of indices, a bit that is shifted to its place.
#include "passes/llvm/StateCounts.h"

#include "passes/llvm/ArrayCounts.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

constexpr uint64_t MostStates = 4096; ///< of more a bound says little

class States {
public:
  States(const Loop &loop, const DominatorTree &dominators, ScalarEvolution &evolution,
         LazyValueInfo &values)
      : loop(loop), dominators(dominators), evolution(evolution), values(values) {}

  std::optional<uint64_t> count() {
    if (!repeatsForEver() || !findValues())
      return std::nullopt;
    uint64_t states = 1;
    for (const PHINode *value : deciding)
      if ((states *= statesOf(*value)) > MostStates)
        return std::nullopt;
    return states;
  }

private:
  /// Whether an iteration does nothing but compute the next one's values.
  bool repeatsForEver() const {
    return hasMustProgress(&loop) && all_of(loop.blocks(), [](const BasicBlock *block) {
             return all_of(*block, [](const Instruction &inst) {
               auto *load = dyn_cast<LoadInst>(&inst);
               auto *marker = dyn_cast<IntrinsicInst>(&inst);
               return (marker && (marker->isAssumeLikeIntrinsic() ||
                                  marker->getIntrinsicID() == Intrinsic::fake_use)) ||
                      (load ? load->isSimple() && !isStreamPointer(load->getPointerOperand())
                            : !inst.mayReadOrWriteMemory());
             });
           });
  }

  /// The values of the header that decide when the loop ends; false if there are too many.
  bool findValues() {
    SmallSetVector<const Value *, 32> work;
    for (const BasicBlock *block : loop.blocks())
      work.insert(block->getTerminator());
    for (unsigned number = 0; number < work.size(); ++number) {
      auto *inst = dyn_cast<Instruction>(work[number]);
      if (!inst || !loop.contains(inst))
        continue;
      auto *phi = dyn_cast<PHINode>(inst);
      if (phi && phi->getParent() == loop.getHeader()) {
        deciding.push_back(phi);
        work.insert(phi->getIncomingValueForBlock(loop.getLoopLatch()));
      } else {
        work.insert(inst->op_begin(), inst->op_end());
      }
    }
    return !deciding.empty() && deciding.size() <= 4;
  }

  uint64_t statesOf(const PHINode &value) {
    if (!value.getType()->isIntegerTy())
      return MostStates + 1;
    const unsigned bits = value.getType()->getIntegerBitWidth();
    const Value *next = value.getIncomingValueForBlock(loop.getLoopLatch());
    const APInt *by = nullptr;
    if (match(next, m_Shl(m_Specific(&value), m_APInt(by))) && by->ult(bits) && !by->isZero())
      return divideCeil(bits, by->getZExtValue()) + 1; // all bits are out then
    const uint64_t own = statesAt(value, *loop.getHeader());
    const uint64_t first = 1, others = statesAt(*next, *loop.getLoopLatch());
    return std::min({own, SaturatingAdd(first, others), placesOf(value), MostStates + 1});
  }

  /// Values that are possible at the end of a block.
  uint64_t statesAt(const Value &value, const BasicBlock &block) {
    const ConstantRange range = values.getConstantRange(
        const_cast<Value *>(&value), const_cast<Instruction *>(block.getTerminator()),
        /*UndefAllowed=*/false);
    return range.isFullSet() ? UINT64_MAX : (range.getUpper() - range.getLower()).getLimitedValue();
  }

  /// Elements of an array that is accessed at the value in each iteration that goes on.
  uint64_t placesOf(const PHINode &value) {
    uint64_t least = UINT64_MAX;
    for (const BasicBlock *block : loop.blocks())
      if (dominators.dominates(block, loop.getLoopLatch()))
        for (const Instruction &inst : *block)
          if (const uint64_t places = placesAt(inst, value, evolution))
            least = std::min(least, places);
    return least;
  }

  const Loop &loop;
  const DominatorTree &dominators;
  ScalarEvolution &evolution;
  LazyValueInfo &values;
  SmallVector<const PHINode *, 4> deciding;
};

} // namespace

std::optional<uint64_t> countByStates(const Loop &loop, const DominatorTree &dominators,
                                      ScalarEvolution &evolution, LazyValueInfo &values) {
  if (!loop.getLoopLatch() || !loop.isInnermost())
    return std::nullopt;
  return States(loop, dominators, evolution, values).count();
}

} // namespace acis
