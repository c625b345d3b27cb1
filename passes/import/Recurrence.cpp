// Classifies header phis by following the latch value back to the phi.
#include "passes/import/Recurrence.h"

#include "passes/dfg/transforms/Reductions.h"
#include "passes/import/Operations.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

class Classifier {
public:
  explicit Classifier(const LoopShape &shape) : shape(shape) {
    for (const Item &item : shape.body)
      if (item.kind == Item::Kind::Merge)
        merges[item.inst] = &item;
  }

  void classify(Carried &carried) {
    phi = carried.phi;
    onCycle.clear();
    if (!dependsOnPhi(carried.next))
      carried.kind = Carried::Kind::Previous;
    else if (followChain(carried) && onlyChainUses(carried))
      carried.kind = Carried::Kind::Reduction;
    if (!phi->getType()->isFloatingPointTy() || carried.kind != Carried::Kind::Reduction)
      return;
    carried.ofSeveral = carried.chain.size() > 1;
    carried.startsElsewhere = carried.init != identityOf(carried.op, phi->getType());
  }

private:
  /// Through the loop's values and its phis, so that longer cycles are found too.
  bool dependsOnPhi(Value *value) {
    if (value == phi)
      return true;
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !shape.loop->contains(inst))
      return false;
    auto [known, isNew] = onCycle.insert({inst, false});
    if (!isNew)
      return known->second;
    for (Value *operand : inst->operands())
      if (dependsOnPhi(operand))
        return onCycle[inst] = true;
    if (auto merge = merges.find(inst); merge != merges.end())
      return onCycle[inst] = dependsOnPhi(merge->second->condition);
    return false;
  }

  struct Choice {
    Value *condition = nullptr, *ifTrue = nullptr, *ifFalse = nullptr;
  };
  Choice choiceOf(Instruction *inst) const {
    if (auto merge = merges.find(inst); merge != merges.end())
      return {merge->second->condition, merge->second->ifTrue, merge->second->ifFalse};
    if (auto *select = dyn_cast<SelectInst>(inst))
      return {select->getCondition(), select->getTrueValue(), select->getFalseValue()};
    return {};
  }

  /// next = phi op a op b ..., where conditions may skip operands.
  bool followChain(Carried &carried) {
    SmallVector<Value *, 4> work{carried.next};
    while (!work.empty()) {
      Value *value = work.pop_back_val();
      if (value == phi || carried.chain.contains(value))
        continue;
      if (!dependsOnPhi(value))
        return false;
      auto *inst = cast<Instruction>(value);
      carried.chain.insert(inst);
      if (Choice choice = choiceOf(inst); choice.condition) {
        if (dependsOnPhi(choice.condition))
          return false;
        work.append({choice.ifTrue, choice.ifFalse});
        continue;
      }
      std::optional<isa::Op> op = directOp(*inst);
      // A difference is a sum with the negated operand, exactly.
      bool negated = op == isa::Op::Sub || op == isa::Op::Fsub;
      if (negated)
        op = op == isa::Op::Sub ? isa::Op::Add : isa::Op::Fadd;
      if (!op || !identityOf(*op, inst->getType()) ||
          (carried.op != isa::Op::Nop && *op != carried.op))
        return false;
      carried.op = *op;
      Value *left = inst->getOperand(0), *right = inst->getOperand(1);
      if (dependsOnPhi(left) == dependsOnPhi(right) || (negated && !dependsOnPhi(left)))
        return false;
      if (inst->getType()->isFloatingPointTy() && *op != isa::Op::Fmin && *op != isa::Op::Fmax &&
          !inst->hasAllowReassoc())
        carried.inOrder = true;
      work.push_back(dependsOnPhi(left) ? left : right);
    }
    return carried.op != isa::Op::Nop;
  }

  bool onlyChainUses(const Carried &carried) const {
    auto inside = [&](const Value *value) {
      return all_of(value->users(), [&](const User *user) {
        if (user == phi || carried.chain.contains(user))
          return true;
        return value == carried.next && !shape.loop->contains(cast<Instruction>(user));
      });
    };
    return inside(phi) && all_of(carried.chain, inside);
  }

  const LoopShape &shape;
  PHINode *phi = nullptr;
  DenseMap<const Value *, const Item *> merges;
  DenseMap<const Value *, bool> onCycle;
};

} // namespace

std::vector<Carried> carriedBy(const LoopShape &shape, ScalarEvolution &evolution) {
  std::vector<Carried> result;
  Classifier classifier(shape);
  BasicBlock *latch = shape.loop->getLoopLatch();
  for (PHINode &phi : shape.loop->getHeader()->phis()) {
    Carried carried;
    carried.phi = &phi;
    carried.next = phi.getIncomingValueForBlock(latch);
    carried.init = phi.getIncomingValueForBlock(shape.loop->getLoopPreheader());
    auto *recurrence = evolution.isSCEVable(phi.getType())
                           ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi))
                           : nullptr;
    carried.isCounter = recurrence && recurrence->isAffine() && recurrence->getLoop() == shape.loop;
    if (!carried.isCounter)
      classifier.classify(carried);
    result.push_back(std::move(carried));
  }
  return result;
}

Constant *identityOf(isa::Op op, Type *type) {
  const bool isFloat = type->isFloatingPointTy();
  std::optional<APInt> bits =
      dfg::neutralBits(dfg::OpKind(unsigned(op)), unsigned(type->getPrimitiveSizeInBits()),
                       isFloat ? &type->getFltSemantics() : nullptr);
  if (!bits)
    return nullptr;
  if (isFloat)
    return ConstantFP::get(type->getContext(), APFloat(type->getFltSemantics(), *bits));
  return ConstantInt::get(type->getContext(), *bits);
}

} // namespace acis::import
