// A region is rewritten as a line of new blocks; its old blocks are then removed.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/Handlers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
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

/// The blocks of a loop between a branch and where its ways join, each after its predecessors.
struct Region {
  BasicBlock *entry = nullptr, *join = nullptr;
  SmallVector<BasicBlock *, 8> blocks; ///< without entry and join
  Loop *around = nullptr;
};

/// The loop in `around` that holds a block; null: none.
Loop *loopInside(const BasicBlock &block, const Loop &around, const LoopInfo &loops) {
  Loop *loop = loops.getLoopFor(&block);
  while (loop && loop != &around && loop->getParentLoop() != &around)
    loop = loop->getParentLoop();
  return loop == &around ? nullptr : loop;
}

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
  Converter(const Region &region, const LoopInfo &loops, DominatorTree &dominators,
            PostDominatorTree &postDominators)
      : region(region), loops(loops), dominators(dominators), postDominators(postDominators),
        builder(region.entry->getContext()) {}

  void run() {
    Instruction *branch = region.entry->getTerminator();
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    BasicBlock *first = addBlock("line");
    builder.SetInsertPoint(first);
    SmallVector<BasicBlock *, 8> moved;
    for (BasicBlock *block : region.blocks) {
      Loop *inner = loopInside(*block, *region.around, loops);
      if (!inner) {
        moveInstructions(*block);
        moved.push_back(block);
      } else if (block == inner->getHeader()) {
        runAlways(*inner);
      }
    }
    replacePhis(*region.join);
    builder.CreateBr(region.join);
    ReplaceInstWithInst(branch, BranchInst::Create(first));
    for (BasicBlock *block : moved)
      block->dropAllReferences();
    for (BasicBlock *block : moved)
      block->eraseFromParent();
  }

private:
  /// A loop in the region becomes a part of the line: what it must not do needlessly is under the
  /// region's condition in it.
  void runAlways(Loop &inner) {
    BasicBlock *header = inner.getHeader(), *exit = inner.getExitBlock();
    Value *predicate = condition(header, region.entry);
    exits[&inner] = exit;
    header->replacePhiUsesWith(inner.getLoopPreheader(), builder.GetInsertBlock());
    builder.CreateBr(header);
    BasicBlock *after = addBlock("line");
    inner.getExitingBlock()->getTerminator()->replaceSuccessorWith(exit, after);
    while (auto *phi = dyn_cast<PHINode>(&exit->front())) {
      phi->replaceAllUsesWith(phi->getIncomingValue(0));
      phi->eraseFromParent();
    }
    SmallVector<Instruction *, 32> insts; // blocks are split
    for (BasicBlock *block : inner.getBlocks())
      for (Instruction &inst : *block)
        if (predicate && !inst.isTerminator() && !isa<PHINode>(inst))
          insts.push_back(&inst);
    for (Instruction *inst : insts)
      restrict(*inst, *predicate);
    builder.SetInsertPoint(after);
  }

  /// An instruction of a loop that runs always now.
  void restrict(Instruction &inst, Value &predicate) {
    const Treatment treatment = treatmentOf(inst);
    if (treatment == Treatment::Drop) {
      inst.eraseFromParent();
    } else if (treatment == Treatment::Load) {
      inst.setMetadata(GuardedMetadata, MDNode::get(inst.getContext(), {}));
    } else if (treatment == Treatment::Divide) {
      builder.SetInsertPoint(&inst);
      inst.setOperand(1,
                      choose(&predicate, inst.getOperand(1), ConstantInt::get(inst.getType(), 1)));
    } else if (treatment == Treatment::Guarded) {
      inst.moveBefore(SplitBlockAndInsertIfThen(&predicate, &inst, false)->getIterator());
    }
  }

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
      if (Loop *inner = loopInside(*next, *region.around, loops))
        next = exits.lookup(inner);
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
  const LoopInfo &loops;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  IRBuilder<> builder;
  DenseMap<std::pair<BasicBlock *, BasicBlock *>, Value *> conditions;
  DenseMap<BasicBlock *, Value *> chosen;     ///< for one phi, by blocks in front of it
  DenseMap<const Loop *, BasicBlock *> exits; ///< of the loops in the line
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

