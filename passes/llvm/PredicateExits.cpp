// Each loop is given a new latch, to which all that leaves the loop goes, and a count. What it
// hands on is kept in variables, of which SSA form makes values.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/EarlyExits.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/objects/LowerObjects.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxRotated = 64; ///< instructions of a header that is copied

/// What the code behind the loop uses, and where it is kept until the loop is left.
struct Capture {
  PHINode *after = nullptr; ///< of an exit block
  AllocaInst *kept = nullptr;
};

/// What each iteration adds to a phi of the header.
struct Step {
  Value *by = nullptr;
  bool isUnsigned = false, isSigned = false; ///< the sum does not wrap round
};

class Rewriter {
public:
  Rewriter(const EarlyExit &found, LoopInfo &loops, DominatorTree &dominators,
           ScalarEvolution &evolution)
      : found(found), loop(*found.loop), function(*loop.getHeader()->getParent()), loops(loops),
        dominators(dominators), evolution(evolution), context(function.getContext()),
        word(Type::getInt32Ty(context)), header(loop.getHeader()), latch(loop.getLoopLatch()),
        preheader(loop.getLoopPreheader()), builder(context) {}

  /// False, and nothing is changed, if the loop could read more packets than C does.
  bool run() {
    builder.SetCurrentDebugLocation(latch->getTerminator()->getDebugLoc());
    if (!countIterations())
      return false;
    findSteps();
    markReads();
    openParts();
    skipWhenDone();
    keepResults();
    forgetWhenLive();
    redirectExits();
    closeLatch();
    leave();
    DominatorTree now(function);
    PromoteMemToReg(variables, now);
    return true;
  }

private:
  bool countIterations();
  void findSteps();
  void markReads();
  void openParts();
  Instruction *lastBeforeEffects();
  void skipWhenDone();
  void keepResults();
  void forgetWhenLive();
  void redirectExits();
  void closeLatch();
  void leave();
  Value *packetLength();
  Value *iterationsInPacket();
  AllocaInst *variable(Type *type, const Twine &name);
  void capture(BasicBlock *exit, BasicBlock *from);
  Value *nextOf(PHINode &phi, BasicBlock *next);
  BasicBlock *addWay(const char *name);
  ConstantInt *number(uint32_t value) { return builder.getInt32(value); }
  bool hasManyExits() const { return exits.size() > 1; }

  const EarlyExit &found;
  Loop &loop;
  Function &function;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  LLVMContext &context;
  Type *word;
  BasicBlock *header, *latch, *preheader;
  IRBuilder<> builder;

  SmallVector<BasicBlock *, 4> exiting;    ///< of the loop as it was
  SmallDenseMap<PHINode *, Step> steps;    ///< of header phis that each iteration moves alike
  MapVector<BasicBlock *, uint32_t> exits; ///< exit blocks and their numbers, from 1
  BasicBlock *countedExit = nullptr;
  SmallVector<AllocaInst *, 8> variables; ///< null when the loop, or a part of it, starts
  SmallVector<Capture, 4> captures;
  AllocaInst *done = nullptr, *exitNumber = nullptr;
  BasicBlock *live = nullptr; ///< where an iteration begins that does something
  BasicBlock *newLatch = nullptr;
  Value *end = nullptr;    ///< of the window of the first iteration
  Value *length = nullptr; ///< of the packet
  Value *total = nullptr;  ///< iterations of the whole loop, null: any number
  Value *part = nullptr;   ///< iterations of one run of the loop
  bool inParts = false;
  PHINode *finished = nullptr;                            ///< iterations of the parts before
  SmallVector<std::pair<PHINode *, PHINode *>, 4> starts; ///< header phi, its start in a part
};

/// The length that the invocation started with.
Value *Rewriter::packetLength() {
  if (LoadInst *load = packetLengthOf(function))
    return load;
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return entry.CreateLoad(word, function.getArg(LenParameter), "packet.bytes");
}

