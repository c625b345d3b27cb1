// Each word that is read behind a later one, or on some ways twice, becomes a variable with a flag
// that says whether it was read in this iteration; SSA form makes values of both.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

/// A place in front of which a word has to have been read.
struct Want {
  Instruction *at = nullptr;
  LoadInst *read = nullptr; ///< of the word or of a later one; null: a loop in this code
  int64_t later = 0;        ///< bytes from the word to what is read; 0: the word itself

  bool isUse() const { return read && later == 0; }
};

/// What is known at the beginning of a block.
struct Known {
  bool must = true; ///< the word was read on each way
  bool may = false; ///< on one of them
};

/// The code of one iteration of a loop, or of the handler outside of loops.
class ControlWindow {
public:
  ControlWindow(Function &handler, Loop *loop, LoopInfo &loops, DominatorTree &dominators,
                ScalarEvolution &evolution)
      : handler(handler), loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run(ArrayRef<LoadInst *> own) {
    bool changed = false;
    for (Word &word : wordsOf(own, evolution)) {
      order = blocksInOrder();
      changed |= keep(word);
    }
    return changed;
  }

private:
  using Wants = MapVector<BasicBlock *, SmallVector<Want, 4>>;
  using KnownOf = DenseMap<BasicBlock *, Known>;

  bool keep(const Word &word);
  SmallVector<BasicBlock *, 32> blocksInOrder() const;
  Wants wantsOf(const Word &word);
  void dropUnused(Wants &wants) const;
  KnownOf knownOf(const Wants &wants) const;
  Instruction *passOf(LoadInst &read, const Word &word);
  bool canReadAt(const Want &want, const SCEV &pointer) const;
  void readAt(const Want &want, Instruction &at, LoadInst &model);
  void declare(Type *type);
  SmallVector<LoadInst *, 8> readWhereWanted(const Wants &wants, KnownOf &known, LoadInst &model);

  BasicBlock *start() const { return loop ? loop->getHeader() : &handler.getEntryBlock(); }
  bool isWithin(const BasicBlock *block) const { return !loop || loop->contains(block); }
  /// Ways on from a block in the same iteration.
  SmallVector<BasicBlock *, 4> next(BasicBlock *block) const {
    return to_vector<4>(make_filter_range(successors(block), [&](BasicBlock *to) {
      return isWithin(to) && (!loop || to != loop->getHeader());
    }));
  }

  Function &handler;
  Loop *loop; ///< null: outside of loops
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SmallVector<BasicBlock *, 32> order;          ///< of the iteration
  AllocaInst *value = nullptr, *flag = nullptr; ///< of the word that is kept
};

SmallVector<BasicBlock *, 32> ControlWindow::blocksInOrder() const {
  SmallVector<BasicBlock *, 32> blocks;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&handler))
    if (isWithin(block))
      blocks.push_back(block);
  return blocks;
}

/// Where a loop in this code passes `word` first, if it reads behind it from its first iteration
/// on: where it is entered if it reads then in any case, else in front of the read. Null: it does
/// not.
Instruction *ControlWindow::passOf(LoadInst &read, const Word &word) {
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
  std::optional<int64_t> later = distance(word.place, place, evolution);
  return later && *later > 0 ? pass : nullptr;
}

ControlWindow::Wants ControlWindow::wantsOf(const Word &word) {
  Wants wants;
  for (BasicBlock *block : order)
    wants[block];
  for (LoadInst *read : inputReadsOf(handler)) {
    BasicBlock *block = read->getParent();
    if (!isWithin(block))
      continue;
    if (loops.getLoopFor(block) != loop) {
      if (Instruction *pass = passOf(*read, word))
        wants[pass->getParent()].push_back({pass});
      continue;
    }
    std::optional<int64_t> later = distance(word.place, placeOf(*read, evolution), evolution);
    if (later && (*later > 0 || (*later == 0 && read->getType() == word.type)))
      wants[block].push_back({read, read, *later});
  }
  for (auto &[block, list] : wants)
    llvm::sort(list, [](const Want &a, const Want &b) { return a.at->comesBefore(b.at); });
  return wants;
}

/// Drops what is in front of a later word where nobody asks for this one any more.
void ControlWindow::dropUnused(Wants &wants) const {
  DenseSet<BasicBlock *> asked; // for the word, from the beginning of the block on
  auto isAskedBehind = [&](BasicBlock *block) {
    return any_of(next(block), [&](BasicBlock *to) { return asked.contains(to); });
  };
  auto asks = [&](BasicBlock *block) {
    return isAskedBehind(block) ||
           any_of(wants.find(block)->second, [](const Want &want) { return want.isUse(); });
  };
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock *block : reverse(order))
      again |= asks(block) && asked.insert(block).second;
  }
  for (auto &[block, list] : wants) {
    bool isAsked = isAskedBehind(block);
    SmallVector<Want, 4> kept;
    for (const Want &want : reverse(list)) {
      isAsked |= want.isUse();
      if (isAsked)
        kept.push_back(want);
    }
    list.assign(kept.rbegin(), kept.rend());
  }
}

