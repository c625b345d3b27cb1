// Checks of one nest, from the cheap to the expensive.
#include "passes/import/Plan.h"

#include "passes/import/Appends.h"
#include "passes/import/Operations.h"
#include "passes/llvm/Diagnose.h"
#include "passes/nest/Lanes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {

const Carried *NestPlan::findCarried(const Value *phi) const {
  for (const auto &loop : carried)
    for (const Carried &value : loop)
      if (value.phi == phi)
        return &value;
  return nullptr;
}

const Carried *NestPlan::findNext(const Value *value, unsigned loop) const {
  for (const Carried &candidate : carried[loop])
    if (candidate.next == value && !candidate.isCounter)
      return &candidate;
  return nullptr;
}

const PlannedAccess *NestPlan::find(const Instruction *inst) const {
  auto number = numbers.find(inst);
  return number == numbers.end() ? nullptr : &accesses[number->second];
}

void NestPlan::keepLast(Value *value, unsigned loop) {
  if (any_of(last[loop], [&](const Carried &known) { return known.next == value; }))
    return;
  Carried kept;
  kept.kind = Carried::Kind::Previous;
  kept.init = Constant::getNullValue(value->getType());
  kept.next = value;
  last[loop].push_back(kept);
}

/// Where a carried value of the form is computed, if its loop does that.
static const Instruction &placeOf(unsigned number, const NestPlan &plan) {
  for (auto [loop, values] : enumerate(plan.carried))
    for (const Carried &carried : values) {
      if (carried.isCounter || number-- != 0)
        continue;
      auto *next = dyn_cast<Instruction>(carried.next);
      return next && plan.shape.loops[loop].loop->contains(next) ? *next : *carried.phi;
    }
  llvm_unreachable("no carried value of the nest");
}

Diagnostic diagnose(const NestPlan &plan, const nest::Obstacle &obstacle) {
  if (obstacle.carried != nest::None)
    return diagnose(placeOf(obstacle.carried, plan), obstacle.refusal);
  if (obstacle.level != nest::None)
    return diagnose(*plan.shape.loops[obstacle.level].loop, obstacle.refusal);
  return diagnose(*plan.accesses[obstacle.access].item->inst, obstacle.refusal);
}

namespace {

class NestCheck {
public:
  NestCheck(StreamAccess &accesses, const FunctionAnalyses &analyses, const ImportOptions &options,
            const ClosedWays &closed, NestPlan &plan, Diagnostic &why)
      : accesses(accesses), analyses(analyses), evolution(analyses.evolution), options(options),
        closed(closed), plan(plan), why(why) {}

  bool run() {
    if (!holds(planAccesses(plan, accesses, analyses)) ||
        (plan.isScalar() && !holds(planAppends(plan, evolution, /*always=*/false))) || !planVpes())
      return false;
    for (const LoopShape &shape : plan.shape.loops)
      plan.carried.push_back(carriedBy(shape, evolution));
    plan.last.resize(plan.shape.loops.size());
    return plan.isScalar() ? checkScalar() : checkLanes();
  }

private:
  bool planVpes();
  bool checkExits();
  void findNeeded();
  void findInnerExits();
  bool hasPlaces() const;
  bool checkLanes();
  bool checkScalar();
  bool checkOperations();
  void need(Value *value);
  void needIndex(const PlannedAccess &planned);
  void needParts(const SCEV *expression);

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
  const FunctionAnalyses &analyses;
  ScalarEvolution &evolution;
  const ImportOptions &options;
  const ClosedWays &closed;
  NestPlan &plan;
  Diagnostic &why;
  SmallVector<Value *, 32> work;
};

bool NestCheck::planVpes() {
  plan.overVpes.assign(plan.shape.loops.size(), false);
  for (const PlannedAccess &planned : plan.accesses)
    if (planned.vpeLoop)
      plan.overVpes[plan.shape.numberOf(planned.vpeLoop)] = true;
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
      plan.keepLast(value, 0);
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

void NestCheck::needParts(const SCEV *expression) {
  SCEVExprContains(expression, [&](const SCEV *part) {
    if (auto *unknown = dyn_cast<SCEVUnknown>(part))
      need(unknown->getValue());
    return false;
  });
}

void NestCheck::findNeeded() {
  for (const PlannedAccess &planned : plan.accesses) {
    // Also a value that nobody uses is popped off a stream.
    need(planned.item->inst);
    if (planned.access->isWrite()) {
      need(planned.access->stored);
      for (const Predicate *p = planned.item->predicate; p; p = p->outer)
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
    if (carried && carried->isCounter) {
      needParts(evolution.getSCEV(inst)); // it may start from what a loop around carries
      continue;
    }
    if (llvm::isa<LoadInst, StoreInst>(inst))
      continue;
    for (Value *operand : inst->operands())
      need(operand);
    if (auto merge = merges.find(inst); merge != merges.end())
      need(merge->second->condition);
  }
  if (plan.isScalar())
    findInnerExits();
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
        if (!carried || !plan.needed.contains(carried->phi))
          plan.keepLast(inner, k);
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

/// Whether places decide here: those of a nest; and those of a loop alone that does not read the
/// input in order, since dfg-lanes would have to run it as elements without a copy of what it
/// reads. They are not known before there is a copy for each VPE.
bool NestCheck::hasPlaces() const {
  return !is_contained(plan.overVpes, true) &&
         (plan.shape.loops.size() > 1 ||
          !nest::checkInOrder(plan.form, nest::Object::Input, nest::None));
}

bool NestCheck::checkLanes() {
  findNeeded();
  describe(plan, evolution);
  const bool isWide =
      any_of(plan.needed,
             [](const Value *value) { return value->getType()->getScalarSizeInBits() == 64; }) ||
      any_of(plan.accesses, [](const PlannedAccess &planned) { return planned.bytes() == 8; });
  const unsigned factor = options.cost.lanesOf(isWide ? 64 : 32);
  const nest::Judged<nest::Lanes> lanes =
      hasPlaces() ? nest::judgeLanes(plan.form, factor) : nest::lanesOf(plan.form, factor);
  if (!lanes) {
    why = diagnose(plan, lanes.error());
    return false;
  }
  if (lanes->level != 0 && nest::mayReadStale(plan.form))
    return fail(*plan.shape.root().loop, Refusal(Why::MemoryReadAhead));
  return checkExits() && checkOperations();
}

bool NestCheck::checkScalar() {
  if (!checkExits())
    return false;
  findNeeded();
  if (!checkOperations())
    return false;
  describe(plan, evolution);
  if (!holds(chooseElements(plan, evolution, options, closed)))
    return false;
  indexStarts(plan, evolution, options.cost.machine().arguments);
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
