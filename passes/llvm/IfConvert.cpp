// A region is rewritten as a line of new blocks; its old blocks are then removed.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/Handlers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace acis {
namespace {

/// The blocks between a branch and where its ways join, each after its predecessors.
struct Region {
  BasicBlock *entry = nullptr, *join = nullptr;
  SmallVector<BasicBlock *, 8> blocks; ///< without entry and join
};

enum class Treatment {
  Always,  ///< may be done needlessly
  Divide,  ///< may be, with a divisor that is not 0
  Load,    ///< a load from an array or from memory: may be, see IfConvert.h
  Guarded, ///< only under its condition
  Drop,    ///< says something about one way only and does nothing
  Never,   ///< makes the region impossible to convert
};

Treatment treatmentOf(const Instruction &inst) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    if (intrinsic->isAssumeLikeIntrinsic())
      return Treatment::Drop;
  if (inst.hasMetadata(AlwaysMetadata))
    return Treatment::Always;
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return load->isSimple() && !isStreamPointer(load->getPointerOperand()) ? Treatment::Load
                                                                           : Treatment::Guarded;
  if (isa<StoreInst>(inst))
    return Treatment::Guarded;
  if (isSafeToSpeculativelyExecute(&inst))
    return Treatment::Always;
  return inst.isIntDivRem() ? Treatment::Divide : Treatment::Never;
}

class Converter {
public:
  Converter(const Region &region, DominatorTree &dominators, PostDominatorTree &postDominators)
      : region(region), dominators(dominators), postDominators(postDominators),
        builder(region.entry->getContext()) {}

  void run() {
    Instruction *branch = region.entry->getTerminator();
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    BasicBlock *first = addBlock("line");
    builder.SetInsertPoint(first);
    for (BasicBlock *block : region.blocks)
      moveInstructions(*block);
    replacePhis(*region.join);
    builder.CreateBr(region.join);
    ReplaceInstWithInst(branch, BranchInst::Create(first));
    for (BasicBlock *block : region.blocks)
      block->dropAllReferences();
    for (BasicBlock *block : region.blocks)
      block->eraseFromParent();
  }

private:
  BasicBlock *addBlock(const char *name) {
    return BasicBlock::Create(region.entry->getContext(), name, region.entry->getParent(),
                              region.join);
  }

  /// a and b, where null is true and b may be poison where a is false.
  Value *both(Value *a, Value *b) { return !a ? b : !b ? a : builder.CreateLogicalAnd(a, b); }

  /// Condition of an edge, given that `from`, which dominates it, runs; null: always.
  Value *edge(BasicBlock *block, BasicBlock *next, BasicBlock *from) {
    auto *branch = cast<BranchInst>(block->getTerminator());
    Value *own = nullptr;
    if (branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
      own = branch->getCondition();
      if (branch->getSuccessor(0) != next)
        own = builder.CreateNot(own);
    }
    return both(condition(block, from), own);
  }

  /// Condition of a block, given that `from`, which dominates it, runs; null: always.
  /// Made of conditions of blocks that were moved already.
  Value *condition(BasicBlock *block, BasicBlock *from) {
    if (block == from || postDominators.dominates(block, from))
      return nullptr;
    if (auto found = conditions.find({block, from}); found != conditions.end())
      return found->second;
    BasicBlock *dominator = dominators.getNode(block)->getIDom()->getBlock();
    Value *result = nullptr;
    if (dominator != from) {
      result = both(condition(dominator, from), condition(block, dominator));
    } else {
      for (BasicBlock *predecessor : predecessors(block)) {
        Value *way = edge(predecessor, block, from);
        result = result ? builder.CreateLogicalOr(result, way) : way;
      }
    }
    conditions[{block, from}] = result;
    return result;
  }

  Value *choose(Value *condition, Value *ifTrue, Value *ifFalse) {
    if (!condition || ifTrue == ifFalse)
      return ifTrue;
    if (match(ifTrue, PatternMatch::m_One()) && match(ifFalse, PatternMatch::m_Zero()) &&
        condition->getType() == ifTrue->getType())
      return condition;
    return builder.CreateSelect(condition, ifTrue, ifFalse);
  }

  void replacePhis(BasicBlock &block) {
    BasicBlock *from = dominators.getNode(&block)->getIDom()->getBlock();
    while (auto *phi = dyn_cast<PHINode>(&block.front())) {
      phi->replaceAllUsesWith(valueOf(*phi, from));
      phi->eraseFromParent();
    }
  }

  using Leaf = function_ref<Value *(Value *)>;

  /// The decisions from `from` on, with each branch as a choice. What several ways bring is asked
  /// for by one condition, so that a recurrence through it has one choice.
  Value *valueOf(PHINode &phi, BasicBlock *from) {
    auto waysTo = [&](Value *value) {
      unsigned ways = 0;
      for (auto [incoming, block] : zip(phi.incoming_values(), phi.blocks()))
        ways += incoming == value ? (block == from ? 1 : pred_size(block)) : 0;
      return ways;
    };
    SmallSetVector<Value *, 4> several; // what a loop carries last, so asked for first
    for (const bool isCarried : {false, true})
      for (Value *value : phi.incoming_values())
        if (isa<PHINode>(value) == isCarried && !isa<Constant>(value) && waysTo(value) > 1)
          several.insert(value);
    chosen.clear();
    Value *result = decide(
        from, phi, [&](Value *value) { return is_contained(several, value) ? nullptr : value; });
    for (Value *one : several) {
      chosen.clear();
      Value *isOne =
          decide(from, phi, [&](Value *value) -> Value * { return builder.getInt1(value == one); });
      result = result ? choose(isOne, one, result) : one;
    }
    return result;
  }

