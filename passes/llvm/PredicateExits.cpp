// Each loop is given a new latch, to which all that leaves the loop goes, and a count.
#include "passes/llvm/PredicateExits.h"

#include "passes/llvm/EarlyExits.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/IfConvert.h"
#include "passes/llvm/objects/LowerObjects.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxRotated = 64; ///< instructions of a header that is copied

/// Carried for a phi of an exit block (or, if that is null, for the number of the exit): its
/// value when the loop has ended.
struct Capture {
  PHINode *after = nullptr, *header = nullptr, *next = nullptr;
};

/// A branch out of the loop.
struct Edge {
  BasicBlock *from = nullptr, *exit = nullptr;
  /// The branch is reached only if the loop has not ended: another exit was passed.
  bool isLive = false;
};

class Rewriter {
public:
  Rewriter(const EarlyExit &found, DominatorTree &dominators, ScalarEvolution &evolution)
      : found(found), loop(*found.loop), function(*loop.getHeader()->getParent()),
        dominators(dominators), evolution(evolution), context(function.getContext()),
        word(Type::getInt32Ty(context)), header(loop.getHeader()), latch(loop.getLoopLatch()),
        preheader(loop.getLoopPreheader()), builder(context) {}

  /// False, and nothing is changed, if the loop could read more packets than C does.
  bool run() {
    builder.SetCurrentDebugLocation(latch->getTerminator()->getDebugLoc());
    if (!countIterations())
      return false;
    collectExits();
    markAccesses();
    openParts();
    addHeaderPhis();
    redirectExits();
    closeLatch();
    guardStores();
    leave();
    return true;
  }

private:
  void collectExits();
  void markAccesses();
  bool countIterations();
  void openParts();
  void addHeaderPhis();
  void redirectExits();
  void closeLatch();
  void guardStores();
  void leave();
  Value *packetLength();
  Value *iterationsInPacket();
  PHINode *headerPhi(Type *type, const Twine &name);
  Value *unlessDone(const Capture &capture, Value *value);
  bool passedExit(const BasicBlock *block) const;
  ConstantInt *number(uint32_t value) {
    return ConstantInt::get(IntegerType::get(context, 32), value);
  }

  const EarlyExit &found;
  Loop &loop;
  Function &function;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  LLVMContext &context;
  Type *word;
  BasicBlock *header, *latch, *preheader;
  IRBuilder<> builder;

  SmallVector<Edge, 4> edges; ///< without that of the count
  BasicBlock *countedExit = nullptr;
  bool latchIsLive = false;
  MapVector<BasicBlock *, uint32_t> exits; ///< exit blocks and their numbers, from 1
  SmallVector<StoreInst *, 8> guarded;
  SmallVector<Capture, 4> captures;
  PHINode *done = nullptr, *counter = nullptr;
  BasicBlock *newLatch = nullptr, *after = nullptr;
  Value *end = nullptr;    ///< found.end
  Value *length = nullptr; ///< of the packet
  Value *total = nullptr;  ///< iterations of the whole loop, null: any number
  Value *part = nullptr;   ///< iterations of one run of the loop
  bool inParts = false;
  PHINode *finished = nullptr;                            ///< iterations of the parts before
  SmallVector<std::pair<PHINode *, PHINode *>, 4> starts; ///< header phi, its start in a part
};

bool Rewriter::passedExit(const BasicBlock *block) const {
  return any_of(edges, [&](const Edge &edge) {
    return edge.from != block && dominators.dominates(edge.from, block);
  });
}

void Rewriter::collectExits() {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting) {
    auto *branch = cast<BranchInst>(block->getTerminator());
    BasicBlock *exit = branch->getSuccessor(loop.contains(branch->getSuccessor(0)) ? 1 : 0);
    exits.insert({exit, uint32_t(exits.size() + 1)});
    if (block == found.counted)
      countedExit = exit;
    else
      edges.push_back({block, exit, false});
  }
  for (Edge &edge : edges)
    edge.isLive = passedExit(edge.from);
  latchIsLive = passedExit(latch) || any_of(edges, [&](Edge &edge) { return edge.from == latch; });
}

void Rewriter::markAccesses() {
  MDNode *mark = MDNode::get(context, {});
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      if (auto *store = dyn_cast<StoreInst>(&inst); store && !passedExit(block))
        guarded.push_back(store);
      auto *load = dyn_cast<LoadInst>(&inst);
      if (!load)
        continue;
      if (!isStreamPointer(load->getPointerOperand()))
        load->setMetadata(GuardedMetadata, mark);
      else if (dominators.dominates(block, latch))
        load->setMetadata(AlwaysMetadata, mark);
    }
}