bool Rewriter::countIterations() {
  const SCEV *trips = nullptr;
  if (const SCEV *count = found.count) {
    if (evolution.getTypeSizeInBits(count->getType()) > 32)
      count = evolution.getUMinExpr(count, evolution.getConstant(count->getType(), 0xfffffffe));
    count = evolution.getTruncateOrZeroExtend(count, word);
    trips = evolution.getAddExpr(count, evolution.getOne(word));
  }
  inParts = found.window.has_value();
  const SCEV *windowEnd = nullptr;
  if (found.window) {
    length = packetLength();
    windowEnd = endOf(*found.window, evolution);
  }
  if (found.window && trips) {
    const SCEV *step = evolution.getConstant(word, uint64_t(found.window->step));
    const SCEV *inPacket = evolution.getUDivExpr(evolution.getSCEV(length), step);
    inParts = distance(step, windowEnd, evolution) != 0 ||
              !evolution.isKnownPredicate(ICmpInst::ICMP_ULE, trips, inPacket);
  }
  if (inParts && !found.readsFirst)
    return false;
  SCEVExpander expander(evolution, "exit");
  Instruction *before = preheader->getTerminator();
  if (trips)
    total = expander.expandCodeFor(trips, word, before->getIterator());
  if (inParts)
    end = expander.expandCodeFor(windowEnd, word, before->getIterator());
  return true;
}

/// What iterations move by goes on when the loop has ended, since reads of the stream do.
void Rewriter::findSteps() {
  SCEVExpander expander(evolution, "exit");
  for (PHINode &phi : header->phis()) {
    if (!evolution.isSCEVable(phi.getType()))
      continue;
    auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!sum || sum->getLoop() != &loop || !sum->isAffine())
      continue;
    const SCEV *step = sum->getStepRecurrence(evolution);
    if (expander.isSafeToExpand(step))
      steps[&phi] = {expander.expandCodeFor(step, step->getType(), preheader->getTerminator()),
                     sum->hasNoUnsignedWrap(), sum->hasNoSignedWrap()};
  }
}

/// An iteration that does nothing reads the stream all the same, and arrays wherever it is.
void Rewriter::markReads() {
  MDNode *mark = MDNode::get(context, {});
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      auto *load = dyn_cast<LoadInst>(&inst);
      if (!load)
        continue;
      if (!isStreamPointer(load->getPointerOperand()))
        load->setMetadata(GuardedMetadata, mark);
      else if (dominators.dominates(block, latch))
        load->setMetadata(AlwaysMetadata, mark);
    }
}

/// The most iterations, but one at least, that read nothing behind the packet.
Value *Rewriter::iterationsInPacket() {
  Value *step = number(uint32_t(found.window->step));
  Value *firstEnd = builder.CreateAdd(end, builder.CreateMul(finished, step));
  Value *from = builder.CreateSub(firstEnd, step);
  Value *whole = builder.CreateUDiv(builder.CreateSub(length, from), step);
  return builder.CreateSelect(builder.CreateICmpSLE(firstEnd, length), whole, number(1));
}

/// A block in front of the loop where each part of it starts.
void Rewriter::openParts() {
  if (!inParts) {
    part = total;
    return;
  }
  BasicBlock *start = SplitBlock(preheader, preheader->getTerminator());
  start->setName("part");
  builder.SetInsertPoint(start, start->begin());
  finished = builder.CreatePHI(word, 2, "finished");
  finished->addIncoming(number(0), preheader);
  for (PHINode &phi : header->phis()) {
    PHINode *value = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".start");
    value->addIncoming(phi.getIncomingValueForBlock(start), preheader);
    phi.setIncomingValueForBlock(start, value);
    starts.push_back({&phi, value});
  }
  builder.SetInsertPoint(start->getTerminator());
  part = iterationsInPacket();
  if (total)
    part = builder.CreateBinaryIntrinsic(Intrinsic::umin, part, builder.CreateSub(total, finished));
  preheader = start;
}

AllocaInst *Rewriter::variable(Type *type, const Twine &name) {
  IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *made = entry.CreateAlloca(type, nullptr, name);
  builder.SetInsertPoint(preheader->getTerminator());
  builder.CreateStore(Constant::getNullValue(type), made);
  variables.push_back(made);
  return made;
}

/// A block on the way to the new latch, for builder to write to.
BasicBlock *Rewriter::addWay(const char *name) {
  BasicBlock *way = BasicBlock::Create(context, name, &function, newLatch);
  builder.SetInsertPoint(way);
  builder.SetInsertPoint(builder.CreateBr(newLatch));
  return way;
}

