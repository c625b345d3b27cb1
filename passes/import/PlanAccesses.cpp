// What a nest accesses: objects, positions in units, VPEs.
#include "passes/import/Plan.h"

#include "passes/import/Operations.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acis::import {

namespace {

/// Takes the constants out of a sum, also those that a loop around the nest starts at: accesses
/// whose rests are the same share what a launch brings. Adds them to `offset`; what is left.
const SCEV *takeConstants(const SCEV *expression, int64_t &offset, ScalarEvolution &evolution) {
  if (auto *literal = dyn_cast<SCEVConstant>(expression)) {
    offset += literal->getAPInt().getSExtValue();
    return evolution.getZero(expression->getType());
  }
  if (auto *add = dyn_cast<SCEVAddExpr>(expression)) {
    SmallVector<const SCEV *, 4> parts;
    for (const SCEV *part : add->operands())
      parts.push_back(takeConstants(part, offset, evolution));
    return evolution.getAddExpr(parts);
  }
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression)) {
    SmallVector<const SCEV *, 4> parts(recurrence->operands());
    parts[0] = takeConstants(parts[0], offset, evolution);
    return evolution.getAddRecExpr(parts, recurrence->getLoop(), SCEV::FlagAnyWrap);
  }
  return expression;
}

} // namespace

Start startOf(const PlannedAccess &planned, ScalarEvolution &evolution) {
  constexpr uint64_t MaxFactor = 1u << 30; ///< of a start position, in elements
  Start result;
  const SCEV *rest = takeConstants(divideExactly(planned.position.start, planned.unit, evolution),
                                   result.offset, evolution);
  if (rest->isZero())
    return result;
  result.rest = rest;
  // Whole beats of an array have to be seen as such: x[k * 16] starts at 16 * %k.
  if (planned.kind() != ObjectKind::Array)
    return result;
  const auto factor =
      int64_t(evolution.getConstantMultiple(result.rest).getLimitedValue(MaxFactor));
  if (const SCEV *quotient = factor > 1 ? divideExactly(result.rest, factor, evolution) : nullptr) {
    result.multiple = factor;
    result.rest = quotient;
  }
  return result;
}

namespace {

/// Whether an expression has a part that no sequencer steps through: of a loop that has ended where
/// the phi is (ScalarEvolution looks through the phis that hand values on behind a loop), or with
/// steps that grow.
bool isPartOfIndex(const SCEV *expression, const PHINode &phi, ScalarEvolution &evolution,
                   const LoopInfo &loops) {
  auto hasEnded = [&](const Loop *loop) { return loop && !loop->contains(phi.getParent()); };
  return SCEVExprContains(expression, [&](const SCEV *part) {
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(part))
      return hasEnded(recurrence->getLoop()) || !recurrence->isAffine();
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *inst = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return inst && hasEnded(loops.getLoopFor(inst->getParent()));
  });
}

/// Integers that the address computation of `pointer` uses, so that the address generator
/// and the program share them.
void findIndexValues(Value *pointer, const Loop &root, ScalarEvolution &evolution,
                     const LoopInfo &loops, PlannedAccess &planned) {
  constexpr unsigned maxDepth = 6;
  SmallVector<std::pair<Value *, unsigned>, 8> work{{pointer, 0}};
  while (!work.empty()) {
    auto [value, depth] = work.pop_back_val();
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || depth > maxDepth || !root.contains(inst))
      continue;
    const bool isInteger = evolution.isSCEVable(inst->getType()) && inst->getType()->isIntegerTy();
    auto *phi = dyn_cast<PHINode>(inst);
    if (phi && !(isInteger && isPartOfIndex(evolution.getSCEV(phi), *phi, evolution, loops)))
      continue;
    if (isInteger)
      planned.known.insert({evolution.getSCEV(inst), inst});
    if (llvm::isa<GEPOperator>(inst) || inst->getOpcode() == Instruction::Add ||
        inst->getOpcode() == Instruction::Shl || inst->getOpcode() == Instruction::Mul ||
        inst->getOpcode() == Instruction::Or)
      for (Value *operand : inst->operands())
        work.push_back({operand, depth + 1});
  }
}

