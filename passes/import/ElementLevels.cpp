// Loops of a nest whose iterations are one element each: counted by the sequencer, unrolled, or
// made one with the loop around them. See docs/rationale/import.md.
#include "passes/import/Levels.h"

#include "passes/import/Operations.h"
#include "passes/import/StageRows.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/UnitDemand.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace acis::import {
namespace {

constexpr uint64_t MaxUnrolled = 400; ///< instructions of a body with unrolled loops
constexpr int64_t MaxPops = 64;       ///< elements of a stream in one iteration
constexpr uint64_t MinStagedRows = 2; ///< of the input, that fit an array
constexpr uint64_t Saturated = Demand::Saturated;

/// What an iteration asks of the array, and the instructions that its body has.
struct Body {
  Demand demand;
  uint64_t items = 0;

  void add(const Body &other, uint64_t times) {
    demand.add(other.demand, times);
    items = std::min(items + other.items * std::min(times, Saturated), Saturated);
  }
};

/// The part of a stream that an iteration accesses, relative to its first access.
struct StreamWindow {
  const PlannedAccess *first = nullptr; ///< null: none
  int64_t bytes = 1;                    ///< of an element
  int64_t least = INT64_MAX, most = INT64_MIN;
  int64_t rootStep = 0, rowStep = 0;

  int64_t size() const { return most - least; }
};

class ElementLevels {
public:
  ElementLevels(NestPlan &plan, const ImportOptions &options, const ClosedWays &closed,
                ScalarEvolution &evolution)
      : plan(plan), options(options), closed(closed), evolution(evolution),
        accesses(inOrder(plan)) {
    for (const PlannedAccess *planned : accesses)
      if (planned->access->object->kind == ObjectKind::Array && planned->access->isWrite() &&
          !is_contained(written, planned->access->object))
        written.push_back(planned->access->object);
    for (const Item &item : plan.shape.root().body)
      if (auto found = plan.accesses.find(item.inst);
          item.kind == Item::Kind::Inst && !item.predicate && found != plan.accesses.end() &&
          found->second.access->object->kind == ObjectKind::Out)
        sentByRoot.push_back(&found->second);
  }

  Verdict run() { return choose() ? Verdict() : Verdict(why); }
  uint64_t cycles() const;

private:
  bool choose();
  std::optional<unsigned> perfectlyNested() const;
  bool checkTrips();
  bool checkSteps();
  bool fits();
  void appendRows();
  bool checkFlattened();
  bool checkStreams();
  std::optional<StreamWindow> measure(ObjectKind kind, const Loop *row);
  bool checkStream(ObjectKind kind);
  bool stageRows();
  bool leavesGaps();
  unsigned longestInner() const;
  bool take(Way way);
  bool chooseWay();

  Body bodyOf(unsigned loop) const;
  void addAccess(const PlannedAccess &planned, Demand &demand) const;
  bool isLinear(unsigned loop) const;
  bool carriesValues(unsigned loop) const;
  bool holds(unsigned loop, const Instruction &inst) const {
    return plan.shape.loops[loop].loop->contains(&inst);
  }

  bool fail(const Loop &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }
  const Loop &firstInner() const {
    return *plan.shape.loops[std::min<size_t>(1, plan.shape.loops.size() - 1)].loop;
  }

