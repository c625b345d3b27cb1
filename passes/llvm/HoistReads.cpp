// A read moves up only past blocks that read nothing else: the elements of a stream come in the
// order of their reads.
#include "passes/llvm/HoistReads.h"

#include "passes/llvm/Analyses.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/MoveRead.h"
#include "passes/llvm/PacketReads.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

class Hoister {
public:
  Hoister(Function &function, FunctionAnalysisManager &analyses)
      : dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(function)),
        loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        packet(function, evolution), reads(inputReadsOf(function)) {}

  bool run() {
    bool changed = hoistFromAllWays();
    for (LoadInst *&early : reads)
      for (LoadInst *always : reads)
        if (early && always && early != always && hoist(*early, *always)) {
          early = nullptr;
          changed = true;
        }
    for (LoadInst *read : reads)
      changed |= read && hoistInPacket(*read);
    return changed;
  }

private:
  /// A read under a condition that stays in the packet is made in each iteration.
  bool hoistInPacket(LoadInst &read) {
    Loop *loop = loops.getLoopFor(read.getParent());
    // What a loop that ends early has read is counted where its exits are rewritten.
    if (!loop || !loop->getLoopLatch() || !loop->getExitingBlock() ||
        dominators.dominates(read.getParent(), loop->getLoopLatch()) || !packet.areInPacket(read))
      return false;
    BasicBlock *to = dominators.findNearestCommonDominator(read.getParent(), loop->getLoopLatch());
    return loops.getLoopFor(to) == loop && isQuiet(*to, read) && moveTo(*to, read);
  }

  /// A switch over a state that reads the same element in each case: the reads are one in front
  /// of it.
  bool hoistFromAllWays() {
    MapVector<std::pair<const SCEV *, Type *>, SmallVector<LoadInst *, 4>> same;
    for (LoadInst *read : reads)
      if (loops.getLoopFor(read->getParent()))
        same[{evolution.getSCEV(read->getPointerOperand()), read->getType()}].push_back(read);
    SmallPtrSet<LoadInst *, 8> gone;
    for (auto &[key, group] : same)
      if (group.size() > 1 && hoistGroup(group))
        gone.insert(group.begin() + 1, group.end());
    erase_if(reads, [&](LoadInst *read) { return gone.contains(read); });
    for (LoadInst *read : gone)
      read->eraseFromParent();
    return !gone.empty();
  }

  /// The first of the reads stands for all of them if each way goes past one.
  bool hoistGroup(ArrayRef<LoadInst *> group) {
    LoadInst &first = *group.front();
    Loop *loop = loops.getLoopFor(first.getParent());
    BasicBlock *to = first.getParent();
    for (LoadInst *read : group) {
      if (loops.getLoopFor(read->getParent()) != loop)
        return false;
      to = dominators.findNearestCommonDominator(to, read->getParent());
    }
    if (loops.getLoopFor(to) != loop ||
        any_of(group, [&](LoadInst *read) { return read->getParent() == to; }) ||
        !isOnAllWays(group, *to, *loop) ||
        !all_of(group, [&](LoadInst *read) { return isQuiet(*to, *read); }))
      return false;
    if (!moveTo(*to, first))
      return false;
    for (LoadInst *read : drop_begin(group))
      read->replaceAllUsesWith(&first);
    return true;
  }

  /// Whether nothing leads from `to` to the end of the iteration but through one of the reads.
  static bool isOnAllWays(ArrayRef<LoadInst *> group, BasicBlock &to, const Loop &loop) {
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *, 8> work(successors(&to));
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (any_of(group, [&](LoadInst *read) { return read->getParent() == block; }) ||
          !seen.insert(block).second)
        continue;
      if (block == loop.getHeader() || !loop.contains(block))
        return false;
      append_range(work, successors(block));
    }
    return true;
  }

  /// Replaces `early` by `always`, which moves to where both are still to come.
  bool hoist(LoadInst &early, LoadInst &always) {
    BasicBlock *from = always.getParent(), *under = early.getParent();
    if (from == under || always.getType() != early.getType() ||
        loops.getLoopFor(from) != loops.getLoopFor(under) ||
        evolution.getSCEV(always.getPointerOperand()) !=
            evolution.getSCEV(early.getPointerOperand()))
      return false;
    BasicBlock *to = dominators.findNearestCommonDominator(from, under);
    if (to == under || to == from || loops.getLoopFor(to) != loops.getLoopFor(from) ||
        !postDominators.dominates(from, to) || !isQuiet(*to, always))
      return false;
    if (!moveTo(*to, always))
      return false;
    early.replaceAllUsesWith(&always);
    early.eraseFromParent();
    return true;
  }

  /// Whether nothing is read, but for the same element, between the end of `to` and `always`.
  bool isQuiet(BasicBlock &to, LoadInst &always) {
    const SCEV *place = evolution.getSCEV(always.getPointerOperand());
    auto disturbs = [&](Instruction &inst) {
      if (auto *load = dyn_cast<LoadInst>(&inst))
        return isInputPointer(load->getPointerOperand()) &&
               evolution.getSCEV(load->getPointerOperand()) != place;
      return inst.mayHaveSideEffects() && !isa<StoreInst>(inst);
    };
    for (Instruction &inst : *always.getParent()) {
      if (&inst == &always)
        break;
      if (disturbs(inst))
        return false;
    }
    SmallPtrSet<BasicBlock *, 8> seen{&to};
    SmallVector<BasicBlock *, 8> work(predecessors(always.getParent()));
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

  /// The read goes to the end of `to`; false if it cannot.
  bool moveTo(BasicBlock &to, LoadInst &read) {
    return moveRead(read, *to.getTerminator(), dominators);
  }

  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  PacketReads packet;
  SmallVector<LoadInst *, 8> reads;
};

} // namespace

PreservedAnalyses HoistReadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  return preservedBlocks(Hoister(function, analyses).run());
}

} // namespace acis