class AccessPlanner {
public:
  AccessPlanner(NestPlan &plan, StreamAccess &accesses, const FunctionAnalyses &analyses)
      : plan(plan), accesses(accesses), evolution(analyses.evolution), loops(analyses.loops),
        root(*plan.shape.root().loop) {}

  Verdict run() { return planAll() ? Verdict() : Verdict(why); }

private:
  bool planAll();
  bool planAccess(const Item &item, unsigned loop);
  bool checkUse(const Item &item, const Access &access);
  bool checkPosition(const PlannedAccess &planned);
  bool planArray(PlannedAccess &planned);
  void indexBySteps(PlannedAccess &planned);
  bool splitVpe(PlannedAccess &planned);

  bool isMultiple(const SCEV *expression, int64_t divisor) {
    return divideExactly(expression, divisor, evolution) != nullptr;
  }
  bool fail(const Instruction &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }

  NestPlan &plan;
  StreamAccess &accesses;
  ScalarEvolution &evolution;
  const LoopInfo &loops;
  const Loop &root;
  Diagnostic why;
};

bool AccessPlanner::planAll() {
  for (unsigned loop = 0; loop < plan.shape.loops.size(); loop++)
    for (const Item &item : plan.shape.loops[loop].body) {
      if (item.kind != Item::Kind::Inst)
        continue;
      Instruction &inst = *item.inst;
      if (llvm::isa<LoadInst, StoreInst>(inst)) {
        if (!planAccess(item, loop))
          return false;
      } else if (inst.mayReadOrWriteMemory() && !isMarker(inst) && !directOp(inst)) {
        return fail(inst, *whyNotOffered(inst));
      }
    }
  return true;
}

bool AccessPlanner::checkUse(const Item &item, const Access &access) {
  const Object &object = *access.object;
  const bool isWrite = access.isWrite();
  auto failWith = [&](Why why) { return fail(*item.inst, Refusal(why, object.name)); };
  if (object.kind == ObjectKind::Len)
    return fail(*item.inst, Refusal(Why::LengthType));
  if (object.kind == ObjectKind::In && isWrite)
    return failWith(Why::InputWritten);
  if (object.kind == ObjectKind::Out && !isWrite)
    return failWith(Why::OutputRead);
  if (!item.predicate || object.kind == ObjectKind::Array)
    return true;
  if (object.kind == ObjectKind::Mem)
    return isWrite || failWith(Why::MemoryUnderCondition);
  // One after the other, iterations may leave writes out: planAppends() looks at them.
  return (plan.isScalar() && isWrite) ||
         fail(*item.inst,
              Refusal(Why::StreamUnderCondition, object.name, isWrite ? "written" : "read"));
}

bool AccessPlanner::checkPosition(const PlannedAccess &planned) {
  const ObjectKind kind = planned.kind();
  const std::string &name = planned.access->object->name;
  const bool isStream = kind == ObjectKind::In || kind == ObjectKind::Out;
  const bool mayAppend = plan.isScalar() && kind == ObjectKind::Out;
  if (planned.position.index && kind != ObjectKind::Array && !mayAppend)
    return fail(*planned.item->inst,
                Refusal(isStream ? Why::StreamMovesUnevenly : Why::MemoryMovesUnevenly, name));
  // What inner loops read backward may be part of what an iteration of the root reads.
  const bool mayGoBack = plan.isScalar() && kind == ObjectKind::In;
  for (const Position::Step &step : planned.position.steps)
    if (isStream && planned.position.constantStep(step.loop).value_or(0) < 0 &&
        !(mayGoBack && step.loop != &root))
      return fail(*planned.item->inst, Refusal(Why::StreamBackwardInLoop, name));
  return true;
}

