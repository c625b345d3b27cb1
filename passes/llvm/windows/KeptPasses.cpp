// What an earlier loop has read is in an array, with how much of it there is; a later loop takes it
// from there as long as there is some. Where that depends on the iteration, DivideLoops makes two
// loops of the later one.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Order.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

/// A loop that reads the stream word by word, and no loop in it does.
struct Pass {
  Loop *loop = nullptr;
  InputReads reads;
  Footprint window;
  Type *type = nullptr;

  int64_t word() const { return bytesOf(*reads.front()); }
  int64_t wordsOfStep() const { return window.step / word(); }
};

class PassKeeper {
public:
  PassKeeper(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostBytes)
      : handler(handler), loops(analyses.getResult<LoopAnalysis>(handler)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(handler)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)),
        expander(evolution, "kept"), mostBytes(mostBytes) {}

  /// One pair of loops at a time, since all analyses are stale then.
  bool run() {
    const SmallVector<Pass, 4> passes = findPasses();
    for (const Pass &earlier : passes)
      for (const Pass &later : passes)
        if (readsAgain(earlier, later))
          return keep(earlier, later), true;
    return false;
  }

private:
  SmallVector<Pass, 4> findPasses() const {
    SmallVector<Pass, 4> passes;
    for (auto &[loop, reads] : inputReadsByLoop(handler, loops)) {
      if (!loop || readsInside(*loop) || !loop->getLoopLatch() || !loop->getLoopPreheader())
        continue;
      Pass pass{loop, reads, {}, reads.front()->getType()};
      const std::optional<Footprint> window = windowOf(reads, *loop, evolution);
      if (!window || window->step <= 0 || window->step % pass.word() != 0 ||
          any_of(reads, [&](LoadInst *read) { return read->getType() != pass.type; }))
        continue;
      pass.window = *window;
      passes.push_back(std::move(pass));
    }
    return passes;
  }

  bool readsInside(const Loop &loop) const {
    return any_of(inputReadsOf(handler), [&](LoadInst *read) {
      return any_of(loop, [&](const Loop *inner) { return inner->contains(read); });
    });
  }

  bool readsAlways(const Pass &pass) const {
    return all_of(pass.reads, [&](LoadInst *read) {
      return dominators.dominates(read->getParent(), pass.loop->getLoopLatch());
    });
  }

  /// Words that a loop reads at most, if each iteration reads all that it moves by, and none ends
  /// the loop in its middle: the array may read on then.
  std::optional<uint64_t> mostWords(const Pass &pass) const {
    if (!readsAlways(pass) || pass.window.bytes != pass.window.step ||
        int64_t(pass.reads.size()) != pass.wordsOfStep() ||
        pass.loop->getExitingBlock() != pass.loop->getLoopLatch())
      return std::nullopt;
    const SCEV *back = evolution.getBackedgeTakenCount(pass.loop);
    if (isa<SCEVCouldNotCompute>(back))
      return std::nullopt;
    const SCEV *trip = evolution.getAddExpr(back, evolution.getOne(back->getType()));
    return evolution.getUnsignedRangeMax(evolution.applyLoopGuards(trip, pass.loop))
               .getLimitedValue(UINT32_MAX) *
           uint64_t(pass.wordsOfStep());
  }

  std::optional<int64_t> wordsBetween(const Pass &earlier, const SCEV *place) const {
    const std::optional<int64_t> bytes = distance(earlier.window.start, place, evolution);
    return bytes && *bytes % earlier.word() == 0 ? std::optional(*bytes / earlier.word())
                                                 : std::nullopt;
  }

  /// Whether the later loop may read what the earlier one has read, and that can be kept. It has a
  /// condition then, and does not always read the stream.
  bool readsAgain(const Pass &earlier, const Pass &later) const {
    Loop *around = earlier.loop->getParentLoop();
    if (earlier.loop == later.loop || around != later.loop->getParentLoop() ||
        earlier.type != later.type || !readsAlways(later))
      return false;
    if (!leadsTo(*earlier.loop->getLoopLatch(), *later.loop->getLoopPreheader(),
                 around ? around->getHeader() : nullptr))
      return false;
    const std::optional<uint64_t> most = mostWords(earlier);
    if (!most || *most * uint64_t(earlier.word()) > mostBytes)
      return false;
    const std::optional<int64_t> ahead = wordsBetween(earlier, later.window.start);
    if (!ahead)
      return later.reads.size() == 1 && beginsAnywhere(earlier, later);
    return *ahead >= 0 && uint64_t(*ahead) < *most &&
           (later.reads.size() == 1 || isAllKept(earlier, later));
  }

  /// Whether the later loop begins at a word of the stream that data says, and may do so in front
  /// of what the one that keeps the packet's beginning has read.
  bool beginsAnywhere(const Pass &earlier, const Pass &later) const {
    const SCEV *start = later.window.start;
    return earlier.reads.front()->hasMetadata(BeginningMetadata) &&
           start->getType() == earlier.window.start->getType() && !isa<SCEVConstant>(start) &&
           evolution.getConstantMultiple(start).urem(uint64_t(earlier.word())) == 0 &&
           evolution.getUnsignedRangeMin(start).ult(*mostWords(earlier) * uint64_t(earlier.word()));
  }

  /// The number of the word of a read in the array, in each iteration.
  const SCEV *numberOf(const Pass &earlier, const Pass &of, LoadInst &read) const {
    Type *type = Type::getInt32Ty(handler.getContext());
    const SCEV *place = footprintOf(read, *of.loop, evolution)->start;
    const std::optional<int64_t> first = wordsBetween(earlier, place);
    const SCEV *start =
        first ? evolution.getConstant(type, uint64_t(*first))
              : evolution.getTruncateOrZeroExtend(
                    evolution.getUDivExactExpr(
                        place, evolution.getConstant(place->getType(), earlier.word())),
                    type);
    return evolution.getAddRecExpr(start, evolution.getConstant(type, uint64_t(of.wordsOfStep())),
                                   of.loop, SCEV::FlagNUW);
  }

  /// In one iteration of the loop around them.
  bool isRunBefore(const Pass &earlier, const Pass &later) const {
    return earlier.loop->getParentLoop()
               ? dominators.dominates(earlier.loop->getHeader(), later.loop->getHeader())
               : runsBefore(*earlier.loop->getHeader(), *later.loop->getHeader(), dominators,
                            postDominators);
  }

  /// Whether the earlier loop has read all that the later one reads, wherever that runs.
  bool isAllKept(const Pass &earlier, const Pass &later) const {
    const SCEV *kept = evolution.getBackedgeTakenCount(earlier.loop);
    const SCEV *taken = evolution.getSymbolicMaxBackedgeTakenCount(later.loop);
    if (isa<SCEVCouldNotCompute>(taken) || earlier.wordsOfStep() != later.wordsOfStep() ||
        kept->getType() != taken->getType() || !isRunBefore(earlier, later))
      return false;
    return all_of(later.reads, [&](LoadInst *read) {
      const auto first = wordsBetween(earlier, footprintOf(*read, *later.loop, evolution)->start);
      if (!first || *first < 0)
        return false;
      const SCEV *ahead = evolution.getConstant(
          taken->getType(), divideCeil(uint64_t(*first), uint64_t(later.wordsOfStep())));
      return evolution.isKnownPredicate(ICmpInst::ICMP_ULE, evolution.getAddExpr(taken, ahead),
                                        kept);
    });
  }

  Value *expand(const SCEV *number, Instruction &before) {
    return expander.expandCodeFor(number, number->getType(), before.getIterator());
  }

  void keep(const Pass &earlier, const Pass &later) {
    const bool isAll = isAllKept(earlier, later);
    BasicBlock &entry = handler.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    auto *type = ArrayType::get(earlier.type, *mostWords(earlier));
    AllocaInst *array = builder.CreateAlloca(type, nullptr, "kept");
    AllocaInst *count = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "kept.count");
    Loop *around = earlier.loop->getParentLoop();
    BasicBlock *start = around ? around->getHeader() : &entry;
    builder.SetInsertPoint(start, around ? start->getFirstInsertionPt()
                                         : entry.getFirstNonPHIOrDbgOrAlloca());
    builder.CreateStore(builder.getInt32(0), count);
    SmallVector<std::pair<LoadInst *, Value *>, 4> numbers; // before anything is stale
    for (LoadInst *read : later.reads)
      numbers.push_back({read, expand(numberOf(earlier, later, *read), *read)});
    for (LoadInst *read : earlier.reads)
      write(*read, expand(numberOf(earlier, earlier, *read), *read->getNextNode()), *array,
            isLastOfStep(earlier, *read) ? count : nullptr);
    for (auto [read, number] : numbers)
      take(*read, number, isAll, *later.loop, *array, *count);
    DominatorTree tree(handler);
    PromoteMemToReg({count}, tree);
  }

  bool isLastOfStep(const Pass &pass, LoadInst &read) const {
    return *wordsBetween(pass, footprintOf(read, *pass.loop, evolution)->start) ==
           pass.wordsOfStep() - 1;
  }

  void write(LoadInst &read, Value *number, AllocaInst &array, AllocaInst *count) {
    IRBuilder<> builder(read.getNextNode());
    if (auto *made = dyn_cast<Instruction>(number);
        made && made->getParent() == read.getParent() && read.comesBefore(made))
      builder.SetInsertPoint(made->getNextNode());
    builder.SetCurrentDebugLocation(read.getDebugLoc());
    builder.CreateStore(&read, builder.CreateInBoundsGEP(read.getType(), &array, number));
    if (count)
      builder.CreateStore(builder.CreateAdd(number, builder.getInt32(1), "", /*HasNUW=*/true),
                          count);
  }

  void take(LoadInst &read, Value *number, bool isAll, Loop &loop, AllocaInst &array,
            AllocaInst &count) {
    IRBuilder<> builder(&read);
    auto kept = [&] {
      return builder.CreateLoad(read.getType(),
                                builder.CreateInBoundsGEP(read.getType(), &array, number),
                                read.getName() + ".kept");
    };
    if (isAll) {
      read.replaceAllUsesWith(kept());
      read.eraseFromParent();
      return;
    }
    IRBuilder<> ahead(loop.getLoopPreheader()->getTerminator());
    Value *most = ahead.CreateLoad(ahead.getInt32Ty(), &count, "kept.count");
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(builder.CreateICmpULT(number, most), &read, &then, &otherwise);
    BasicBlock *join = read.getParent();
    builder.SetInsertPoint(then);
    Value *value = kept();
    auto *phi = PHINode::Create(read.getType(), 2, read.getName() + ".again", join->begin());
    read.replaceAllUsesWith(phi);
    read.moveBefore(otherwise->getIterator());
    read.setMetadata(BehindMetadata, MDNode::get(handler.getContext(), {}));
    phi->addIncoming(value, then->getParent());
    phi->addIncoming(&read, otherwise->getParent());
  }

  Function &handler;
  LoopInfo &loops;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  const uint64_t mostBytes;
};

} // namespace

bool keepPasses(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostBytes) {
  return PassKeeper(handler, analyses, mostBytes).run();
}

} // namespace acis