/// The regions along the way from a loop's header to its latch, outside of the loops in it.
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
    if (loops.getLoopFor(block) != &loop)
      continue;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isUnconditional() || block == loop.getLoopLatch())
      continue;
    auto *node = postDominators.getNode(block);
    BasicBlock *join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    // A way out of the loop: what follows it is conditional, and there is no join.
    if (!join || !loop.contains(join))
      return {};
    open = Region{block, join, {}, &loop};
  }
  return regions;
}

/// Nothing is accessed: what the loop computes where it need not is not used.
bool onlyComputes(const Loop &loop) {
  return none_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) { return inst.mayReadOrWriteMemory(); });
  });
}

/// Whether a loop only accesses arrays and has the same number of iterations whenever it runs.
bool mayRunAlways(const Loop &loop, ScalarEvolution &evolution) {
  return loop.isLoopSimplifyForm() && loop.getExitingBlock() == loop.getLoopLatch() &&
         evolution.getSmallConstantTripCount(&loop) != 0 &&
         all_of(loop.blocks(),
                [](const BasicBlock *block) {
                  return all_of(*block, [](const Instruction &inst) {
                    const Value *pointer = getLoadStorePointerOperand(&inst);
                    return !pointer ||
                           isa<AllocaInst, GlobalVariable>(getUnderlyingObject(pointer));
                  });
                }) &&
         all_of(loop.getSubLoops(), [&](Loop *inner) { return mayRunAlways(*inner, evolution); });
}

/// Whether each iteration takes an element of a stream, so that the loop is for the array.
bool isOverStream(const Loop &loop, const LoopInfo &loops, const DominatorTree &dominators) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return loops.getLoopFor(block) == &loop && dominators.dominates(block, loop.getLoopLatch()) &&
           any_of(*block, [](const Instruction &inst) {
             const Value *pointer = getLoadStorePointerOperand(&inst);
             return pointer && isStreamPointer(pointer);
           });
  });
}

/// Instructions that the iterations of a loop run together.
uint64_t instructionsOf(const Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution) {
  uint64_t each = 0;
  for (const BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      each += block->size();
  for (const Loop *inner : loop.getSubLoops())
    each += instructionsOf(*inner, loops, evolution);
  return each * evolution.getSmallConstantTripCount(&loop);
}

/// Two ways that meet where the importer looks for it: behind one branch, from either side.
bool isMergeOfTwo(BasicBlock &join, DominatorTree &dominators, PostDominatorTree &postDominators) {
  if (pred_size(&join) != 2)
    return false;
  const BasicBlock *branch = dominators.getNode(&join)->getIDom()->getBlock();
  auto *behind = postDominators.getNode(branch)->getIDom();
  return behind && behind->getBlock() == &join;
}

/// Whether the importer can read a region beside or around loops, all of which may run always, only
/// if it is converted: a loop in it accesses arrays under a condition that changes, or ways meet in
/// another manner.
bool mustConvert(const Region &region, const LoopInfo &loops, ScalarEvolution &evolution,
                 DominatorTree &dominators, PostDominatorTree &postDominators) {
  auto *branch = cast<BranchInst>(region.entry->getTerminator());
  if (region.around->getOutermostLoop()->isLoopInvariant(branch->getCondition()))
    return false;
  bool must =
      !region.join->phis().empty() && !isMergeOfTwo(*region.join, dominators, postDominators);
  uint64_t always = 0;
  for (BasicBlock *block : region.blocks) {
    const Loop *inside = loopInside(*block, *region.around, loops);
    if (inside && !mayRunAlways(*inside, evolution))
      return false;
    if (inside && block == inside->getHeader())
      always += instructionsOf(*inside, loops, evolution);
    must |= inside ? !onlyComputes(*inside)
                   : pred_size(block) != 1 && !isMergeOfTwo(*block, dominators, postDominators);
  }
  return must && always <= CostModel::MostNodes; // of more, loops are launched where they run
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
    Converter(region, loops, dominators, postDominators).run();
    changed = true;
  }
  return changed;
}

bool ifConvertInNests(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &postDominators = analyses.getResult<PostDominatorTreeAnalysis>(function);
  SmallVector<Loop *, 4> outermostFirst = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(outermostFirst)) {
    if (loop->isInnermost() || !loop->getLoopLatch() || !isOverStream(*loop, loops, dominators))
      continue;
    for (const Region &region : regionsOf(*loop, postDominators, loops))
      if (canConvert(region) && mustConvert(region, loops, evolution, dominators, postDominators)) {
        Converter(region, loops, dominators, postDominators).run();
        return true;
      }
  }
  return false;
}

} // namespace acis