/// The length that the invocation started with.
Value *Rewriter::packetLength() {
  Argument *argument = function.getArg(LenParameter);
  for (Instruction &inst : function.getEntryBlock()) {
    if (isa<StoreInst>(inst))
      break;
    if (auto *load = dyn_cast<LoadInst>(&inst);
        load && load->getPointerOperand() == argument && load->getType() == word)
      return load;
  }
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return entry.CreateLoad(word, argument, "packet.bytes");
}

bool Rewriter::countIterations() {
  const SCEV *trips = nullptr;
  if (const SCEV *count = found.count) {
    if (evolution.getTypeSizeInBits(count->getType()) > 32)
      count = evolution.getUMinExpr(count, evolution.getConstant(count->getType(), 0xfffffffe));
    count = evolution.getTruncateOrZeroExtend(count, word);
    trips = evolution.getAddExpr(count, evolution.getOne(word));
  }
  inParts = found.end;
  if (found.end)
    length = packetLength();
  if (found.end && trips) {
    const SCEV *from = evolution.getMinusSCEV(
        found.end, evolution.getConstant(found.end->getType(), uint64_t(found.step)));
    const SCEV *inPacket = evolution.getUDivExpr(evolution.getSCEV(length),
                                                 evolution.getConstant(word, uint64_t(found.step)));
    inParts = !from->isZero() || !evolution.isKnownPredicate(ICmpInst::ICMP_ULE, trips, inPacket);
  }
  if (inParts && !found.readsFirst)
    return false;
  SCEVExpander expander(evolution, "exit");
  Instruction *before = preheader->getTerminator();
  if (trips)
    total = expander.expandCodeFor(trips, word, before->getIterator());
  if (inParts)
    end = expander.expandCodeFor(found.end, word, before->getIterator());
  return true;
}

