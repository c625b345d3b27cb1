// Walks the blocks of a loop in program order. Conditional blocks join at their
// immediate post-dominator.
#include "passes/import/LoopShape.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/windows/ByData.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis::import {

/// Iterations of a loop: memory that far apart is written before a later iteration reads it.
constexpr unsigned MostThatMatters = 65536;

unsigned NestShape::numberOf(const Loop *loop) const {
  auto found = find_if(loops, [&](const LoopShape &shape) { return shape.loop == loop; });
  return unsigned(found - loops.begin());
}

namespace {

class Walker {
public:
  Walker(const FunctionAnalyses &analyses, NestShape &nest, Diagnostic &why)
      : analyses(analyses), nest(nest), why(why) {}

  /// Adds a loop and all that it holds; its number, or nullopt and `why`.
  std::optional<unsigned> addLoop(Loop &loop);

private:
  bool countIterations(Loop &loop, LoopShape &shape);
  bool walk(unsigned number, BasicBlock *block, BasicBlock *stop, const Predicate *predicate);
  BasicBlock *enterLoop(unsigned number, BasicBlock *header, const Predicate *predicate);
  BasicBlock *branch(unsigned number, BranchInst &inst, const Predicate *predicate);
  bool merge(unsigned number, BranchInst &inst, BasicBlock *join, const Predicate *predicate);
  bool setGuard(LoopShape &shape, const Predicate &predicate);
  void addBlock(unsigned number, BasicBlock &block, const Predicate *predicate);

  template <typename Place> bool fail(const Place &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }

  const FunctionAnalyses &analyses;
  NestShape &nest;
  Diagnostic &why;
  SmallPtrSet<const BasicBlock *, 16> merged; ///< joins whose phis are done
};

/// Whether `count` + 1 is known not to wrap round in 32 bits, with what the conditions in
/// front of the loop say.
bool fitsLaunch(const Loop &loop, const SCEV *count, ScalarEvolution &evolution) {
  if (evolution.getUnsignedRangeMax(evolution.applyLoopGuards(count, &loop)).ult(0xffffffff))
    return true;
  if (evolution.getTypeSizeInBits(count->getType()) > 32)
    return false;
  // end - start of a loop that is entered only if they differ
  const SCEV *trip = evolution.getAddExpr(count, evolution.getOne(count->getType()));
  auto *sum = dyn_cast<SCEVAddExpr>(trip);
  if (!sum)
    return evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, trip,
                                              evolution.getZero(trip->getType()));
  return any_of(sum->operands(), [&](const SCEV *operand) {
    const SCEV *start = evolution.getNegativeSCEV(operand);
    return evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE,
                                              evolution.getAddExpr(trip, start), start);
  });
}

/// What else can be done about a loop in a loop of which nobody knows where it ends.
static std::string orOneLoop(const Loop &loop) {
  return loop.getParentLoop() ? ", or make it one loop over all elements with the loop around it, "
                                "which keeps how far it is in variables"
                              : "";
}

bool Walker::countIterations(Loop &loop, LoopShape &shape) {
  ScalarEvolution &evolution = analyses.evolution;
  const bool hasCount = loop.getExitingBlock() == loop.getLoopLatch() &&
                        !llvm::isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  if (const LoadInst *read = hasCount ? nullptr : readByData(loop, evolution))
    return fail(*read, Refusal(Why::StreamMovesUnevenly,
                               loop.getHeader()->getParent()->getArg(InParameter)->getName()));
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != loop.getLoopLatch() ||
      !loop.getLoopLatch())
    return fail(loop, Refusal(Why::EndsInMiddle, orOneLoop(loop)));
  const SCEV *taken = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<SCEVCouldNotCompute>(taken))
    return fail(loop, Refusal(Why::CountUnknown, orOneLoop(loop)));
  // A launch counts to 2^32 - 1. A constant beyond is refused; any other number is cut to
  // it: 2^32 elements pass the end of every stream, memory and array, which traps.
  auto *constant = dyn_cast<SCEVConstant>(taken);
  if (constant && constant->getAPInt().uge(0xffffffff))
    return fail(loop, Refusal(Why::CountTooLarge));
  if (!fitsLaunch(loop, taken, evolution))
    taken = evolution.getUMinExpr(taken, evolution.getConstant(taken->getType(), 0xfffffffe));
  Type *word = Type::getInt32Ty(loop.getHeader()->getContext());
  taken = evolution.getTruncateOrZeroExtend(taken, word);
  shape.trip = evolution.getAddExpr(taken, evolution.getOne(word));
  if (constant)
    shape.constantTrip = constant->getAPInt().getZExtValue() + 1;
  else if (const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
           most && most <= MostThatMatters)
    shape.mostTrip = most;
  if (!evolution.isLoopInvariant(shape.trip, nest.loops.empty() ? &loop : nest.root().loop))
    return fail(loop, Refusal(Why::CountChanges));
  return true;
}

std::optional<unsigned> Walker::addLoop(Loop &loop) {
  LoopShape shape;
  shape.loop = &loop;
  if (!countIterations(loop, shape))
    return std::nullopt;
  unsigned number = nest.loops.size();
  nest.loops.push_back(std::move(shape));
  if (!walk(number, loop.getHeader(), nullptr, nullptr))
    return std::nullopt;
  return number;
}