  NestPlan &plan;
  const ImportOptions &options;
  const ClosedWays &closed;
  ScalarEvolution &evolution;
  Diagnostic why;
  std::vector<const PlannedAccess *> accesses; ///< in program order
  std::vector<const Object *> written;         ///< arrays
  std::vector<PlannedAccess *> sentByRoot;     ///< writes to the stream beside inner loops
};

/// The one loop directly in the root if the root does nothing else that counts: no access,
/// and nothing carried but through the inner loop.
std::optional<unsigned> ElementLevels::perfectlyNested() const {
  std::optional<unsigned> inner;
  for (const Item &item : plan.shape.root().body) {
    if (item.kind == Item::Kind::Loop && inner)
      return std::nullopt;
    if (item.kind == Item::Kind::Loop)
      inner = item.loop;
    else if (plan.accesses.contains(item.inst))
      return std::nullopt;
  }
  if (!inner || *plan.shape.loops[*inner].constantTrip > CostModel::MostInner)
    return std::nullopt;
  auto values = [&](unsigned loop) {
    SmallVector<const Carried *, 4> result;
    for (const Carried &carried : plan.carried[loop])
      if (carried.kind != Carried::Kind::Induction)
        result.push_back(&carried);
    return result;
  };
  SmallVector<const Carried *, 4> outside = values(0), inside = values(*inner);
  if (outside.size() != inside.size() || !plan.last[*inner].empty())
    return std::nullopt;
  for (const Carried *carried : inside)
    if (none_of(outside, [&](const Carried *other) { return other->phi == carried->init; }))
      return std::nullopt;
  return inner;
}

/// Whether unrolled iterations of the loop may become few operations: dfg-rebalance computes sums
/// (exclusive or) of bits at once, as a CRC and a shift register have them.
bool ElementLevels::isLinear(unsigned loop) const {
  return all_of(plan.shape.loops[loop].body, [&](const Item &item) {
    if (item.kind == Item::Kind::Loop || plan.accesses.contains(item.inst))
      return false;
    switch (item.inst->getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::ICmp:
    case Instruction::Select:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      return true;
    default:
      return item.kind == Item::Kind::Alias || isMarker(*item.inst) ||
             !plan.needed.contains(item.inst);
    }
  });
}

/// An array that is written has one home. Each PE may have a copy of one that is not.
void ElementLevels::addAccess(const PlannedAccess &planned, Demand &demand) const {
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

/// The body of a loop. What is left of operations on bits only the mapper can tell.
Body ElementLevels::bodyOf(unsigned loop) const {
  Body body;
  for (const Item &item : plan.shape.loops[loop].body) {
    if (item.kind == Item::Kind::Loop) {
      const uint64_t trip = plan.shape.loops[item.loop].constantTrip.value_or(Saturated);
      Body inner = bodyOf(item.loop);
      if (isLinear(item.loop) && plan.row != item.loop)
        inner.demand.operations = {};
      body.add(inner, plan.row == item.loop ? 1 : trip);
      continue;
    }
    body.items += !isMarker(*item.inst) && !llvm::isa<GetElementPtrInst>(item.inst);
    auto access = plan.accesses.find(item.inst);
    if (item.kind == Item::Kind::Inst && access != plan.accesses.end())
      addAccess(access->second, body.demand);
    else if (item.kind != Item::Kind::Alias && plan.needed.contains(item.inst) &&
             !item.inst->getType()->isPointerTy())
      ++body.demand.operations[unsigned(unitOf(*item.inst))];
  }
  return body;
}

/// Whether the array can hold an iteration.
bool ElementLevels::fits() {
  if (plan.shape.loops.size() == 1)
    return true;
  const Body body = bodyOf(0);
  if (body.items >= MaxUnrolled)
    return fail(firstInner(), Refusal(Why::TooLargeToUnroll));
  if (!options.cost.hasPorts(body.demand))
    return fail(firstInner(), Refusal(Why::UnrolledMemoryPorts,
                                      std::max(body.demand.memoryReads, body.demand.memoryWrites),
                                      options.cost.machine().memoryPorts()));
  const unsigned interval = options.cost.interval(body.demand);
  if (!options.cost.hasRoom(interval))
    return fail(firstInner(),
                Refusal(Why::UnrolledInterval, interval, options.cost.machine().contextSlots));
  return true;
}

bool ElementLevels::checkTrips() {
  for (unsigned i = 1; i < plan.shape.loops.size(); i++)
    if (const LoopShape &shape = plan.shape.loops[i]; !shape.constantTrip || shape.guard)
      return fail(*shape.loop, Refusal(Why::InnerCountUnknown));
  return true;
}

bool ElementLevels::checkSteps() {
  for (const PlannedAccess *planned : accesses)
    for (const Position::Step &step : planned->position.steps)
      if (plan.shape.find(step.loop) != &plan.shape.root() && !llvm::isa<SCEVConstant>(step.bytes))
        return fail(*step.loop, Refusal(Why::StepNotConstant, planned->access->object->name));
  return true;
}

/// Where the accesses of a stream in an iteration of the root, or of the loop `row` in it, lie.
std::optional<StreamWindow> ElementLevels::measure(ObjectKind kind, const Loop *row) {
  const Loop *root = plan.shape.root().loop;
  StreamWindow window;
  for (const PlannedAccess *planned : accesses) {
    if (planned->access->object->kind != kind || planned->append)
      continue;
    window.bytes = int64_t(planned->access->type->getPrimitiveSizeInBits() / 8);
    int64_t low = 0, high = window.bytes;
    std::optional<int64_t> outerStep = planned->position.constantStep(root);
    std::optional<int64_t> innerStep = row ? planned->position.constantStep(row) : 0;
    if (!outerStep || !innerStep)
      return StreamWindow(); // the position is checked elsewhere
    for (const Position::Step &step : planned->position.steps) {
      if (step.loop == root || step.loop == row)
        continue;
      int64_t last = int64_t(*plan.shape.find(step.loop)->constantTrip) - 1;
      int64_t moved = planned->position.constantStep(step.loop).value_or(0);
      (moved < 0 ? low : high) += moved * last;
    }
    if (window.first) {
      std::optional<APInt> distance = evolution.computeConstantDifference(
          planned->position.start, window.first->position.start);
      if (!distance || *outerStep != window.rootStep || *innerStep != window.rowStep) {
        fail(firstInner(), Refusal(Why::StreamMovesApart, planned->access->object->name));
        return std::nullopt;
      }
      low += distance->getSExtValue();
      high += distance->getSExtValue();
    } else {
      window.first = planned;
      window.rootStep = *outerStep;
      window.rowStep = *innerStep;
    }
    window.least = std::min(window.least, low);
    window.most = std::max(window.most, high);
  }
  return window;
}

/// An iteration reads or writes neighbouring elements, the next one those behind them.
bool ElementLevels::checkStream(ObjectKind kind) {
  const Loop *row = plan.row ? plan.shape.loops[*plan.row].loop : nullptr;
  std::optional<StreamWindow> window = measure(kind, row);
  if (!window || !window->first)
    return window.has_value();
  bool isOnce = !row && plan.shape.root().constantTrip == uint64_t(1);
  int64_t trip = row ? int64_t(*plan.shape.loops[*plan.row].constantTrip) : 1;
  int64_t step = row ? window->rowStep : window->rootStep;
  bool inOrder =
      isOnce || (step == window->size() && (!row || window->rootStep == window->rowStep * trip));
  if (inOrder && window->size() / window->bytes <= MaxPops)
    return true;
  return fail(firstInner(),
              Refusal(Why::RowsHaveGaps, kind == ObjectKind::In ? "input" : "output"));
}

bool ElementLevels::checkStreams() {
  return plan.shape.loops.size() == 1 ||
         ((plan.staged || checkStream(ObjectKind::In)) && checkStream(ObjectKind::Out));
}

/// Reads of the input stream that may come from a copy of whole rows: an iteration of the root
/// reads its part of the stream, in any order. Parts that overlap are copied all at once.
bool ElementLevels::stageRows() {
  std::optional<StreamWindow> window = measure(ObjectKind::In, nullptr);
  if (!window || !window->first || window->rootStep % window->bytes != 0)
    return false;
  uint64_t together = MinStagedRows;
  if (window->rootStep < window->size()) {
    if (!plan.shape.root().constantTrip)
      return false;
    together = *plan.shape.root().constantTrip;
  }
  const int64_t most = stagedBytes(options);
  if (window->size() > most || window->rootStep > most ||
      window->size() + window->rootStep * int64_t(std::min(together, Saturated) - 1) > most)
    return false;
  StagedRows rows;
  rows.step = window->rootStep;
  rows.bytes = window->size();
  for (const PlannedAccess *planned : accesses) {
    if (planned->access->object->kind != ObjectKind::In)
      continue;
    std::optional<APInt> distance =
        evolution.computeConstantDifference(planned->position.start, window->first->position.start);
    int64_t offset = distance->getSExtValue() - window->least;
    if (planned->access->type != window->first->access->type || offset % window->bytes != 0 ||
        planned->position.index)
      return false;
    rows.reads.push_back({planned->access, offset, planned->position.steps});
  }
  plan.staged = std::move(rows);
  return true;
}

bool ElementLevels::carriesValues(unsigned loop) const {
  return any_of(plan.carried[loop],
                [](const Carried &carried) { return carried.kind != Carried::Kind::Induction; });
}

/// Writes beside the inner loops that send one row after the other become appending ones, which
/// the array can leave out. They are all that the nest sends.
void ElementLevels::appendRows() {
  const Loop *root = plan.shape.root().loop;
  size_t writes = count_if(accesses, [](const PlannedAccess *planned) {
    return planned->access->object->kind == ObjectKind::Out;
  });
  if (sentByRoot.empty() || writes != sentByRoot.size())
    return;
  const SCEV *start = sentByRoot.front()->position.start;
  int64_t sent = 0, row = 0;
  for (const PlannedAccess *planned : sentByRoot)
    row += int64_t(planned->access->type->getPrimitiveSizeInBits() / 8);
  for (const PlannedAccess *planned : sentByRoot) {
    const Position &position = planned->position;
    std::optional<APInt> distance = evolution.computeConstantDifference(position.start, start);
    bool isNext = distance && distance->getSExtValue() == sent && position.steps.size() == 1 &&
                  !position.index && position.constantStep(root) == row;
    if (!isNext)
      return;
    sent += int64_t(planned->access->type->getPrimitiveSizeInBits() / 8);
  }
  for (PlannedAccess *planned : sentByRoot) {
    planned->append = true;
    planned->position = {};
    planned->position.start = start;
  }
}

/// Whether what stands beside the row can be done in its first and last iteration.
bool ElementLevels::checkFlattened() {
  const LoopShape &shape = plan.shape.loops[*plan.row];
  if (*shape.constantTrip > CostModel::MostInner)
    return fail(*shape.loop, Refusal(Why::RowTooLong, CostModel::MostInner));
  appendRows();
  for (const PlannedAccess *planned : accesses) {
    ObjectKind kind = planned->access->object->kind;
    bool isStream = (kind == ObjectKind::In && !plan.staged) || kind == ObjectKind::Out;
    if (isStream && !planned->append && !holds(*plan.row, *planned->access->inst))
      return fail(*shape.loop, Refusal(Why::StreamBesideRow, planned->access->object->name));
  }
  return true;
}

/// The longest of the loops directly in the root.
unsigned ElementLevels::longestInner() const {
  std::optional<unsigned> longest;
  for (const Item &item : plan.shape.root().body)
    if (item.kind == Item::Kind::Loop && (!longest || *plan.shape.loops[item.loop].constantTrip >
                                                          *plan.shape.loops[*longest].constantTrip))
      longest = item.loop;
  return *longest;
}

/// Whether the nest can run in this way.
bool ElementLevels::take(Way way) {
  plan.way = way;
  plan.row = perfectlyNested();
  if (way == Way::Flattened)
    plan.row = longestInner();
  return fits() && (way != Way::Flattened || checkFlattened()) && checkStreams();
}

/// The first way that is open; else why the first of them is not.
bool ElementLevels::chooseWay() {
  SmallVector<Way, 2> ways{Way::Counted};
  if (plan.shape.loops.size() > 1 && !perfectlyNested())
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

/// Whether a loop without others in it reads records of the stream, but not all of each. One in
/// another loop may come back to what the copy has passed.
bool ElementLevels::leavesGaps() {
  if (plan.shape.loops.size() > 1 || plan.shape.root().loop->getParentLoop())
    return false;
  std::optional<StreamWindow> window = measure(ObjectKind::In, nullptr);
  if (!window || !window->first || window->rootStep <= window->size())
    return false;
  fail(*plan.shape.root().loop, Refusal(Why::InputLeftOut));
  return true;
}

bool ElementLevels::choose() {
  if (plan.shape.loops.size() > 1) {
    if (!checkTrips() || !checkSteps())
      return false;
    if (mayReadStale(plan))
      return fail(firstInner(), Refusal(Why::MemoryReadAhead));
  }
  if (chooseWay()) {
    if (leavesGaps() && stageRows())
      plan.staged->why = why;
    return true;
  }
  Diagnostic whyNotFromStream = why;
  if (stageRows() && chooseWay()) {
    plan.staged->why = whyNotFromStream;
    return true;
  }
  why = whyNotFromStream;
  return false;
}

uint64_t ElementLevels::cycles() const {
  uint64_t cycles = options.cost.interval(bodyOf(0).demand);
  if (!plan.row)
    return cycles;
  if (carriesValues(*plan.row))
    cycles = std::max<uint64_t>(cycles, options.cost.machine().latencyOf(UnitClass::Float));
  return cycles * *plan.shape.loops[*plan.row].constantTrip;
}

} // namespace

Verdict chooseElementLevels(NestPlan &plan, const ImportOptions &options, const ClosedWays &closed,
                            ScalarEvolution &evolution) {
  ElementLevels levels(plan, options, closed, evolution);
  Verdict verdict = levels.run();
  if (verdict)
    plan.cycles = levels.cycles();
  return verdict;
}

} // namespace acis::import
