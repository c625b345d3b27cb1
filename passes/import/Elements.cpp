// Which way a nest runs whose iterations are one element each: its loops counted by the sequencer,
// unrolled, or made one with the loop around them. See docs/rationale/import.md.
#include "passes/import/Appends.h"
#include "passes/import/Operations.h"
#include "passes/import/Plan.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/UnitDemand.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

constexpr uint64_t MaxUnrolled = 399; ///< instructions of a body with unrolled loops
constexpr uint64_t Saturated = Demand::Saturated;

class Elements {
public:
  Elements(NestPlan &plan, ScalarEvolution &evolution, const ImportOptions &options,
           const ClosedWays &closed)
      : plan(plan), evolution(evolution), options(options), closed(closed) {
    for (const PlannedAccess &planned : plan.accesses)
      if (planned.kind() == ObjectKind::Array && planned.access->isWrite() &&
          !is_contained(written, planned.access->object))
        written.push_back(planned.access->object);
  }

  Verdict run() { return choose() ? Verdict() : Verdict(why); }
  uint64_t cycles() const;

private:
  bool choose();
  bool chooseWay();
  bool take(Way way);
  bool fits();
  void appendRows();
  bool stageRows(Diagnostic whyNotFromStream);
  unsigned longestInner() const;

  Demand demandOf(unsigned loop) const;
  void addAccess(const PlannedAccess &planned, Demand &demand) const;
  bool isLinear(unsigned loop) const;
  bool carriesValues(unsigned loop) const;

  bool isNest() const { return plan.shape.loops.size() > 1; }
  const Loop &firstInner() const { return *plan.shape.loops[isNest() ? 1 : 0].loop; }
  bool fail(const Loop &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }
  bool holds(const StatusOf<nest::Obstacle> &verdict) {
    if (!verdict)
      why = diagnose(plan, verdict.error());
    return bool(verdict);
  }

  NestPlan &plan;
  ScalarEvolution &evolution;
  const ImportOptions &options;
  const ClosedWays &closed;
  Diagnostic why;
  std::vector<const Object *> written; ///< arrays
  std::optional<nest::Window> input;   ///< what an iteration of the root reads
};

/// Whether unrolled iterations of the loop may become few operations: dfg-rebalance computes sums
/// (exclusive or) of bits at once, as a CRC and a shift register have them.
bool Elements::isLinear(unsigned loop) const {
  return all_of(plan.shape.loops[loop].body, [&](const Item &item) {
    if (item.kind == Item::Kind::Loop || plan.find(item.inst))
      return false;
    const Instruction &inst = *item.inst;
    return inst.isBitwiseLogicOp() || inst.isShift() || item.kind == Item::Kind::Alias ||
           llvm::isa<ICmpInst, SelectInst, ZExtInst, SExtInst, TruncInst>(inst) || isMarker(inst) ||
           !plan.needed.contains(&inst);
  });
}

/// An array that is written has one home. Each PE may have a copy of one that is not.
void Elements::addAccess(const PlannedAccess &planned, Demand &demand) const {
  const Access &access = *planned.access;
  const bool isWrite = access.isWrite();
  switch (access.object->kind) {
  case ObjectKind::In:
    ++demand.streamReads;
    return;
  case ObjectKind::Out:
    ++demand.streamWrites;
    return;
  case ObjectKind::Mem:
    ++(isWrite ? demand.memoryWrites : demand.memoryReads);
    return;
  default:
    break;
  }
  ++(isWrite ? demand.fileWrites : demand.fileReads);
  const auto home = find(written, access.object);
  if (home == written.end())
    return;
  demand.homes.resize(written.size());
  Demand::Home &file = demand.homes[size_t(home - written.begin())];
  ++(isWrite ? file.writes : file.reads);
}

/// Of an iteration. What is left of operations on bits only the mapper can tell.
Demand Elements::demandOf(unsigned loop) const {
  Demand demand;
  for (const Item &item : plan.shape.loops[loop].body) {
    if (item.kind == Item::Kind::Loop) {
      Demand inner = demandOf(item.loop);
      if (plan.row != item.loop && isLinear(item.loop))
        inner.operations = {};
      const uint64_t trip = plan.shape.loops[item.loop].constantTrip.value_or(Saturated);
      demand.add(inner, plan.row == item.loop ? 1 : trip);
      continue;
    }
    if (const PlannedAccess *planned = plan.find(item.inst))
      addAccess(*planned, demand);
    else if (item.kind != Item::Kind::Alias && plan.needed.contains(item.inst) &&
             !item.inst->getType()->isPointerTy())
      ++demand.operations[unsigned(unitOf(*item.inst))];
  }
  return demand;
}