void Walker::addBlock(unsigned number, BasicBlock &block, const Predicate *predicate) {
  std::vector<Item> &body = nest.loops[number].body;
  bool isHeader = nest.loops[number].loop->getHeader() == &block;
  for (Instruction &inst : block) {
    if (inst.isTerminator())
      break;
    Item item{Item::Kind::Inst, &inst};
    item.predicate = predicate;
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
      if (isHeader || merged.contains(&block))
        continue;
      item.kind = Item::Kind::Alias;
      item.ifTrue = phi->getIncomingValue(0);
    }
    body.push_back(item);
  }
}

bool Walker::walk(unsigned number, BasicBlock *block, BasicBlock *stop,
                  const Predicate *predicate) {
  Loop *loop = nest.loops[number].loop;
  while (block != stop) {
    if (analyses.loops.getLoopFor(block) != loop) {
      block = enterLoop(number, block, predicate);
      if (!block)
        return false;
      continue;
    }
    addBlock(number, *block, predicate);
    if (block == loop->getLoopLatch())
      return true;
    auto *branchInst = dyn_cast<BranchInst>(block->getTerminator());
    if (!branchInst)
      return fail(*block->getTerminator(), Refusal(Why::SwitchInLoop));
    if (branchInst->isUnconditional())
      block = branchInst->getSuccessor(0);
    else
      block = branch(number, *branchInst, predicate);
    if (!block)
      return false;
  }
  return true;
}

/// Returns the block after the loop.
BasicBlock *Walker::enterLoop(unsigned number, BasicBlock *header, const Predicate *predicate) {
  Loop *inner = analyses.loops.getLoopFor(header);
  assert(inner && inner->getHeader() == header && "loops are entered at their header");
  std::optional<unsigned> innerNumber = addLoop(*inner);
  if (!innerNumber)
    return nullptr;
  if (predicate && !setGuard(nest.loops[*innerNumber], *predicate))
    return nullptr;
  Item item{Item::Kind::Loop};
  item.loop = *innerNumber;
  nest.loops[number].body.push_back(item);
  return inner->getUniqueExitBlock();
}

/// A loop that does nothing but compute values, which only code behind the condition uses.
static bool mayAlwaysRun(const LoopShape &shape) {
  return shape.constantTrip && none_of(shape.loop->blocks(), [](const BasicBlock *block) {
           return any_of(*block,
                         [](const Instruction &inst) { return inst.mayReadOrWriteMemory(); });
         });
}

bool Walker::setGuard(LoopShape &shape, const Predicate &predicate) {
  ScalarEvolution &evolution = analyses.evolution;
  Loop *root = nest.root().loop;
  if (mayAlwaysRun(shape))
    return true;
  if (predicate.outer || !root->isLoopInvariant(predicate.condition))
    return fail(*shape.loop, Refusal(Why::GuardChanges));
  using namespace PatternMatch;
  Value *count = nullptr;
  CmpPredicate compare;
  // Rotation tests "0 iterations" before the loop; then the count itself says so.
  if (match(predicate.condition, m_ICmp(compare, m_Value(count), m_Zero())) &&
      compare == (predicate.value ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ) &&
      count->getType()->isIntegerTy(32) && evolution.getSCEV(count) == shape.trip)
    return true;
  shape.constantTrip.reset();
  shape.guard = predicate.condition;
  shape.guardValue = predicate.value;
  return true;
}

/// Walks both sides; returns the block where they join.
BasicBlock *Walker::branch(unsigned number, BranchInst &inst, const Predicate *predicate) {
  auto *node = analyses.postDominators.getNode(inst.getParent());
  BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!join || !nest.loops[number].loop->contains(join)) {
    fail(inst, Refusal(Why::WaysDoNotJoin));
    return nullptr;
  }
  for (bool side : {true, false}) {
    nest.predicates.push_back({inst.getCondition(), side, predicate});
    if (!walk(number, inst.getSuccessor(side ? 0 : 1), join, &nest.predicates.back()))
      return nullptr;
  }
  return merge(number, inst, join, predicate) ? join : nullptr;
}

bool Walker::merge(unsigned number, BranchInst &inst, BasicBlock *join,
                   const Predicate *predicate) {
  if (join->phis().empty())
    return true;
  if (pred_size(join) != 2 || !merged.insert(join).second)
    return fail(inst, Refusal(Why::WaysJoinOften));
  BasicBlock *first = *pred_begin(join), *second = *std::next(pred_begin(join));
  // The true side is the edge that the true successor dominates, or the edge itself.
  BasicBlockEdge trueEdge(inst.getParent(), inst.getSuccessor(0));
  auto isTrueSide = [&](BasicBlock *from) {
    if (inst.getSuccessor(0) == join)
      return from == inst.getParent();
    return analyses.dominators.dominates(trueEdge, from);
  };
  if (isTrueSide(first) == isTrueSide(second))
    return fail(inst, Refusal(Why::WaysJoinOften));
  BasicBlock *trueSide = isTrueSide(first) ? first : second;
  BasicBlock *falseSide = isTrueSide(first) ? second : first;
  for (PHINode &phi : join->phis()) {
    Item item{Item::Kind::Merge, &phi};
    item.condition = inst.getCondition();
    item.ifTrue = phi.getIncomingValueForBlock(trueSide);
    item.ifFalse = phi.getIncomingValueForBlock(falseSide);
    item.predicate = predicate;
    nest.loops[number].body.push_back(item);
  }
  return true;
}

} // namespace

Result<NestShape, Diagnostic> shapeOf(Loop &root, const FunctionAnalyses &analyses) {
  NestShape nest;
  Diagnostic why;
  if (!Walker(analyses, nest, why).addLoop(root))
    return why;
  return nest;
}

} // namespace acis::import