ControlWindow::KnownOf ControlWindow::knownOf(const Wants &wants) const {
  KnownOf known, behind;
  for (BasicBlock *block : order)
    behind[block] = {true, !wants.find(block)->second.empty()};
  known[start()] = {false, false};
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock *block : order) {
      if (block != start()) {
        Known in;
        for (BasicBlock *from : predecessors(block))
          if (auto found = behind.find(from); found != behind.end()) {
            in.must &= found->second.must;
            in.may |= found->second.may;
          }
        known[block] = in;
      }
      const bool isWanted = !wants.find(block)->second.empty();
      Known out{known[block].must || isWanted, known[block].may || isWanted};
      again |= out.must != behind[block].must || out.may != behind[block].may;
      behind[block] = out;
    }
  }
  return known;
}

/// Whether the address of the word can be computed there.
bool ControlWindow::canReadAt(const Want &want, const SCEV &pointer) const {
  return want.read || canExpandAt(pointer, *want.at, dominators, evolution);
}

/// Reads the word in front of an instruction; `model` is a read of it.
void ControlWindow::readAt(const Want &want, Instruction &at, LoadInst &model) {
  IRBuilder<> builder(&at);
  builder.SetCurrentDebugLocation(model.getDebugLoc());
  Value *place = nullptr;
  if (!want.read)
    place = SCEVExpander(evolution, "word")
                .expandCodeFor(evolution.getSCEV(model.getPointerOperand()),
                               model.getPointerOperandType(), at.getIterator());
  else if (want.isUse())
    place = want.read->getPointerOperand();
  else
    place = builder.CreateConstGEP1_64(builder.getInt8Ty(), want.read->getPointerOperand(),
                                       uint64_t(-want.later));
  builder.CreateStore(builder.CreateLoad(model.getType(), place, model.getName()), value);
  builder.CreateStore(builder.getTrue(), flag);
}

/// Makes variables of the word and of whether it was read.
void ControlWindow::declare(Type *type) {
  BasicBlock &entry = handler.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  value = builder.CreateAlloca(type, nullptr, "word");
  flag = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "is.read");
  builder.SetInsertPoint(loop ? &*start()->getFirstInsertionPt() : flag->getNextNode());
  builder.CreateStore(Constant::getNullValue(type), value);
  builder.CreateStore(builder.getFalse(), flag);
}

/// Reads the word where it is wanted and may not have been read; gives the reads that it replaces.
SmallVector<LoadInst *, 8> ControlWindow::readWhereWanted(const Wants &wants, KnownOf &known,
                                                          LoadInst &model) {
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  SmallVector<LoadInst *, 8> replaced;
  for (const auto &[block, list] : wants) {
    bool isRead = known[block].must;
    for (const Want &want : list) {
      Instruction *at = want.at;
      IRBuilder<> builder(at);
      if (!isRead && known[block].may) {
        Value *isMissing = builder.CreateNot(builder.CreateLoad(builder.getInt1Ty(), flag));
        at = SplitBlockAndInsertIfThen(isMissing, at->getIterator(), /*Unreachable=*/false,
                                       /*BranchWeights=*/nullptr, &updater, &loops);
      }
      if (!isRead)
        readAt(want, *at, model);
      isRead = true;
      if (!want.isUse())
        continue;
      builder.SetInsertPoint(want.read);
      want.read->replaceAllUsesWith(
          builder.CreateLoad(model.getType(), value, want.read->getName()));
      replaced.push_back(want.read);
    }
  }
  return replaced;
}

bool ControlWindow::keep(const Word &word) {
  Wants wants = wantsOf(word);
  dropUnused(wants);
  KnownOf known = knownOf(wants);
  // One read on each way, in front of all later ones, is what there should be.
  auto isAsItShould = [&](auto &entry) {
    auto &[block, list] = entry;
    return list.empty() || (list.size() == 1 && list.front().isUse() && !known[block].may);
  };
  if (all_of(wants, isAsItShould))
    return false;
  LoadInst &model = *word.reads.front();
  const SCEV &pointer = *evolution.getSCEV(model.getPointerOperand());
  for (auto &[block, list] : wants)
    if (!list.empty() && !canReadAt(list.front(), pointer))
      return false;
  declare(model.getType());
  for (LoadInst *read : readWhereWanted(wants, known, model)) {
    evolution.forgetValue(read);
    read->eraseFromParent();
  }
  PromoteMemToReg({value, flag}, dominators);
  return true;
}

/// Gives the loops around a read one block that they are entered from.
bool addPreheaders(Loop *loop, LoopInfo &loops, DominatorTree &dominators) {
  bool changed = false;
  for (; loop; loop = loop->getParentLoop())
    if (!loop->getLoopPreheader())
      changed |= InsertPreheaderForLoop(loop, &dominators, &loops, nullptr,
                                        /*PreserveLCSSA=*/false) != nullptr;
  return changed;
}

} // namespace

bool readControlWindows(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  MapVector<Loop *, InputReads> byLoop = inputReadsByLoop(handler, loops);
  bool changed = cutOverlaps(byLoop.lookup(nullptr), evolution);
  if (changed)
    byLoop = inputReadsByLoop(handler, loops);
  if (byLoop.size() > 1)
    for (auto &[loop, reads] : byLoop)
      changed |= addPreheaders(loop, loops, dominators);
  for (auto &[loop, reads] : byLoop)
    changed |= ControlWindow(handler, loop, loops, dominators, evolution).run(reads);
  return changed;
}

} // namespace acis