/// Whether the array can hold an iteration.
bool Elements::fits() {
  if (!isNest())
    return true;
  if (nest::unrolledSize(plan.form, plan.row, MaxUnrolled) > MaxUnrolled)
    return fail(firstInner(), Refusal(Why::TooLargeToUnroll));
  const Demand demand = demandOf(0);
  if (!options.cost.hasPorts(demand))
    return fail(firstInner(),
                Refusal(Why::UnrolledMemoryPorts, std::max(demand.memoryReads, demand.memoryWrites),
                        options.cost.machine().memoryPorts()));
  const unsigned interval = options.cost.interval(demand);
  if (!options.cost.hasRoom(interval))
    return fail(firstInner(),
                Refusal(Why::UnrolledInterval, interval, options.cost.machine().contextSlots));
  return true;
}

/// Reads of the input stream that may come from a copy of whole rows: an iteration of the root
/// reads its part of the stream, in any order. Parts that overlap are copied all at once.
bool Elements::stageRows(Diagnostic whyNotFromStream) {
  const auto most = int64_t(options.cost.copyBytes());
  if (uint64_t rows = input ? nest::rowsHeld(plan.form, *input, most) : 0)
    plan.staged = StagedRows{*input, rows, std::move(whyNotFromStream)};
  return plan.staged.has_value();
}

bool Elements::carriesValues(unsigned loop) const {
  return any_of(plan.carried[loop], [](const Carried &carried) { return !carried.isCounter; });
}

/// Writes beside the inner loops that send one row after the other become appending ones, which
/// the array can leave out. They are all that the nest sends.
void Elements::appendRows() {
  if (!planAppends(plan, evolution, /*always=*/true))
    return;
  for (auto [access, planned] : zip(plan.form.accesses, plan.accesses))
    access.appends = planned.append;
}

/// The longest of the loops directly in the root.
unsigned Elements::longestInner() const {
  const std::vector<unsigned> inner = plan.form.levelsIn(0);
  return *llvm::max_element(inner, [&](unsigned a, unsigned b) {
    return *plan.form.levels[a].trip < *plan.form.levels[b].trip;
  });
}

/// Whether the nest can run in this way.
bool Elements::take(Way way) {
  plan.way = way;
  plan.row = way == Way::Flattened ? longestInner() : nest::countedRow(plan.form);
  if (!fits())
    return false;
  if (way == Way::Flattened) {
    appendRows();
    if (!holds(nest::checkBesideRow(plan.form, plan.row, plan.staged.has_value())))
      return false;
  }
  return !isNest() ||
         ((plan.staged || holds(nest::checkInOrder(plan.form, nest::Object::Input, plan.row))) &&
          holds(nest::checkInOrder(plan.form, nest::Object::Output, plan.row)));
}

/// The first way that is open; else why the first of them is not.
bool Elements::chooseWay() {
  SmallVector<Way, 2> ways{Way::Counted};
  if (isNest() && nest::countedRow(plan.form) == nest::None)
    ways = {Way::Unrolled, Way::Flattened};
  std::optional<Diagnostic> first;
  for (Way way : ways) {
    if (auto refused = closed.find(way); refused != closed.end())
      why = refused->second;
    else if (take(way))
      return true;
    if (first)
      first->refusal.asOneLoop = {why.refusal};
    else
      first = why;
  }
  why = *first;
  return false;
}

bool Elements::choose() {
  if (!holds(nest::checkLevels(plan.form)))
    return false;
  if (isNest() && nest::mayReadStale(plan.form))
    return fail(firstInner(), Refusal(Why::MemoryReadAhead));
  if (const auto window = nest::windowOf(plan.form, nest::Object::Input, nest::None);
      window && window->first != nest::None)
    input = *window;
  const Loop &root = *plan.shape.root().loop;
  if (chooseWay()) {
    // Records of which a loop without others in it does not read all, or reads two parts at once.
    // One in another loop may come back to what the copy has passed.
    if (!isNest() && !root.getParentLoop() && input && input->rootStep != input->size())
      stageRows(diagnose(root, Refusal(Why::InputLeftOut)));
    return true;
  }
  const Diagnostic whyNotFromStream = why;
  if (stageRows(whyNotFromStream) && chooseWay())
    return true;
  why = whyNotFromStream;
  return false;
}

uint64_t Elements::cycles() const {
  uint64_t cycles = options.cost.interval(demandOf(0));
  if (plan.row == nest::None)
    return cycles;
  if (carriesValues(plan.row))
    cycles = std::max<uint64_t>(cycles, options.cost.machine().latencyOf(UnitClass::Float));
  return cycles * *plan.shape.loops[plan.row].constantTrip;
}

} // namespace

Verdict chooseElements(NestPlan &plan, ScalarEvolution &evolution, const ImportOptions &options,
                       const ClosedWays &closed) {
  Elements elements(plan, evolution, options, closed);
  Verdict verdict = elements.run();
  if (verdict)
    plan.cycles = elements.cycles();
  return verdict;
}

} // namespace acis::import