/// The last place in front of all writes and exits.
Instruction *Rewriter::lastBeforeEffects() {
  loop.getExitingBlocks(exiting);
  BasicBlock *block = exiting.front();
  for (BasicBlock *other : loop.blocks())
    if (is_contained(exiting, other) || any_of(*other, IsaPred<StoreInst>))
      block = dominators.findNearestCommonDominator(block, other);
  auto store = find_if(*block, IsaPred<StoreInst>);
  return store == block->end() ? block->getTerminator() : &*store;
}

/// All that an iteration does to be seen is under one condition.
void Rewriter::skipWhenDone() {
  done = variable(builder.getInt1Ty(), "done");
  Instruction *first = lastBeforeEffects();
  BasicBlock *before = first->getParent();
  live = SplitBlock(before, first, &dominators, &loops, nullptr, "live");
  if (latch == before)
    latch = live;
  replace(exiting, before, live);
  newLatch = BasicBlock::Create(context, "iteration.end", &function, latch->getNextNode());
  builder.SetInsertPoint(before->getTerminator());
  Value *isDone = builder.CreateLoad(builder.getInt1Ty(), done);
  ReplaceInstWithInst(before->getTerminator(), BranchInst::Create(newLatch, live, isDone));
}

void Rewriter::keepResults() {
  for (BasicBlock *block : exiting)
    for (BasicBlock *exit : successors(block))
      if (!loop.contains(exit) && exits.insert({exit, uint32_t(exits.size() + 1)}).second)
        for (PHINode &phi : exit->phis())
          captures.push_back({&phi, variable(phi.getType(), phi.getName() + ".at.end")});
  if (hasManyExits())
    exitNumber = variable(word, "exit");
}

/// As long as the loop has not ended, variables are what they were at first. So no value of an
/// iteration that does something depends on them, and recurrences are short.
void Rewriter::forgetWhenLive() {
  builder.SetInsertPoint(live, live->getFirstInsertionPt());
  for (AllocaInst *kept : variables)
    builder.CreateStore(Constant::getNullValue(kept->getAllocatedType()), kept);
}

/// Keeps what the phis of an exit take when the loop is left from a block.
void Rewriter::capture(BasicBlock *exit, BasicBlock *from) {
  for (const Capture &one : captures)
    if (one.after->getParent() == exit)
      builder.CreateStore(one.after->getIncomingValueForBlock(from), one.kept);
}

void Rewriter::redirectExits() {
  for (BasicBlock *from : exiting) {
    auto *branch = cast<BranchInst>(from->getTerminator());
    const unsigned side = loop.contains(branch->getSuccessor(0)) ? 1 : 0;
    BasicBlock *exit = branch->getSuccessor(side);
    if (found.isCounted && from == latch) {
      countedExit = exit;
      continue;
    }
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    branch->setSuccessor(side, addWay("exit"));
    capture(exit, from);
    builder.CreateStore(builder.getTrue(), done);
    if (hasManyExits())
      builder.CreateStore(number(exits[exit]), exitNumber);
  }
}

/// What the next iteration takes for a phi of the header; of what has no step, any value if the
/// loop has ended, as nothing but writes and exits looks at it.
Value *Rewriter::nextOf(PHINode &phi, BasicBlock *next) {
  builder.SetInsertPoint(newLatch);
  const std::string name = (phi.getName() + ".next").str();
  if (const Step step = steps.lookup(&phi); step.by)
    return phi.getType()->isPointerTy()
               ? builder.CreatePtrAdd(&phi, step.by, name)
               : builder.CreateAdd(&phi, step.by, name, step.isUnsigned, step.isSigned);
  auto *carried = PHINode::Create(phi.getType(), 2, name, newLatch->begin());
  for (BasicBlock *way : predecessors(newLatch))
    carried->addIncoming(
        way == next ? phi.getIncomingValueForBlock(latch) : PoisonValue::get(phi.getType()), way);
  return carried;
}

