#include "passes/llvm/windows/Facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

/// Null where both ways of a branch lead to the same block, or there is one way.
const BranchInst *choiceOf(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)
             ? branch
             : nullptr;
}

} // namespace

void Facts::add(const Value *condition, bool isTrue) {
  const Value *a = nullptr, *b = nullptr;
  known.insert({condition, isTrue});
  if (isTrue ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
             : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    add(a, isTrue);
    add(b, isTrue);
  } else if (match(condition, m_Not(m_Value(a)))) {
    add(a, !isTrue);
  }
}

Facts Facts::onWay(const BasicBlock &from, const BasicBlock &to) {
  Facts facts;
  for (const BasicBlock *block = &from, *next = &to; block;
       next = block, block = block->getSinglePredecessor())
    if (const BranchInst *branch = choiceOf(*block))
      facts.add(branch->getCondition(), branch->getSuccessor(0) == next);
  return facts;
}

Facts Facts::at(const BasicBlock &block, const DominatorTree &dominators) {
  Facts facts;
  for (auto *node = dominators.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock *before = node->getIDom()->getBlock();
    const BranchInst *branch = choiceOf(*before);
    for (unsigned way : {0, 1})
      if (branch && dominators.dominates(BasicBlockEdge(before, branch->getSuccessor(way)), &block))
        facts.add(branch->getCondition(), way == 0);
  }
  return facts;
}

std::optional<bool> Facts::of(const Value *condition) const {
  auto found = known.find(condition);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool leadsTo(const BasicBlock &from, const BasicBlock &to, const BasicBlock *without) {
  SmallPtrSet<const BasicBlock *, 32> seen;
  SmallVector<const BasicBlock *, 32> work(successors(&from));
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (block == &to && block != without)
      return true;
    if (block != without && seen.insert(block).second)
      append_range(work, successors(block));
  }
  return false;
}

bool runsBefore(const BasicBlock &first, const BasicBlock &then, const DominatorTree &dominators,
                const PostDominatorTree &postDominators) {
  if (leadsTo(then, first, nullptr))
    return false;
  const Facts facts = Facts::at(then, dominators);
  const BasicBlock *block = &first;
  // From a block to what it depends on whether it runs.
  while (!dominators.dominates(block, &then)) {
    const BasicBlock *before = dominators.getNode(block)->getIDom()->getBlock();
    const BranchInst *branch = choiceOf(*before);
    const bool isTaken = branch && any_of(ArrayRef<unsigned>{0, 1}, [&](unsigned way) {
                           const BasicBlock *next = branch->getSuccessor(way);
                           return postDominators.dominates(block, next) &&
                                  facts.of(branch->getCondition()) == (way == 0);
                         });
    if (!isTaken && !postDominators.dominates(block, before))
      return false;
    block = before;
  }
  return true;
}

} // namespace acis