/// The most iterations, but one at least, that read nothing behind the packet.
Value *Rewriter::iterationsInPacket() {
  Value *step = number(uint32_t(found.step));
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

PHINode *Rewriter::headerPhi(Type *type, const Twine &name) {
  PHINode *phi = PHINode::Create(type, 2, name, header->getFirstNonPHIIt());
  phi->addIncoming(Constant::getNullValue(type), preheader);
  return phi;
}

void Rewriter::addHeaderPhis() {
  for (auto [exit, exitNumber] : exits)
    for (PHINode &phi : exit->phis())
      captures.push_back({&phi, headerPhi(phi.getType(), phi.getName() + ".at.end"), nullptr});
  if (inParts || exits.size() > 1)
    captures.push_back({nullptr, headerPhi(word, "exit"), nullptr});
  done = headerPhi(Type::getInt1Ty(context), "done");
  counter = headerPhi(word, "iteration");
}

/// The value, or what was captured if the loop has ended before.
Value *Rewriter::unlessDone(const Capture &capture, Value *value) {
  return value == capture.header ? value : builder.CreateSelect(done, capture.header, value);
}

/// All exits go to the new latch, where phis choose what they hand on.
void Rewriter::redirectExits() {
  newLatch = BasicBlock::Create(context, "iteration.end", &function, latch->getNextNode());
  builder.SetInsertPoint(newLatch);
  unsigned ways = edges.size() + 1;
  PHINode *doneNext = builder.CreatePHI(done->getType(), ways, "done.next");
  SmallVector<std::pair<PHINode *, PHINode *>, 8> carried; // of the loop itself
  for (PHINode &phi : header->phis())
    if (phi.getBasicBlockIndex(latch) >= 0)
      carried.push_back({&phi, builder.CreatePHI(phi.getType(), ways)});
  for (Capture &capture : captures)
    capture.next = builder.CreatePHI(capture.header->getType(), ways);

  for (const Edge &edge : edges) {
    auto *branch = cast<BranchInst>(edge.from->getTerminator());
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    unsigned side = branch->getSuccessor(0) == edge.exit ? 0 : 1;
    BasicBlock *way = BasicBlock::Create(context, "exit", &function, newLatch);
    branch->setSuccessor(side, way);
    if (!edge.isLive) { // what has ended leaves here again
      builder.SetInsertPoint(branch);
      branch->setCondition(
          side == 0 ? builder.CreateLogicalOr(done, branch->getCondition())
                    : builder.CreateLogicalAnd(builder.CreateNot(done), branch->getCondition()));
    }
    builder.SetInsertPoint(way);
    for (Capture &capture : captures) {
      Value *value = capture.header;
      if (!capture.after)
        value = number(exits[edge.exit]);
      else if (int index = capture.after->getBasicBlockIndex(edge.from);
               index >= 0 && capture.after->getParent() == edge.exit)
        value = capture.after->getIncomingValue(unsigned(index));
      capture.next->addIncoming(edge.isLive ? value : unlessDone(capture, value), way);
    }
    for (auto [phi, next] : carried) // not used any more
      next->addIncoming(PoisonValue::get(phi->getType()), way);
    doneNext->addIncoming(ConstantInt::getTrue(context), way);
    builder.CreateBr(newLatch);
  }

  BasicBlock *way = BasicBlock::Create(context, "next", &function, newLatch);
  builder.SetInsertPoint(way);
  for (Capture &capture : captures) {
    Value *value = capture.header;
    if (capture.after && capture.after->getParent() == countedExit)
      value = capture.after->getIncomingValueForBlock(latch);
    capture.next->addIncoming(latchIsLive ? value : unlessDone(capture, value), way);
    capture.header->addIncoming(capture.next, newLatch);
  }
  for (auto [phi, next] : carried) {
    int index = phi->getBasicBlockIndex(latch);
    next->addIncoming(phi->getIncomingValue(unsigned(index)), way);
    phi->setIncomingValue(unsigned(index), next);
    phi->setIncomingBlock(unsigned(index), newLatch);
  }
  doneNext->addIncoming(latchIsLive ? static_cast<Value *>(ConstantInt::getFalse(context)) : done,
                        way);
  done->addIncoming(doneNext, newLatch);
  builder.CreateBr(newLatch);
  if (any_of(edges, [&](const Edge &edge) { return edge.from == latch; }))
    latch->getTerminator()->replaceSuccessorWith(header, way);
  else
    ReplaceInstWithInst(latch->getTerminator(), BranchInst::Create(way));
}

void Rewriter::closeLatch() {
  after = BasicBlock::Create(context, "loop.end", &function, newLatch->getNextNode());
  builder.SetInsertPoint(newLatch);
  Value *next = builder.CreateAdd(counter, number(1), "", /*HasNUW=*/true);
  counter->addIncoming(next, newLatch);
  builder.CreateCondBr(builder.CreateICmpEQ(next, part), after, header);
}

void Rewriter::guardStores() {
  for (StoreInst *store : guarded) {
    builder.SetInsertPoint(store);
    builder.SetCurrentDebugLocation(store->getDebugLoc());
    Instruction *inside =
        SplitBlockAndInsertIfThen(builder.CreateNot(done), store->getIterator(), false);
    store->moveBefore(inside->getIterator());
  }
}

/// Behind the loop: another part of it, or the exit that was taken.
void Rewriter::leave() {
  auto valueAfter = [&](Value *value) {
    PHINode *phi = PHINode::Create(value->getType(), 1, "", after->getFirstNonPHIIt());
    phi->addIncoming(value, newLatch);
    return phi;
  };
  Value *exitNumber = nullptr;
  SmallVector<std::pair<PHINode *, Value *>, 4> handedOn;
  for (Capture &capture : captures) {
    PHINode *value = valueAfter(capture.next);
    if (capture.after)
      handedOn.push_back({capture.after, value});
    else
      exitNumber = value;
  }
  BasicBlock *from = after;
  if (inParts) {
    SmallVector<Value *, 4> ends;
    for (auto [phi, start] : starts)
      ends.push_back(valueAfter(phi->getIncomingValueForBlock(newLatch)));
    from = BasicBlock::Create(context, "loop.exit", &function, after->getNextNode());
    builder.SetInsertPoint(after);
    Value *sum = builder.CreateAdd(finished, part);
    Value *ended = builder.CreateICmpNE(exitNumber, number(0));
    if (total)
      ended = builder.CreateOr(ended, builder.CreateICmpEQ(sum, total));
    builder.CreateCondBr(ended, from, preheader);
    finished->addIncoming(sum, after);
    for (auto [pair, value] : zip_equal(starts, ends))
      pair.second->addIncoming(value, after);
  }
  // The end of the count has no number; neither has one that leads to the same place.
  BasicBlock *otherwise = countedExit ? countedExit : exits.front().first;
  builder.SetInsertPoint(from);
  if (exits.size() == 1) {
    builder.CreateBr(otherwise);
  } else {
    SwitchInst *choice = builder.CreateSwitch(exitNumber, otherwise);
    for (auto [exit, own] : exits)
      if (exit != otherwise)
        choice->addCase(number(own), exit);
  }
  for (auto [phi, value] : handedOn) {
    while (phi->getNumIncomingValues())
      phi->removeIncomingValue(phi->getNumIncomingValues() - 1, /*DeletePHIIfEmpty=*/false);
    phi->addIncoming(value, from);
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
    std::optional<EarlyExit> found = examineExits(*loop, dominators, evolution);
    if (found && Rewriter(*found, dominators, evolution).run())
      return true;
  }
  return false;
}

} // namespace

PreservedAnalyses PredicateExitsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (function.arg_size() != NumHandlerParameters)
    return PreservedAnalyses::all();
  bool changed = false;
  while (rewriteOne(function, analyses, changed))
    analyses.invalidate(function, PreservedAnalyses::none());
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acis
