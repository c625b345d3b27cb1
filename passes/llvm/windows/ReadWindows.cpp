// The window of an iteration. First a word is read where each iteration can read it; then each word
// that is read behind a later one, or on some ways twice, becomes a variable with a flag that says
// whether it was read in this iteration; SSA form makes values of both.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

/// A place in front of which a word has to have been read.
struct Want {
  Instruction *at = nullptr;
  LoadInst *read = nullptr; ///< of the word or of a later one; null: a loop in this code
  bool isUse = false;       ///< the read is of the word itself
};

/// The code of one iteration of a loop, or of the handler outside of loops, without loops in it.
class Iteration {
public:
  Iteration(Function &handler, Loop *loop, LoopInfo &loops, DominatorTree &dominators,
            ScalarEvolution &evolution)
      : handler(handler), loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    bool changed = cutOverlaps(reads(), evolution);
    own = reads();
    if (loop && loop->getLoopLatch())
      for (const Word &word : wordsOf(own, evolution))
        changed |= readAlways(word);
    for (const Word &word : wordsOf(reads(), evolution))
      changed |= readInOrder(word);
    return changed;
  }

  InputReads reads() const { return inputReadsByLoop(handler, loops).lookup(loop); }

private:
  using Wants = MapVector<BasicBlock *, SmallVector<Want, 4>>;
  using Blocks = SmallPtrSet<BasicBlock *, 16>;

  bool readAlways(const Word &word);
  BasicBlock *placeForAll(const Word &word) const;
  bool isInEach(const BasicBlock &block) const {
    return dominators.dominates(&block, loop->getLoopLatch());
  }
  static bool isReadIn(const Word &word, const BasicBlock &block) {
    return any_of(word.reads, [&](LoadInst *read) { return read->getParent() == &block; });
  }
  bool isPassedBehind(const Word &word, BasicBlock &block) const;
  bool isQuiet(const Word &word, BasicBlock &to, LoadInst &read) const;
  bool isInFrontOfLoops(const Word &word, BasicBlock &to) const;

  bool readInOrder(const Word &word);
  Wants wantsOf(const Word &word);
  bool isBehind(const Word &word, const SCEV *place) const {
    return distance(word.place, place, evolution).value_or(0) > 0;
  }
  Instruction *passOf(LoadInst &read, const Word &word);
  void dropUnused(Wants &wants) const;
  SmallVector<LoadInst *, 8> readWhereWanted(const Word &word, const Wants &wants,
                                             const Blocks &unread, const Blocks &maybeRead);

  bool canReadAt(const Word &word, const Instruction &at) const {
    return canExpandAt(*evolution.getSCEV(word.reads.front()->getPointerOperand()), at, dominators,
                       evolution);
  }
  LoadInst *readAt(const Word &word, Instruction &at, ArrayRef<LoadInst *> others);

  BasicBlock *start() const { return loop ? loop->getHeader() : &handler.getEntryBlock(); }
  Blocks reachedFrom(const Blocks &from, const Blocks &stops = {}) const;
  /// Whether a way on from a block is none in the same iteration.
  bool ends(BasicBlock *to) const { return loop && (to == start() || !loop->contains(to)); }

  Function &handler;
  Loop *loop; ///< null: outside of loops
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  InputReads own;                               ///< before they are brought into order
  AllocaInst *value = nullptr, *flag = nullptr; ///< of the word that is kept
};

/// Blocks that ways on from the ends of some come to in the same iteration. None goes on from one
/// of `stops`.
Iteration::Blocks Iteration::reachedFrom(const Blocks &from, const Blocks &stops) const {
  Blocks reached;
  SmallVector<BasicBlock *, 16> work(from.begin(), from.end());
  while (!work.empty())
    if (BasicBlock *block = work.pop_back_val(); !stops.contains(block))
      for (BasicBlock *to : successors(block))
        if (!ends(to) && reached.insert(to).second)
          work.push_back(to);
  return reached;
}

/// Reads a word in front of an instruction, at the address that one of `others` has there, else at
/// one that is computed anew; null if neither can be.
LoadInst *Iteration::readAt(const Word &word, Instruction &at, ArrayRef<LoadInst *> others) {
  LoadInst &model = *word.reads.front();
  IRBuilder<> builder(&at);
  builder.SetCurrentDebugLocation(model.getDebugLoc());
  auto behind = [&](LoadInst *other) {
    return distance(placeOf(*other, evolution), word.place, evolution);
  };
  const auto *near = find_if(others, [&](LoadInst *other) {
    return behind(other) && dominators.dominates(other->getPointerOperand(), &at);
  });
  if (near == others.end() && !canReadAt(word, at))
    return nullptr;
  Value *place = near != others.end()
                     ? addressBehind(builder, (*near)->getPointerOperand(), *behind(*near))
                     : SCEVExpander(evolution, "word")
                           .expandCodeFor(evolution.getSCEV(model.getPointerOperand()),
                                          model.getPointerOperandType(), at.getIterator());
  return builder.CreateLoad(word.type, place, model.getName());
}

