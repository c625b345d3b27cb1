// Windows of loops' iterations: a word that an iteration reads under conditions is read by each.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/KeptWindows.h"
#include "passes/llvm/windows/Packet.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

class LoopWindow {
public:
  LoopWindow(Loop &loop, ArrayRef<LoadInst *> reads, const LoopInfo &loops,
             const DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), latch(loop.getLoopLatch()), loops(loops), dominators(dominators),
        evolution(evolution), packet(*latch->getParent(), loops, evolution), reads(reads) {}

  bool run() {
    bool changed = false;
    for (Word &word : wordsOf(reads, evolution))
      changed |= readOnce(word);
    return changed;
  }

  ArrayRef<LoadInst *> readsLeft() const { return reads; }

private:
  /// Reads a word in each iteration if it is there, else at least once on each way.
  bool readOnce(Word &word) {
    BasicBlock *common = word.reads.front()->getParent();
    for (LoadInst *read : word.reads)
      common = dominators.findNearestCommonDominator(common, read->getParent());
    const bool isOne = word.reads.size() == 1;
    if (isOne && isInEach(*common))
      return false;
    // What a loop that ends early has read is counted where its exits are rewritten.
    const bool isInPacket = loop.getExitingBlock() && packet.holds(*word.reads.front());
    for (BasicBlock *to = common; loop.contains(to);
         to = dominators.getNode(to)->getIDom()->getBlock())
      if (loops.getLoopFor(to) == &loop && isInEach(*to) && (isInPacket || isRead(word, *to)))
        return moveTo(word, *to);
    return !isOne && loops.getLoopFor(common) == &loop && isRead(word, *common) &&
           moveTo(word, *common);
  }

  bool isInEach(const BasicBlock &block) const { return dominators.dominates(&block, latch); }

  /// Whether a read is of the word or of a later one: it passes the word.
  bool passes(const LoadInst &read, const Word &word) {
    std::optional<int64_t> later = distance(word.place, placeOf(read, evolution), evolution);
    return later && *later >= 0;
  }

  bool holdsPass(const BasicBlock &block, const Word &word) {
    return any_of(reads, [&](const LoadInst *read) {
      return read->getParent() == &block && passes(*read, word);
    });
  }

  /// Whether each way from the end of a block, or from a read of the word in it, passes the word
  /// before the iteration ends.
  bool isRead(const Word &word, BasicBlock &from) {
    if (firstIn(word, from))
      return true;
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *, 8> work(successors(&from));
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (block == loop.getHeader() || !loop.contains(block))
        return false;
      if (!seen.insert(block).second || holdsPass(*block, word))
        continue;
      append_range(work, successors(block));
    }
    return true;
  }

  static LoadInst *firstIn(const Word &word, const BasicBlock &block) {
    auto *found = find_if(word.reads, [&](LoadInst *read) { return read->getParent() == &block; });
    return found == word.reads.end() ? nullptr : *found;
  }

  /// Makes the read at the end of a block that dominates all of them, or at the first one in it.
  bool moveTo(Word &word, BasicBlock &to) {
    LoadInst *first = firstIn(word, to);
    if (!first) {
      if (!all_of(word.reads, [&](LoadInst *read) { return isQuiet(word, to, *read); }))
        return false;
      first = word.reads.front();
      Instruction *at = to.getTerminator();
      Value *place = placeAt(word, *at);
      if (!place)
        return false;
      first->moveBefore(at->getIterator());
      first->setOperand(LoadInst::getPointerOperandIndex(), place);
    }
    for (LoadInst *read : word.reads)
      if (read != first) {
        read->replaceAllUsesWith(first);
        erase(reads, read);
        read->eraseFromParent();
      }
    word.reads = {first};
    return true;
  }

  /// The address of the word in front of an instruction: from that of another read if one is known
  /// there, else computed anew; null if it cannot be.
  Value *placeAt(const Word &word, Instruction &at) {
    for (LoadInst *read : reads) {
      std::optional<int64_t> behind = distance(placeOf(*read, evolution), word.place, evolution);
      Value *pointer = read->getPointerOperand();
      if (behind && dominators.dominates(pointer, &at))
        return *behind == 0 ? pointer
                            : IRBuilder<>(&at).CreateConstGEP1_64(Type::getInt8Ty(at.getContext()),
                                                                  pointer, uint64_t(*behind));
    }
    Value *model = word.reads.front()->getPointerOperand();
    const SCEV *address = evolution.getSCEV(model);
    if (!canExpandAt(*address, at, dominators, evolution))
      return nullptr;
    return SCEVExpander(evolution, "word")
        .expandCodeFor(address, model->getType(), at.getIterator());
  }

  /// Whether nothing between the end of a block and a read of the word reads what the stream has
  /// in front of the word, or does more than write.
  bool isQuiet(const Word &word, BasicBlock &to, LoadInst &read) {
    auto disturbs = [&](Instruction &inst) {
      if (auto *other = dyn_cast<LoadInst>(&inst))
        return isInputPointer(other->getPointerOperand()) && !passes(*other, word);
      return inst.mayHaveSideEffects() && !isa<StoreInst>(inst);
    };
    for (Instruction &inst : *read.getParent()) {
      if (&inst == &read)
        break;
      if (disturbs(inst))
        return false;
    }
    SmallPtrSet<BasicBlock *, 8> seen{&to};
    SmallVector<BasicBlock *, 8> work(predecessors(read.getParent()));
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      if (any_of(*block, disturbs))
        return false;
      append_range(work, predecessors(block));
    }
    return true;
  }

  Loop &loop;
  BasicBlock *latch;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  ScalarEvolution &evolution;
  Packet packet;
  InputReads reads; ///< of the loop, without those of loops in it
};

} // namespace

bool readLoopWindows(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  bool changed = false;
  for (auto &[loop, reads] : inputReadsByLoop(handler, loops)) {
    if (!loop || !loop->getLoopLatch())
      continue;
    LoopWindow window(*loop, reads, loops, dominators, evolution);
    changed |= window.run();
    changed |= keepWindow(*loop, window.readsLeft(), loops, dominators, evolution);
  }
  return changed;
}

} // namespace acis