bool AccessPlanner::planArray(PlannedAccess &planned) {
  const Object &object = *planned.access->object;
  const Instruction &at = *planned.item->inst;
  planned.unit = object.elementBytes();
  if (planned.bytes() != planned.unit)
    return fail(at, Refusal(Why::ArrayAccessType, object.name));
  if (!splitVpe(planned))
    return false;
  if (plan.isScalar())
    indexBySteps(planned);
  if (planned.position.index) {
    findIndexValues(planned.access->pointer, root, evolution, loops, planned);
    if (planned.position.scale % planned.unit != 0)
      return fail(at, Refusal(Why::IndexNotWhole, object.name));
  }
  const bool isWhole = isMultiple(planned.position.start, planned.unit) &&
                       all_of(planned.position.steps, [&](const Position::Step &step) {
                         return isMultiple(step.bytes, planned.unit);
                       });
  return isWhole || fail(at, Refusal(Why::PositionNotWhole, object.name));
}

bool AccessPlanner::planAccess(const Item &item, unsigned loop) {
  const Access *access = accesses.find(item.inst);
  if (!access)
    return fail(*item.inst, Refusal(Why::UnknownObject));
  if (!checkUse(item, *access))
    return false;
  PlannedAccess planned;
  planned.access = access;
  planned.item = &item;
  planned.loop = loop;
  planned.position = accesses.position(*access, &root);
  if (!checkPosition(planned) || (planned.kind() == ObjectKind::Array && !planArray(planned)))
    return false;
  plan.numbers[item.inst] = unsigned(plan.accesses.size());
  plan.accesses.push_back(std::move(planned));
  return true;
}

/// Address generators have constant strides; x[i * n] is indexed by a value that moves by n.
void AccessPlanner::indexBySteps(PlannedAccess &planned) {
  Position &position = planned.position;
  if (position.index && position.scale % planned.unit != 0)
    return; // refused below
  SmallVector<Position::Step, 4> constant;
  for (const Position::Step &step : position.steps) {
    const SCEV *units = llvm::isa<SCEVConstant>(step.bytes)
                            ? nullptr
                            : divideExactly(step.bytes, planned.unit, evolution);
    if (!units) {
      constant.push_back(step);
      continue;
    }
    const SCEV *sum = evolution.getAddRecExpr(evolution.getZero(units->getType()), units, step.loop,
                                              SCEV::FlagAnyWrap);
    if (position.index)
      sum = evolution.getAddExpr(
          sum, evolution.getMulExpr(
                   evolution.getConstant(units->getType(), uint64_t(position.scale / planned.unit)),
                   position.index));
    position.index = sum;
    position.scale = planned.unit;
  }
  position.steps = constant;
}

/// Takes the VPE's number out of the position of a per-VPE array.
bool AccessPlanner::splitVpe(PlannedAccess &planned) {
  const Object &object = *planned.access->object;
  int64_t slice = object.vpeBytes();
  if (slice == 0)
    return true;
  auto failVpe = [&] {
    return fail(*planned.access->inst, Refusal(Why::VpeNotCounted, object.name));
  };
  Position &position = planned.position;
  if (position.index && position.scale % slice == 0)
    return failVpe();
  SmallVector<Position::Step, 4> rest;
  for (const Position::Step &step : position.steps) {
    std::optional<int64_t> bytes = position.constantStep(step.loop);
    if (!bytes || *bytes % slice != 0) {
      rest.push_back(step);
      continue;
    }
    if (planned.vpeLoop)
      return failVpe();
    planned.vpeLoop = step.loop;
    planned.vpeStep = *bytes / slice;
  }
  position.steps = rest;
  SmallVector<const SCEV *, 4> parts{position.start};
  if (auto *add = dyn_cast<SCEVAddExpr>(position.start))
    parts.assign(add->operands().begin(), add->operands().end());
  for (const SCEV *&part : parts) {
    if (auto *constant = dyn_cast<SCEVConstant>(part)) {
      int64_t value = constant->getAPInt().getSExtValue();
      planned.vpe = value / slice;
      part = evolution.getConstant(part->getType(), uint64_t(value % slice));
    } else if (isMultiple(part, slice)) {
      return failVpe();
    }
  }
  position.start = evolution.getAddExpr(parts);
  return true;
}

} // namespace

Verdict planAccesses(NestPlan &plan, StreamAccess &accesses, const FunctionAnalyses &analyses) {
  return AccessPlanner(plan, accesses, analyses).run();
}

} // namespace acis::import