/// The new latch, where the loop ends by its count; on the way to it from the old one is what the
/// next iteration takes.
void Rewriter::closeLatch() {
  builder.SetCurrentDebugLocation(latch->getTerminator()->getDebugLoc());
  BasicBlock *next = addWay("next");
  if (countedExit) {
    capture(countedExit, latch);
    ReplaceInstWithInst(latch->getTerminator(), BranchInst::Create(next));
  } else {
    latch->getTerminator()->replaceSuccessorWith(header, next);
  }
  for (PHINode &phi : header->phis()) {
    phi.setIncomingValueForBlock(latch, nextOf(phi, next));
    phi.replaceIncomingBlockWith(latch, newLatch);
  }
  PHINode *counter = PHINode::Create(word, 2, "iteration", header->getFirstNonPHIIt());
  builder.SetInsertPoint(newLatch);
  Value *counted = builder.CreateAdd(counter, number(1), "", /*HasNUW=*/true);
  counter->addIncoming(number(0), preheader);
  counter->addIncoming(counted, newLatch);
  BasicBlock *after = BasicBlock::Create(context, "loop.end", &function, newLatch->getNextNode());
  builder.CreateCondBr(builder.CreateICmpEQ(counted, part), after, header);
  builder.SetInsertPoint(after);
}

/// Behind the loop: another part of it, or the exit that was taken.
void Rewriter::leave() {
  BasicBlock *from = builder.GetInsertBlock();
  auto valueOf = [&](AllocaInst *kept) {
    return builder.CreateLoad(kept->getAllocatedType(), kept);
  };
  SmallVector<Value *, 4> handedOn;
  for (const Capture &one : captures)
    handedOn.push_back(valueOf(one.kept));
  Value *which = hasManyExits() ? valueOf(exitNumber) : nullptr;
  if (inParts) {
    Value *sum = builder.CreateAdd(finished, part);
    Value *ended = which ? builder.CreateICmpNE(which, number(0)) : valueOf(done);
    if (total)
      ended = builder.CreateOr(ended, builder.CreateICmpEQ(sum, total));
    BasicBlock *exit = BasicBlock::Create(context, "loop.exit", &function, from->getNextNode());
    builder.CreateCondBr(ended, exit, preheader);
    finished->addIncoming(sum, from);
    for (auto [phi, start] : starts)
      start->addIncoming(phi->getIncomingValueForBlock(newLatch), from);
    from = exit;
    builder.SetInsertPoint(exit);
  }
  // The end of the count has no number; neither has one that leads to the same place.
  BasicBlock *otherwise = countedExit ? countedExit : exits.front().first;
  SwitchInst *choice = which ? builder.CreateSwitch(which, otherwise) : nullptr;
  if (!choice)
    builder.CreateBr(otherwise);
  for (auto [exit, own] : exits)
    if (exit != otherwise)
      choice->addCase(number(own), exit);
  for (auto [one, value] : zip_equal(captures, handedOn)) {
    one.after->replaceAllUsesWith(value);
    one.after->eraseFromParent();
  }
}

/// Rewrites one loop; false if there is none. `changed`: the function is not what it was.
bool rewriteOne(Function &function, FunctionAnalysisManager &analyses, bool &changed) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
  auto &target = analyses.getResult<TargetIRAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!mayEndEarly(*loop, evolution))
      continue;
    changed = true;
    auto simplify = [&] {
      simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
                   /*PreserveLCSSA=*/false);
      formLCSSA(*loop, dominators, &loops, &evolution);
      numberExits(*loop);
    };
    simplify();
    // A count that is looked at when an iteration starts is better asked for at its end.
    auto counts = [&](BasicBlock *block) {
      return block && loop->isLoopExiting(block) &&
             !isa<SCEVCouldNotCompute>(evolution.getExitCount(loop, block));
    };
    if (counts(loop->getHeader()) && !counts(loop->getLoopLatch())) {
      const SimplifyQuery query(function.getDataLayout());
      LoopRotation(loop, &loops, &target, &assumptions, &dominators, &evolution, nullptr, query,
                   /*RotationOnly=*/false, MaxRotated, /*IsUtilMode=*/true);
      simplify();
    }
    LazyValueInfo values(&assumptions, &function.getDataLayout()); // of the loop as it is now
    std::optional<EarlyExit> found = examineExits(*loop, dominators, evolution, values);
    if (found && Rewriter(*found, loops, dominators, evolution).run())
      return true;
  }
  return false;
}

} // namespace

bool predicateExits(Function &function, FunctionAnalysisManager &analyses) {
  if (function.arg_size() != NumHandlerParameters)
    return false;
  bool changed = false;
  while (rewriteOne(function, analyses, changed))
    analyses.invalidate(function, PreservedAnalyses::none());
  return changed;
}

} // namespace acis