  /// What a phi takes if the way goes from the beginning of a block; null: none does, or no value.
  Value *decide(BasicBlock *block, PHINode &phi, Leaf leaf) {
    if (auto found = chosen.find(block); found != chosen.end())
      return found->second;
    auto along = [&](BasicBlock *next) -> Value * {
      if (next == phi.getParent())
        return leaf(phi.getIncomingValueForBlock(block));
      return next == region.join ? nullptr : decide(next, phi, leaf);
    };
    auto *branch = cast<BranchInst>(block->getTerminator());
    Value *value = along(branch->getSuccessor(0));
    if (branch->isConditional())
      if (Value *other = along(branch->getSuccessor(1)))
        value = value ? choose(branch->getCondition(), value, other) : other;
    return chosen[block] = value;
  }

  void moveInstructions(BasicBlock &block) {
    replacePhis(block);
    for (Instruction &inst : make_early_inc_range(block)) {
      if (inst.isTerminator())
        break;
      Treatment treatment = treatmentOf(inst);
      if (treatment == Treatment::Drop) {
        inst.eraseFromParent();
        continue;
      }
      Value *predicate = nullptr;
      if (treatment != Treatment::Always)
        predicate = condition(&block, region.entry);
      if (predicate && treatment == Treatment::Guarded) {
        guard(inst, predicate);
        continue;
      }
      if (predicate && treatment == Treatment::Divide)
        inst.setOperand(1,
                        choose(predicate, inst.getOperand(1), ConstantInt::get(inst.getType(), 1)));
      if (predicate && treatment == Treatment::Load)
        inst.setMetadata(GuardedMetadata, MDNode::get(inst.getContext(), {}));
      inst.moveBefore(*builder.GetInsertBlock(), builder.GetInsertBlock()->end());
    }
  }

  /// Ends the current block with a branch around `inst`.
  void guard(Instruction &inst, Value *predicate) {
    BasicBlock *before = builder.GetInsertBlock();
    BasicBlock *inside = addBlock("guarded"), *after = addBlock("line");
    builder.CreateCondBr(predicate, inside, after);
    inst.moveBefore(*inside, inside->end());
    builder.SetInsertPoint(inside);
    builder.CreateBr(after);
    builder.SetInsertPoint(after);
    if (inst.use_empty())
      return;
    PHINode *phi = builder.CreatePHI(inst.getType(), 2);
    inst.replaceAllUsesWith(phi);
    phi->addIncoming(&inst, inside);
    // Not used, so any value will do; 0 is what the hardware gives.
    phi->addIncoming(Constant::getNullValue(inst.getType()), before);
  }

  const Region &region;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  IRBuilder<> builder;
  DenseMap<std::pair<BasicBlock *, BasicBlock *>, Value *> conditions;
  DenseMap<BasicBlock *, Value *> chosen; ///< for one phi, by blocks in front of it
};

/// A region that already is what it would become: one block without phis behind it
/// that holds one guarded instruction.
bool isTriangle(const Region &region) {
  return region.blocks.size() == 1 && region.blocks[0]->size() == 2 &&
         region.join->phis().empty() &&
         treatmentOf(region.blocks[0]->front()) == Treatment::Guarded;
}

bool canConvert(const Region &region) {
  for (BasicBlock *block : region.blocks) {
    if (!isa<BranchInst>(block->getTerminator()))
      return false;
    for (Instruction &inst : *block)
      if (!inst.isTerminator() && !isa<PHINode>(inst) && treatmentOf(inst) == Treatment::Never)
        return false;
  }
  return true;
}

/// The regions along the way from a loop's header to its latch.
SmallVector<Region, 2> regionsOf(Loop &loop, PostDominatorTree &postDominators, LoopInfo &loops) {
  SmallVector<Region, 2> regions;
  LoopBlocksRPO order(&loop);
  order.perform(&loops);
  std::optional<Region> open;
  for (BasicBlock *block : order) {
    if (open && block != open->join) {
      open->blocks.push_back(block);
      continue;
    }
    if (open)
      regions.push_back(std::move(*open));
    open.reset();
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isUnconditional() || block == loop.getLoopLatch())
      continue;
    auto *node = postDominators.getNode(block);
    BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    // A way out of the loop: what follows it is conditional, and there is no join.
    if (!join || !loop.contains(join))
      return {};
    open = Region{block, join, {}};
  }
  return regions;
}

} // namespace

bool ifConvert(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &postDominators = analyses.getResult<PostDominatorTreeAnalysis>(function);
  // Regions are disjoint, so the analyses stay true for each until its turn.
  SmallVector<Region, 4> regions;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopLatch())
      append_range(regions, regionsOf(*loop, postDominators, loops));
  bool changed = false;
  for (const Region &region : regions) {
    if (!canConvert(region) || isTriangle(region))
      continue;
    Converter(region, dominators, postDominators).run();
    changed = true;
  }
  return changed;
}

} // namespace acis
