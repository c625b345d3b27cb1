// Checks of one nest, from the cheap to the expensive.
#include "passes/import/Plan.h"

#include "passes/import/Appends.h"
#include "passes/import/Levels.h"
#include "passes/import/Operations.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acis::import {

const Carried *NestPlan::findCarried(const Value *phi) const {
  for (const auto &loop : carried)
    for (const Carried &value : loop)
      if (value.phi == phi)
        return &value;
  return nullptr;
}

bool NestPlan::isLaneLoop(unsigned loop) const {
  if (overVpes[loop])
    return false;
  for (unsigned i = 0; i < shape.loops.size(); i++)
    if (i != loop && shape.loops[loop].loop->contains(shape.loops[i].loop) && !overVpes[i])
      return false;
  return true;
}

const Carried *NestPlan::findNext(const Value *value, unsigned loop) const {
  for (const Carried &candidate : carried[loop])
    if (candidate.next == value && candidate.kind != Carried::Kind::Induction)
      return &candidate;
  return nullptr;
}

const SCEV *divideExactly(const SCEV *expression, int64_t divisor, ScalarEvolution &evolution) {
  if (divisor == 1)
    return expression;
  if (auto *constant = dyn_cast<SCEVConstant>(expression)) {
    int64_t value = constant->getAPInt().getSExtValue();
    if (value % divisor != 0)
      return nullptr;
    return evolution.getConstant(expression->getType(), uint64_t(value / divisor),
                                 /*isSigned=*/true);
  }
  SmallVector<const SCEV *, 4> parts;
  if (auto *add = dyn_cast<SCEVAddExpr>(expression)) {
    for (const SCEV *operand : add->operands()) {
      parts.push_back(divideExactly(operand, divisor, evolution));
      if (!parts.back())
        return nullptr;
    }
    return evolution.getAddExpr(parts);
  }
  if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    parts.assign(product->operands().begin(), product->operands().end());
    parts[0] = divideExactly(parts[0], divisor, evolution);
    return parts[0] ? evolution.getMulExpr(parts) : nullptr;
  }
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
      recurrence && recurrence->isAffine()) {
    const SCEV *start = divideExactly(recurrence->getStart(), divisor, evolution);
    const SCEV *step = divideExactly(recurrence->getStepRecurrence(evolution), divisor, evolution);
    if (start && step)
      return evolution.getAddRecExpr(start, step, recurrence->getLoop(), SCEV::FlagAnyWrap);
  }
  return nullptr;
}