/// Reads a word in front of all its reads where each iteration can. They then take it from there.
bool Iteration::readAlways(const Word &word) {
  BasicBlock *to = placeForAll(word);
  if (!to || isReadIn(word, *to) || !isInFrontOfLoops(word, *to) ||
      !all_of(word.reads, [&](LoadInst *read) { return isQuiet(word, *to, *read); }))
    return false;
  LoadInst *read = readAt(word, *to->getTerminator(), own);
  if (read)
    own.push_back(read);
  return read;
}

/// The last block in front of all reads of the word to which each iteration comes and where the
/// stream has it; if there is none, the last one in front of them where it has it, or null.
BasicBlock *Iteration::placeForAll(const Word &word) const {
  BasicBlock *common = word.reads.front()->getParent();
  for (LoadInst *read : word.reads)
    common = dominators.findNearestCommonDominator(common, read->getParent());
  const bool isOne = word.reads.size() == 1;
  if (isOne && isInEach(*common))
    return nullptr;
  // What a loop that ends early has read is counted where its exits are rewritten.
  const bool isInPacket =
      loop->getExitingBlock() && staysInPacket(*word.reads.front(), loops, evolution);
  for (BasicBlock *to = common; loop->contains(to);
       to = dominators.getNode(to)->getIDom()->getBlock())
    if (loops.getLoopFor(to) == loop && isInEach(*to) && (isInPacket || isPassedBehind(word, *to)))
      return to;
  return !isOne && loops.getLoopFor(common) == loop && isPassedBehind(word, *common) ? common
                                                                                     : nullptr;
}

/// Whether each way from the end of a block, or from a read of the word in it, passes the word
/// before the iteration ends.
bool Iteration::isPassedBehind(const Word &word, BasicBlock &block) const {
  if (isReadIn(word, block))
    return true;
  Blocks passed, from{&block};
  for (LoadInst *read : own)
    if (passes(*read, word.place, evolution))
      passed.insert(read->getParent());
  Blocks behind = reachedFrom(from, passed);
  behind.insert(&block);
  return all_of(behind, [&](BasicBlock *last) {
    return passed.contains(last) || none_of(successors(last), [&](auto *to) { return ends(to); });
  });
}

/// Whether nothing between the end of a block and a read of the word reads at an unknown distance
/// from it, or does more than write.
bool Iteration::isQuiet(const Word &word, BasicBlock &to, LoadInst &read) const {
  auto isQuietInst = [&](Instruction &inst) {
    if (auto *other = dyn_cast<LoadInst>(&inst);
        other && isInputPointer(other->getPointerOperand()))
      return distance(word.place, placeOf(*other, evolution), evolution).has_value();
    return !inst.mayHaveSideEffects() || isa<StoreInst>(inst);
  };
  BasicBlock *last = read.getParent();
  return all_of(reachedFrom({&to}, {last}), [&](BasicBlock *block) {
    if (block != last && !reachedFrom({block}).contains(last))
      return true;
    const auto end = block == last ? read.getIterator() : block->end();
    return all_of(make_range(block->begin(), end), isQuietInst);
  });
}

/// Whether loops in this code that come behind a block read nothing in front of the word: what they
/// read is not brought into order.
bool Iteration::isInFrontOfLoops(const Word &word, BasicBlock &to) const {
  const Blocks behind = reachedFrom({&to});
  return all_of(inputReadsOf(handler), [&](LoadInst *read) {
    BasicBlock *block = read->getParent();
    if (loops.getLoopFor(block) == loop || !behind.contains(block))
      return true;
    const SCEV *place = placeOf(*read, evolution);
    for (Loop *inner = loops.getLoopFor(block); place && inner != loop;
         inner = inner->getParentLoop())
      if (auto *moving = dyn_cast<SCEVAddRecExpr>(place); moving && moving->getLoop() == inner)
        place = evolution.isKnownNonNegative(moving->getStepRecurrence(evolution))
                    ? moving->getStart()
                    : nullptr;
    return place && place->getType() == word.place->getType() &&
           evolution.isKnownNonNegative(evolution.getMinusSCEV(place, word.place));
  });
}

/// Where a loop in this code passes `word` first, if it reads behind it from its first iteration
/// on: where it is entered if it reads then in any case, else in front of the read. Null: it does
/// not.
Instruction *Iteration::passOf(LoadInst &read, const Word &word) {
  const SCEV *place = placeOf(read, evolution);
  Instruction *pass = &read;
  const BasicBlock *block = read.getParent();
  for (Loop *inner = loops.getLoopFor(block); inner != loop; inner = inner->getParentLoop()) {
    if (auto *moving = dyn_cast_or_null<SCEVAddRecExpr>(place);
        moving && moving->getLoop() == inner)
      place = moving->getStart();
    SmallVector<BasicBlock *, 4> exiting;
    inner->getExitingBlocks(exiting);
    if (block && inner->getLoopPreheader() &&
        all_of(exiting, [&](BasicBlock *exit) { return dominators.dominates(block, exit); })) {
      block = inner->getLoopPreheader();
      pass = inner->getLoopPreheader()->getTerminator();
    } else {
      block = nullptr;
    }
  }
  return isBehind(word, place) ? pass : nullptr;
}

