// Each iteration reads the last words of its window, as many as a step has, and hands them on.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <map>
#include <set>

using namespace llvm;

namespace acis {
namespace {

constexpr size_t MaxKept = 64; ///< words of a window; more are no values of an iteration

/// The words that iterations need, by their distance from the first one.
class KeptWindow {
public:
  KeptWindow(Loop &loop, const DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), dominators(dominators), evolution(evolution) {}

  bool run(ArrayRef<LoadInst *> reads) {
    if (!loop.getLoopPreheader() || !findOffsets(reads) || byOffset.rbegin()->first < step ||
        !findNeeded() || !isReadFirst() || !findStart())
      return false;
    keep();
    return true;
  }

private:
  /// False if the words are no elements of one window.
  bool findOffsets(ArrayRef<LoadInst *> reads) {
    std::optional<Footprint> window = windowOf(reads, loop, evolution);
    if (!window)
      return false;
    type = reads.front()->getType();
    step = window->step;
    const int64_t bytes = bytesOf(*reads.front());
    return step != 0 && step % bytes == 0 && all_of(reads, [&](LoadInst *read) {
             const Footprint print = *footprintOf(*read, loop, evolution);
             const int64_t offset = *distance(window->start, print.start, evolution);
             return read->getType() == type && offset % bytes == 0 &&
                    byOffset.insert({offset, read}).second;
           });
  }

  /// Whether a word is among the last ones, which the next iteration reads anew.
  bool isFresh(int64_t offset) const { return offset + step > byOffset.rbegin()->first; }

  /// What is kept was read as the last words of an earlier iteration.
  bool findNeeded() {
    for (auto &[offset, read] : byOffset)
      for (int64_t at = offset; needed.insert(at).second && !isFresh(at);)
        at += step;
    return needed.size() <= MaxKept;
  }

  /// Whether the last word is read by each iteration, the first one whenever the loop is entered,
  /// so that the stream has the others.
  bool isReadFirst() const {
    SmallVector<BasicBlock *, 4> blocks;
    loop.getExitingBlocks(blocks);
    blocks.push_back(loop.getLoopLatch());
    return all_of(blocks, [&](BasicBlock *to) {
      return dominators.dominates(byOffset.rbegin()->second->getParent(), to);
    });
  }

  /// Whether the address of the last word of the first iteration is known in front of the loop.
  bool findStart() {
    Value *place = byOffset.rbegin()->second->getPointerOperand();
    auto *moving = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(place));
    start = moving && moving->getLoop() == &loop ? moving->getStart() : nullptr;
    return start &&
           canExpandAt(*start, *loop.getLoopPreheader()->getTerminator(), dominators, evolution);
  }

  /// Reads a word in front of an instruction, by the address of the last one there.
  Value *readAt(int64_t offset, Value *lastPlace, Instruction &at) {
    LoadInst &model = *byOffset.rbegin()->second;
    IRBuilder<> builder(&at);
    builder.SetCurrentDebugLocation(model.getDebugLoc());
    Value *place = addressBehind(builder, lastPlace, offset - byOffset.rbegin()->first);
    return builder.CreateLoad(type, place, model.getName() + ".kept");
  }

  void keep() {
    LoadInst &last = *byOffset.rbegin()->second;
    Instruction *before = loop.getLoopPreheader()->getTerminator();
    Value *firstLast =
        SCEVExpander(evolution, "word")
            .expandCodeFor(start, last.getPointerOperandType(), before->getIterator());
    std::map<int64_t, Value *> values;
    for (int64_t offset : needed) {
      if (isFresh(offset)) {
        auto read = byOffset.find(offset);
        values[offset] =
            read != byOffset.end() ? read->second : readAt(offset, last.getPointerOperand(), last);
        continue;
      }
      auto *phi = PHINode::Create(type, 2, last.getName() + ".kept", loop.getHeader()->begin());
      phi->addIncoming(readAt(offset, firstLast, *before), loop.getLoopPreheader());
      values[offset] = phi;
    }
    for (int64_t offset : needed)
      if (auto *phi = dyn_cast<PHINode>(values[offset]); phi && !isFresh(offset))
        phi->addIncoming(values[offset + step], loop.getLoopLatch());
    for (auto &[offset, read] : byOffset)
      if (!isFresh(offset)) {
        read->replaceAllUsesWith(values[offset]);
        read->eraseFromParent();
      }
  }

  Loop &loop;
  const DominatorTree &dominators;
  ScalarEvolution &evolution;
  std::map<int64_t, LoadInst *> byOffset; ///< bytes from the start of the window
  std::set<int64_t> needed;
  const SCEV *start = nullptr; ///< address of the last one in iteration 0
  Type *type = nullptr;
  int64_t step = 0;
};

/// Whether no loop in it reads the input as well.
bool isReadHereAlone(const Loop &loop, ArrayRef<LoadInst *> reads) {
  return all_of(inputReadsOf(*loop.getHeader()->getParent()),
                [&](LoadInst *read) { return !loop.contains(read) || is_contained(reads, read); });
}

} // namespace

bool keepWindow(Loop &loop, ArrayRef<LoadInst *> reads, const DominatorTree &dominators,
                ScalarEvolution &evolution) {
  return !reads.empty() && isReadHereAlone(loop, reads) &&
         evolution.getSmallConstantTripCount(&loop) == 0 &&
         KeptWindow(loop, dominators, evolution).run(reads);
}

} // namespace acis