namespace {

/// Whether an expression has a part of a loop that has ended where the phi is. ScalarEvolution
/// looks through the phis that hand values on behind a loop.
bool isOfEndedLoop(const SCEV *expression, const PHINode &phi, ScalarEvolution &evolution,
                   const LoopInfo &loops) {
  auto hasEnded = [&](const Loop *loop) { return loop && !loop->contains(phi.getParent()); };
  return SCEVExprContains(expression, [&](const SCEV *part) {
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(part))
      return hasEnded(recurrence->getLoop());
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
    if (phi && !(isInteger && isOfEndedLoop(evolution.getSCEV(phi), *phi, evolution, loops)))
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

class NestCheck {
public:
  NestCheck(StreamAccess &accesses, const FunctionAnalyses &analyses, const ImportOptions &options,
            const ClosedWays &closed, NestPlan &plan, Diagnostic &why)
      : accesses(accesses), evolution(analyses.evolution), loops(analyses.loops), options(options),
        closed(closed), plan(plan), why(why) {}

  bool run() {
    return planAccesses() && (!plan.isScalar() || holds(planAppends(plan, evolution))) &&
           planVpes() && planCarried() && (plan.isScalar() || holds(checkLevels(plan, options))) &&
           checkExits() && findNeeded() && checkOperations() &&
           (!plan.isScalar() || holds(chooseElementLevels(plan, options, closed, evolution)));
  }

private:
  bool planAccesses();
  bool planAccess(const Item &item);
  void indexBySteps(PlannedAccess &planned);
  bool splitVpe(PlannedAccess &planned);
  bool planVpes();
  bool planCarried();
  bool checkCarried(const Carried &carried, unsigned loop);
  bool isInRows(unsigned loop) const;
  bool checkExits();
  bool findNeeded();
  void findInnerExits();
  bool checkOperations();
  void need(Value *value);
  void needIndex(const PlannedAccess &planned);

  bool isMultiple(const SCEV *expression, int64_t divisor) {
    return divideExactly(expression, divisor, evolution) != nullptr;
  }
  bool holds(Verdict verdict) {
    if (!verdict)
      why = verdict.error();
    return bool(verdict);
  }
  template <typename Place> bool fail(const Place &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }

  StreamAccess &accesses;
  ScalarEvolution &evolution;
  const LoopInfo &loops;
  const ImportOptions &options;
  const ClosedWays &closed;
  NestPlan &plan;
  Diagnostic &why;
  SmallVector<Value *, 32> work;
};

bool NestCheck::planAccesses() {
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body) {
      if (item.kind != Item::Kind::Inst)
        continue;
      Instruction &inst = *item.inst;
      if (inst.getType()->isIntegerTy(64) || inst.getType()->isDoubleTy())
        plan.laneBits = 64;
      if (llvm::isa<LoadInst, StoreInst>(inst)) {
        if (!planAccess(item))
          return false;
      } else if (inst.mayReadOrWriteMemory() && !isMarker(inst) && !directOp(inst)) {
        return fail(inst, *whyNotOffered(inst));
      }
    }
  return true;
}

bool NestCheck::planAccess(const Item &item) {
  const Access *access = accesses.find(item.inst);
  if (!access)
    return fail(*item.inst, Refusal(Why::UnknownObject));
  const Object &object = *access->object;
  if (access->type->getPrimitiveSizeInBits() == 64)
    plan.laneBits = 64;
  if (object.kind == ObjectKind::Len)
    return fail(*item.inst, Refusal(Why::LengthInLoop));
  if (object.kind == ObjectKind::In && access->isWrite())
    return fail(*item.inst, Refusal(Why::InputWritten, object.name));
  if (object.kind == ObjectKind::Out && !access->isWrite())
    return fail(*item.inst, Refusal(Why::OutputRead, object.name));
  bool isStream = object.kind == ObjectKind::In || object.kind == ObjectKind::Out;
  // One after the other, iterations may leave writes out: planAppends() looks at them.
  bool mayAppend = plan.isScalar() && object.kind == ObjectKind::Out;
  if (item.predicate && isStream && !mayAppend)
    return fail(*item.inst, Refusal(Why::StreamUnderCondition, object.name,
                                    access->isWrite() ? "written" : "read"));
  if (item.predicate && object.kind == ObjectKind::Mem && !access->isWrite())
    return fail(*item.inst, Refusal(Why::MemoryUnderCondition, object.name));
  PlannedAccess planned;
  planned.access = access;
  planned.position = accesses.position(*access, plan.shape.root().loop);
  if (planned.position.index && object.kind != ObjectKind::Array && !mayAppend)
    return fail(*item.inst, Refusal(isStream ? Why::StreamMovesUnevenly : Why::MemoryMovesUnevenly,
                                    object.name));
  // What inner loops read backward may be part of what an iteration of the root reads.
  const bool mayGoBack = plan.isScalar() && object.kind == ObjectKind::In;
  for (const Position::Step &step : planned.position.steps)
    if (isStream && planned.position.constantStep(step.loop).value_or(0) < 0 &&
        !(mayGoBack && step.loop != plan.shape.root().loop))
      return fail(*item.inst, Refusal(Why::StreamBackwardInLoop, object.name));
  if (object.kind == ObjectKind::Array) {
    planned.unit = object.elementBytes();
    if (access->type->getPrimitiveSizeInBits() != object.element->getPrimitiveSizeInBits())
      return fail(*item.inst, Refusal(Why::ArrayAccessType, object.name));
    if (!splitVpe(planned))
      return false;
    if (plan.isScalar())
      indexBySteps(planned);
    if (planned.position.index) {
      findIndexValues(access->pointer, *plan.shape.root().loop, evolution, loops, planned);
      if (planned.position.scale % planned.unit != 0)
        return fail(*item.inst, Refusal(Why::IndexNotWhole, object.name));
    }
    bool whole = isMultiple(planned.position.start, planned.unit);
    for (const Position::Step &step : planned.position.steps)
      whole &= isMultiple(step.bytes, planned.unit);
    if (!whole)
      return fail(*item.inst, Refusal(Why::PositionNotWhole, object.name));
  }
  plan.accesses[item.inst] = std::move(planned);
  return true;
}

/// Address generators have constant strides; x[i * n] is indexed by a value that moves by n.
void NestCheck::indexBySteps(PlannedAccess &planned) {
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
bool NestCheck::splitVpe(PlannedAccess &planned) {
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

bool NestCheck::planVpes() {
  plan.overVpes.assign(plan.shape.loops.size(), false);
  for (unsigned i = 0; i < plan.shape.loops.size(); i++) {
    const LoopShape &shape = plan.shape.loops[i];
    for (const Item &item : shape.body) {
      auto found = plan.accesses.find(item.inst);
      if (item.kind != Item::Kind::Inst || found == plan.accesses.end() || !found->second.vpeLoop)
        continue;
      for (unsigned k = 0; k < plan.shape.loops.size(); k++)
        if (plan.shape.loops[k].loop == found->second.vpeLoop)
          plan.overVpes[k] = true;
    }
  }
  for (unsigned i = 0; i < plan.shape.loops.size(); i++) {
    const LoopShape &shape = plan.shape.loops[i];
    if (plan.overVpes[i] && plan.isScalar())
      return fail(*shape.loop, Refusal(Why::VpesOneByOne));
    if (plan.overVpes[i] &&
        (!shape.constantTrip || *shape.constantTrip > options.cost.machine().numPes()))
      return fail(*shape.loop, Refusal(Why::TooManyVpes,
                                       shape.constantTrip ? std::to_string(*shape.constantTrip)
                                                          : std::string("a variable number of"),
                                       options.cost.machine().numPes()));
  }
  return true;
}

bool NestCheck::planCarried() {
  for (unsigned i = 0; i < plan.shape.loops.size(); i++) {
    plan.carried.push_back(carriedBy(plan.shape.loops[i], evolution));
    for (const Carried &carried : plan.carried.back())
      if (!checkCarried(carried, i))
        return false;
  }
  return true;
}

/// Whether the sequencer counts a loop around this one.
bool NestCheck::isInRows(unsigned loop) const {
  for (unsigned i = 0; i < plan.shape.loops.size(); i++)
    if (i != loop && !plan.overVpes[i] &&
        plan.shape.loops[i].loop->contains(plan.shape.loops[loop].loop))
      return true;
  return false;
}

bool NestCheck::checkCarried(const Carried &carried, unsigned loop) {
  using Kind = Carried::Kind;
  if (carried.kind == Kind::Induction || plan.overVpes[loop])
    return true;
  const Instruction &at =
      llvm::isa<Instruction>(carried.next) &&
              plan.shape.loops[loop].loop->contains(cast<Instruction>(carried.next))
          ? *cast<Instruction>(carried.next)
          : *carried.phi;
  if (plan.isScalar())
    return true;
  if (carried.kind == Kind::Chain)
    return fail(at, Refusal(Why::ChainOfIterations));
  if (!plan.isLaneLoop(loop))
    return fail(at, Refusal(Why::CarriedAroundLoop));
  if (carried.kind == Kind::Previous)
    return !isInRows(loop) || fail(at, Refusal(Why::CarriedFromRowBefore));
  if (loop != 0)
    return fail(at, Refusal(Why::ReducedInRow));
  bool isFloat = carried.phi->getType()->isFloatingPointTy();
  if (!carried.reassociable)
    return fail(at, Refusal(Why::SumInOrder));
  bool conditional = any_of(carried.terms, [](const Carried::Term &t) { return t.condition; });
  if (isFloat && (carried.terms.size() > 1 || conditional))
    return fail(at, Refusal(Why::SumOfSeveral));
  if (isFloat && carried.init != identityOf(carried.op, carried.phi->getType()))
    return fail(at, Refusal(Why::SumStartsElsewhere));
  return true;
}

/// Whether the control code would divide 64 bits to compute a value, which it cannot.
static bool dividesWide(const SCEV *value) {
  return llvm::SCEVExprContains(value, [](const SCEV *part) {
    auto *quotient = dyn_cast<llvm::SCEVUDivExpr>(part);
    auto *by = quotient ? dyn_cast<SCEVConstant>(quotient->getRHS()) : nullptr;
    return quotient && quotient->getType()->getIntegerBitWidth() > 32 &&
           !(by && by->getAPInt().isPowerOf2());
  });
}

/// What the code after the nest uses must be a reduction or known without the nest.
bool NestCheck::checkExits() {
  plan.last.resize(plan.shape.loops.size());
  Loop *root = plan.shape.root().loop;
  BasicBlock *exit = root->getUniqueExitBlock();
  for (PHINode &phi : exit->phis()) {
    Value *value = phi.getIncomingValueForBlock(root->getLoopLatch());
    if (root->isLoopInvariant(value))
      continue;
    const Carried *carried = plan.findNext(value, 0);
    if (carried &&
        (carried->kind == Carried::Kind::Reduction || plan.overVpes[0] || plan.isScalar()))
      continue;
    if (evolution.isSCEVable(value->getType())) {
      const SCEV *after = evolution.getSCEVAtScope(value, root->getParentLoop());
      if (evolution.isLoopInvariant(after, root) && !(plan.isScalar() && dividesWide(after)))
        continue;
    }
    if (plan.isScalar() && !value->getType()->isPointerTy()) {
      Carried last;
      last.kind = Carried::Kind::Previous;
      last.init = Constant::getNullValue(value->getType());
      last.next = value;
      plan.last[0].push_back(last);
      continue;
    }
    return fail(*cast<Instruction>(value), Refusal(Why::LastValueUsed));
  }
  return true;
}

void NestCheck::need(Value *value) {
  auto *inst = dyn_cast<Instruction>(value);
  if (inst && plan.shape.root().loop->contains(inst) && plan.needed.insert(inst).second)
    work.push_back(inst);
}

void NestCheck::needIndex(const PlannedAccess &planned) {
  struct Visitor {
    NestCheck &planner;
    const PlannedAccess &planned;
    bool follow(const SCEV *part) {
      if (Value *value = planned.known.lookup(part)) {
        planner.need(value);
        return false;
      }
      if (auto *unknown = dyn_cast<SCEVUnknown>(part))
        planner.need(unknown->getValue());
      return true;
    }
    bool isDone() { return false; }
  } visitor{*this, planned};
  visitAll(planned.position.index, visitor);
}

bool NestCheck::findNeeded() {
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body) {
      auto found = plan.accesses.find(item.inst);
      if (item.kind != Item::Kind::Inst || found == plan.accesses.end())
        continue;
      const PlannedAccess &planned = found->second;
      // Also a value that nobody uses is popped off a stream.
      need(item.inst);
      if (planned.access->isWrite()) {
        need(planned.access->stored);
        for (const Predicate *p = item.predicate; p; p = p->outer)
          need(p->condition);
      }
      if (planned.position.index)
        needIndex(planned);
    }
  Loop *root = plan.shape.root().loop;
  for (PHINode &phi : root->getUniqueExitBlock()->phis())
    if (const Carried *carried =
            plan.findNext(phi.getIncomingValueForBlock(root->getLoopLatch()), 0))
      need(carried->phi), need(carried->next);
  for (const Carried &last : plan.last[0])
    need(last.next);
  DenseMap<const Value *, const Item *> merges;
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body)
      if (item.kind == Item::Kind::Merge)
        merges[item.inst] = &item;
  while (!work.empty()) {
    auto *inst = cast<Instruction>(work.pop_back_val());
    const Carried *carried = plan.findCarried(inst);
    if (llvm::isa<LoadInst, StoreInst>(inst) ||
        (carried && carried->kind == Carried::Kind::Induction))
      continue;
    for (Value *operand : inst->operands())
      need(operand);
    if (auto merge = merges.find(inst); merge != merges.end())
      need(merge->second->condition);
  }
  if (plan.isScalar())
    findInnerExits();
  return true;
}

/// Values of inner loops that are used behind them. What such a loop carries leaves it anyway.
void NestCheck::findInnerExits() {
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body) {
      auto *inner = item.kind == Item::Kind::Alias ? dyn_cast<Instruction>(item.ifTrue) : nullptr;
      if (!inner || !plan.needed.contains(item.inst))
        continue;
      for (unsigned k = 1; k < plan.shape.loops.size(); k++) {
        Loop *loop = plan.shape.loops[k].loop;
        if (loop->getParentLoop() != shape.loop || !loop->contains(inner))
          continue;
        const Carried *carried = plan.findNext(inner, k);
        bool isKnown = (carried && plan.needed.contains(carried->phi)) ||
                       any_of(plan.last[k], [&](const Carried &c) { return c.next == inner; });
        if (isKnown)
          continue;
        Carried last;
        last.kind = Carried::Kind::Previous;
        last.init = Constant::getNullValue(inner->getType());
        last.next = inner;
        plan.last[k].push_back(last);
      }
    }
}

bool NestCheck::checkOperations() {
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body) {
      if (item.kind != Item::Kind::Inst || llvm::isa<LoadInst, StoreInst>(item.inst))
        continue;
      // Calls count even if nobody uses their result.
      if (!plan.needed.contains(item.inst) && !item.inst->mayHaveSideEffects())
        continue;
      if (std::optional<Refusal> reason = whyNotOffered(*item.inst))
        return fail(*item.inst, *reason);
      if (plan.needed.contains(item.inst) && item.inst->getType()->isPointerTy())
        return fail(*item.inst, Refusal(Why::PointerAsValue));
    }
  return true;
}

} // namespace

static Result<NestPlan, Diagnostic> planAs(Way way, Loop &root, StreamAccess &accesses,
                                           const FunctionAnalyses &analyses,
                                           const ImportOptions &options, const ClosedWays &closed) {
  Result<NestShape, Diagnostic> shape = shapeOf(root, analyses);
  if (!shape)
    return shape.error();
  NestPlan plan;
  Diagnostic why;
  plan.shape = std::move(*shape);
  plan.way = way;
  if (!NestCheck(accesses, analyses, options, closed, plan, why).run())
    return why;
  return plan;
}

Result<NestPlan, Diagnostic> planLanes(Loop &root, StreamAccess &accesses,
                                       const FunctionAnalyses &analyses,
                                       const ImportOptions &options) {
  return planAs(Way::Lanes, root, accesses, analyses, options, {});
}

Result<NestPlan, Diagnostic> planElements(Loop &root, StreamAccess &accesses,
                                          const FunctionAnalyses &analyses,
                                          const ImportOptions &options, const ClosedWays &closed) {
  return planAs(Way::Counted, root, accesses, analyses, options, closed);
}

} // namespace acis::import