Iteration::Wants Iteration::wantsOf(const Word &word) {
  Wants wants;
  for (LoadInst *read : inputReadsOf(handler)) {
    BasicBlock *block = read->getParent();
    if (loop && !loop->contains(block))
      continue;
    if (loops.getLoopFor(block) != loop) {
      if (Instruction *pass = passOf(*read, word))
        wants[pass->getParent()].push_back({pass});
      continue;
    }
    const bool isUse = is_contained(word.reads, read);
    if (isUse || isBehind(word, placeOf(*read, evolution)))
      wants[block].push_back({read, read, isUse});
  }
  for (auto &[block, list] : wants)
    llvm::sort(list, [](const Want &a, const Want &b) { return a.at->comesBefore(b.at); });
  return wants;
}

/// Drops what is in front of a later word where nobody asks for this one any more.
void Iteration::dropUnused(Wants &wants) const {
  Blocks uses;
  for (auto &[block, list] : wants)
    if (any_of(list, [](const Want &want) { return want.isUse; }))
      uses.insert(block);
  for (auto &[block, list] : wants)
    if (none_of(reachedFrom({block}), [&](BasicBlock *to) { return uses.contains(to); }))
      while (!list.empty() && !list.back().isUse)
        list.pop_back();
  wants.remove_if([](const auto &entry) { return entry.second.empty(); });
}

/// Reads the word where it is wanted and not yet read on each of the ways to there; `maybeRead`: on
/// one of them it is. Gives the reads that it replaces.
SmallVector<LoadInst *, 8> Iteration::readWhereWanted(const Word &word, const Wants &wants,
                                                      const Blocks &unread,
                                                      const Blocks &maybeRead) {
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  SmallVector<LoadInst *, 8> replaced;
  for (const auto &[block, list] : wants) {
    bool isRead = !unread.contains(block);
    for (const Want &want : list) {
      Instruction *at = want.at;
      IRBuilder<> builder(at);
      if (!isRead && maybeRead.contains(block)) {
        Value *isMissing = builder.CreateNot(builder.CreateLoad(builder.getInt1Ty(), flag));
        at = SplitBlockAndInsertIfThen(isMissing, at->getIterator(), /*Unreachable=*/false,
                                       /*BranchWeights=*/nullptr, &updater, &loops);
      }
      if (!isRead) {
        LoadInst *read =
            readAt(word, *at, want.read ? ArrayRef(want.read) : ArrayRef<LoadInst *>());
        builder.SetInsertPoint(at);
        builder.CreateStore(read, value);
        builder.CreateStore(builder.getTrue(), flag);
      }
      isRead = true;
      if (!want.isUse)
        continue;
      builder.SetInsertPoint(want.read);
      want.read->replaceAllUsesWith(builder.CreateLoad(word.type, value, want.read->getName()));
      replaced.push_back(want.read);
    }
  }
  return replaced;
}

bool Iteration::readInOrder(const Word &word) {
  Wants wants = wantsOf(word);
  dropUnused(wants);
  Blocks reading;
  for (auto &[block, list] : wants)
    reading.insert(block);
  const Blocks maybeRead = reachedFrom(reading);
  Blocks unread = reachedFrom({start()}, reading);
  unread.insert(start());
  // One read on each way, in front of all later ones, is what there should be.
  if (all_of(wants, [&](const auto &entry) {
        return entry.second.size() == 1 && entry.second.front().isUse &&
               !maybeRead.contains(entry.first);
      }))
    return false;
  for (auto &[block, list] : wants)
    if (!list.front().read && !canReadAt(word, *list.front().at))
      return false;
  BasicBlock &entry = handler.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  value = builder.CreateAlloca(word.type, nullptr, "word");
  flag = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "is.read");
  if (loop)
    builder.SetInsertPoint(&*start()->getFirstInsertionPt());
  builder.CreateStore(Constant::getNullValue(word.type), value);
  builder.CreateStore(builder.getFalse(), flag);
  for (LoadInst *read : readWhereWanted(word, wants, unread, maybeRead)) {
    evolution.forgetValue(read);
    read->eraseFromParent();
  }
  PromoteMemToReg({value, flag}, dominators);
  return true;
}

} // namespace

bool simplifyReadingLoops(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  const InputReads reads = inputReadsOf(handler);
  bool changed = false;
  for (Loop *loop : loops.getTopLevelLoops())
    if (any_of(reads, [&](const LoadInst *read) { return loop->contains(read); }))
      changed |= simplifyLoop(loop, &dominators, &loops, &evolution, nullptr, nullptr,
                              /*PreserveLCSSA=*/false);
  return changed;
}

bool readIterations(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  const SmallVector<Loop *, 4> preorder = loops.getLoopsInPreorder();
  bool changed = false;
  for (Loop *loop : reverse(preorder)) {
    Iteration iteration(handler, loop, loops, dominators, evolution);
    changed |= iteration.run();
    changed |= keepWindow(*loop, iteration.reads(), dominators, evolution);
  }
  return Iteration(handler, nullptr, loops, dominators, evolution).run() || changed;
}

} // namespace acis
