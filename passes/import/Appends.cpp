// See Appends.h. Positions are compared as sums over flags (FlagSum.h).
#include "passes/import/Appends.h"

#include "passes/import/FlagSum.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

using Write = PlannedAccess *;

class AppendProof {
public:
  AppendProof(const NestPlan &plan, ScalarEvolution &evolution)
      : evolution(evolution), root(*plan.shape.root().loop), sums(plan.shape) {}

  /// The start of the first write, or null.
  const SCEV *run(ArrayRef<Write> writes);

private:
  FlagSum position(Write write);
  FlagSum afterIteration(const FlagSum &sum);
  FlagSum stillRuns(ArrayRef<FlagSum> sent);
  const SCEV *atStart(const FlagSum &sum);
  Value *nextOf(const PHINode &phi) const {
    return phi.getIncomingValueForBlock(root.getLoopLatch());
  }
  PHINode *headerPhi(const Value *value) const {
    auto *phi = const_cast<PHINode *>(dyn_cast<PHINode>(value));
    return phi && phi->getParent() == root.getHeader() ? phi : nullptr;
  }

  ScalarEvolution &evolution;
  Loop &root;
  FlagSums sums;
};

/// Bytes; a stream begins at address 0.
FlagSum AppendProof::position(Write write) {
  FlagSum sum = sums.integer(write->access->pointer), result;
  for (const auto &[product, factor] : sum.terms())
    if (product.second != write->access->object->base)
      result += FlagSum(factor) * [&] {
        FlagSum one(1);
        for (auto [flag, least] : product.first)
          one = one * FlagSum::flag(flag, least);
        return product.second ? one * FlagSum::value(product.second) : one;
      }();
  return sum.isUnknown() ? sum : result;
}

/// The sum with the values that the next iteration begins with.
FlagSum AppendProof::afterIteration(const FlagSum &sum) {
  FlagSum result;
  for (const auto &[product, factor] : sum.terms()) {
    PHINode *phi = headerPhi(product.second);
    FlagSum value = !product.second ? FlagSum(1)
                    : phi           ? sums.integer(nextOf(*phi))
                                    : FlagSum::value(product.second);
    result += FlagSum(factor) * value; // no flags occur in a position before the first write
  }
  return result;
}

/// 1 where later iterations may send: 0 once a flag is set that stays set and that keeps all
/// writes from sending.
FlagSum AppendProof::stillRuns(ArrayRef<FlagSum> sent) {
  for (PHINode &phi : root.getHeader()->phis()) {
    auto *init = dyn_cast<ConstantInt>(phi.getIncomingValueForBlock(root.getLoopPreheader()));
    if (!phi.getType()->isIntegerTy(1) || !init || !init->isZero())
      continue;
    FlagSum now = sums.condition(&phi), next = sums.condition(nextOf(phi));
    bool stays = (now * next - now).isZero();
    if (stays && all_of(sent, [&](const FlagSum &flag) { return (flag * now).isZero(); }))
      return FlagSum(1) - next;
  }
  return FlagSum(1);
}

const SCEV *AppendProof::atStart(const FlagSum &sum) {
  Type *word = Type::getInt32Ty(root.getHeader()->getContext());
  const SCEV *result = evolution.getZero(word);
  for (const auto &[product, factor] : sum.terms()) {
    if (!product.first.empty())
      return nullptr;
    const SCEV *value = evolution.getOne(word);
    if (auto *from = const_cast<Value *>(product.second)) {
      if (PHINode *phi = headerPhi(from))
        from = phi->getIncomingValueForBlock(root.getLoopPreheader());
      if (!root.isLoopInvariant(from))
        return nullptr;
      value = evolution.getSCEV(from);
      if (from->getType()->isPointerTy()) {
        auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(value));
        if (!base)
          return nullptr;
        value = evolution.removePointerBase(value);
        auto *argument = dyn_cast<Argument>(base->getValue());
        if (!argument) // moved by the control code: its own position
          value = evolution.getAddExpr(value, evolution.getPtrToIntExpr(base, word));
      } else {
        value = evolution.getTruncateOrZeroExtend(value, word);
      }
    }
    result = evolution.getAddExpr(result,
                                  evolution.getMulExpr(evolution.getConstant(word, factor), value));
  }
  return result;
}

const SCEV *AppendProof::run(ArrayRef<Write> writes) {
  std::vector<FlagSum> sent;
  FlagSum first = position(writes.front()), expected = first;
  for (Write write : writes) {
    FlagSum flag = sums.predicate(write->item->predicate);
    if (!((position(write) - expected) * flag).isZero())
      return nullptr;
    expected += FlagSum(uint32_t(write->bytes())) * flag;
    sent.push_back(flag);
  }
  const SCEV *start = atStart(first);
  if (!start || !((afterIteration(first) - expected) * stillRuns(sent)).isZero())
    return nullptr;
  return start;
}

} // namespace

Verdict planAppends(NestPlan &plan, ScalarEvolution &evolution, bool always) {
  SmallVector<Write, 4> writes;
  bool needed = always;
  for (PlannedAccess &planned : plan.accesses)
    if (planned.kind() == ObjectKind::Out) {
      needed |= planned.item->predicate || planned.position.index;
      writes.push_back(&planned);
    }
  if (!needed || writes.empty())
    return {};
  const std::string &name = writes.front()->access->object->name;
  auto isConditional = [](Write write) { return write->item->predicate != nullptr; };
  auto fail = [&](Why why) {
    auto at = find_if(writes, isConditional);
    return diagnose(*(at == writes.end() ? writes.front() : *at)->item->inst, Refusal(why, name));
  };
  if (any_of(writes, [](Write write) { return write->loop != 0; }))
    return fail(Why::AppendInInnerLoop);
  const SCEV *start = AppendProof(plan, evolution).run(writes);
  if (!start)
    return fail(any_of(writes, isConditional) ? Why::AppendUnproven : Why::StreamMovesUnevenly);
  for (Write write : writes) {
    write->append = true;
    write->position = {};
    write->position.start = start;
  }
  return {};
}

} // namespace acis::import
