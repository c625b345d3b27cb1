// See Sequencer.h: starting loops and their iterations.
#include "runtime/engine/model/Sequencer.h"

#include <algorithm>
#include <utility>

namespace acis::model {

void Sequencer::reset() {
  queue.clear();
  runs.clear();
  freeRuns.clear();
  plan.reset();
  slot = frozen = spacing = folding = following = 0;
  shifted = midCycle = headWasReady = headIsDue = false;
  liveIterations = 0;
  results = {};
  vectorOps.clear();
  scratch.reset(1, beatWords(overlay));
  nextVectorId = 1;
  failure.reset();
  vrfUse = {};
  vrfUses.reset(overlay.stallLatency);
  traps.reset(overlay.stallLatency);
  writes.reset(overlay.stallLatency);
}

std::optional<Stall> Sequencer::cycle(uint64_t now) {
  const size_t before = queue.size();
  if (overlay.stallLatency != 0) {
    beginFollowers();
    if (failure)
      return std::nullopt;
  }
  if (!admitVectorOp(now))
    prefetch(now);
  const size_t waiting = queue.size();
  const bool ran = !runs.empty();
  const std::optional<Stall> cause = overlay.stallLatency == 0 ? step(now) : decide(now);
  // For the next cycle: before vector loads and stores, and the scalar unit, go on in this one.
  if (overlay.launchLatency != 0)
    lookAtHead(overlay.launchLatency == 1 ? waiting : before, ran);
  runVectorOps(now);
  return cause;
}

/// What was decided some cycles before happens in this one.
void Sequencer::beginFollowers() {
  vrfUse.array = VrfUse::Array::Empty;
  vrfUses.begin([this](const VrfUse &use) { vrfUse = use; });
  traps.begin([this](const GridTrap &trap) {
    if (!failure)
      failure = trap;
  });
  writes.begin([this](const std::vector<CycleState::Write> &made) {
    grid.observed->insert(grid.observed->end(), made.begin(), made.end());
  });
}

/// A step that the array does some cycles later.
std::optional<Stall> Sequencer::decide(uint64_t now) {
  const VrfUse current = std::exchange(vrfUse, {});
  std::vector<CycleState::Write> made;
  std::vector<CycleState::Write> *const observer = grid.observed;
  if (observer)
    grid.observed = &made;
  const std::optional<Stall> cause = step(now);
  grid.observed = observer;
  if (!made.empty())
    writes.add(std::move(made));
  if (vrfUse.array != VrfUse::Array::Empty) {
    following = overlay.stallLatency;
    vrfUses.add(std::move(vrfUse));
  } else if (following != 0) {
    --following;
  }
  vrfUse = current;
  if (grid.trap())
    traps.add(grid.takeTrap());
  return cause;
}

/// Whether the first launch of the queue may start in the next cycle (headWasReady) and, looked at
/// for two, in the one behind it (headIsDue). One that became the first just now, when there were
/// \p waiting, is looked at in the next cycle; and the array is cleared for a loop in a cycle in
/// which none runs, other than that in which the last one ended (\p ran).
void Sequencer::lookAtHead(size_t waiting, bool ran) {
  const bool same = queue.size() == waiting && !queue.empty();
  headIsDue = same && headWasReady && !(ran && runs.empty());
  headWasReady = same && !headWaits();
}

void Sequencer::describe(CycleState &state) const {
  state.set(CycleState::Queue, queue.size());
  state.set(CycleState::Loops, runs.size());
  state.set(CycleState::Transfers, vectorOps.size());
  state.set(CycleState::Fold, folding);
  state.set(CycleState::Live, liveIterations);
  state.set(CycleState::Held, midCycle);
  if (liveIterations != 0)
    state.set(CycleState::Slot, slot);
  if (!runs.empty()) {
    state.set(CycleState::Inner, runs.back()->inner);
    state.set(CycleState::Outer, runs.back()->outer);
  }
  for (unsigned i = 0; loopsIdle() && i < results.size(); ++i) // else nobody can read them
    state.set(CycleState::Result0 + i, results[i]);
}

Sequencer::Busy Sequencer::busy() const {
  Busy busy;
  for (const VectorOp &op : vectorOps)
    if (op.launch.kind == Launch::Kind::VectorLoad)
      busy.loaded |= op.launch.plan->loop.vregsWritten;
    else
      busy.stored |= op.launch.plan->loop.vregsRead;
  return busy;
}

/// Why the first launch of the queue cannot start an iteration now, if it is a loop.
std::optional<Stall> Sequencer::headWaits() const {
  const Launch &head = queue.front();
  const Plan &next = *head.plan;
  if (head.kind != Launch::Kind::Loop)
    return Stall::Vreg; // a vector load or store that waits for registers or memory
  const bool mayOverlap = next.overlaps && head.plan == plan;
  if (!runs.empty() && (!mayOverlap || runs.size() >= isa::MaxRuns))
    return Stall::Drain;
  const Busy used = busy();
  if (((next.loop.vregsRead | next.loop.vregsWritten) & used.loaded) ||
      (next.loop.vregsWritten & used.stored))
    return Stall::Vreg;
  if (next.readsMemory && !head.fetching)
    return Stall::MemWrite; // earlier writes have not been acknowledged
  if (next.writesMemory && !vectorOps.empty())
    return vectorOps.front().launch.kind == Launch::Kind::VectorLoad ? Stall::MemRead
                                                                     : Stall::MemWrite;
  return std::nullopt;
}

Stall Sequencer::idleCause() const {
  if (queue.empty())
    return Stall::Launch;
  return headWaits().value_or(Stall::Drain);
}

/// What the first launch of the queue waits for does not come back while it is the first, so it
/// still may start when it might in the cycle before.
bool Sequencer::headMayStart() const {
  if (overlay.launchLatency == 0)
    return !queue.empty() && !headWaits();
  return overlay.launchLatency == 1 ? headWasReady : headIsDue;
}

bool Sequencer::startHead(uint64_t now) {
  if (!headMayStart())
    return false;
  Launch launch = std::move(queue.front());
  queue.pop_front();
  const bool drained = runs.empty();
  std::unique_ptr<Run> run;
  if (freeRuns.empty()) {
    run = std::make_unique<Run>();
  } else {
    run = std::move(freeRuns.back());
    freeRuns.pop_back();
  }
  if (run->plan != launch.plan.get())
    run->constants = {};
  run->plan = launch.plan.get();
  run->iterations = launch.iterations;
  run->tail = launch.tail;
  run->args = launch.args;
  run->pc = launch.pc;
  run->context = launch.context;
  run->issued = run->live = run->inner = run->outer = 0;
  run->startCycle = now;
  Grid::fillConstants(*run, beatWords(overlay));
  if (drained) {
    plan = launch.plan;
    grid.begin(*run);
    slot = 0;
    spacing = 0;
  }
  grid.routingRun = run.get();
  runs.push_back(std::move(run));
  return true;
}

/// Puts the next iteration of the last run into stage 0.
void Sequencer::startIteration() {
  Run &run = *runs.back();
  StageInfo &info = grid.ring[grid.head];
  info.run = &run;
  info.iteration = run.issued;
  info.i0 = run.inner;
  info.i1 = run.outer;
  const bool last = run.issued + 1 == run.iterations;
  info.active = last && run.tail != 0 ? run.tail : plan->vf;
  if (++run.inner == plan->loop.innerCount) {
    run.inner = 0;
    ++run.outer;
  }
  ++run.issued;
  ++run.live;
  ++liveIterations;
  ++counters.iterations;
  spacing = plan->interval - 1;
}

/// All iterations of the run have left the pipeline.
void Sequencer::retire(Run &run, uint64_t now) {
  const unsigned fold = plan->foldCycles == 0 ? 0 : plan->foldCycles + overlay.stallLatency;
  trace.add({EventKind::Loop, run.startCycle, now + fold, run.pc, run.context, run.iterations});
  if (fold != 0) {
    folding = fold;
    grid.fold(run, results);
    return;
  }
  freeRuns.push_back(std::move(runs.front()));
  runs.pop_front();
}

/// At the start of every ii cycles: iterations move to their next stage.
void Sequencer::shift(uint64_t now) {
  shifted = true;
  if (!runs.empty()) {
    grid.head = grid.head == 0 ? unsigned(grid.ring.size()) - 1 : grid.head - 1;
    StageInfo &left = grid.ring[grid.head];
    if (Run *run = left.run) {
      left.run = nullptr;
      --liveIterations;
      --run->live;
      if (run->live == 0 && run->issued == run->iterations)
        retire(*run, now);
    }
  }
  if (folding != 0)
    return;
  if (!runs.empty() && runs.back()->issued < runs.back()->iterations) {
    if (spacing != 0)
      --spacing;
    else
      startIteration();
  } else if (startHead(now)) {
    startIteration();
  }
}

Stall Sequencer::foldStep() {
  if (--folding == 0) {
    freeRuns.push_back(std::move(runs.front()));
    runs.pop_front();
    shifted = false;
  }
  return Stall::Drain;
}

std::optional<Stall> Sequencer::step(uint64_t now) {
  vrfUse.array = VrfUse::Array::Empty;
  if (folding == 0 && slot == 0 && !shifted)
    shift(now);
  if (folding != 0)
    return foldStep();
  if (!midCycle) {
    if (arrayEmpty()) {
      shifted = false;
      return idleCause();
    }
    vrfUse.array = VrfUse::Array::Stands;
    if (const std::optional<Stall> port = grid.blocked(*plan, slot))
      return port;
    frozen = grid.readPhase(*plan, slot);
    midCycle = true;
  }
  if (frozen != 0) {
    vrfUse.array = VrfUse::Array::Interlock;
    --frozen;
    return Stall::Interlock;
  }
  vrfUse.array = VrfUse::Array::Moves;
  if (overlay.vrfCopies && !vectorOps.empty())
    grid.describeUse(*plan, slot, vrfUse);
  grid.writePhase(*plan, slot);
  midCycle = false;
  const bool started = grid.stage(0).run != nullptr;
  if (++slot == plan->loop.ii) {
    slot = 0;
    shifted = false;
  }
  if (started)
    return std::nullopt;
  if (!runs.empty() && runs.back()->issued < runs.back()->iterations)
    return Stall::Interlock; // iterations are spaced
  return idleCause();
}

void Sequencer::fetch(const Plan &next, const Launch &launch, uint64_t user) {
  const unsigned lastActive = launch.tail != 0 ? launch.tail : next.vf;
  for (uint16_t pe : next.memInPes) {
    const isa::MemAddress &port = next.loop.pes[pe].memIn;
    const unsigned full = port.format.splat ? port.format.bytes : port.format.bytes * next.vf;
    const unsigned last = port.format.splat ? port.format.bytes : port.format.bytes * lastActive;
    const uint32_t base = launch.args[port.arg] + uint32_t(port.offset);
    memory.readers[pe].start(AccessWalk(base, port.stride0, port.stride1, next.loop.innerCount,
                                        launch.iterations, full, last),
                             BeatRuns(base, port.stride0, port.stride1, next.loop.innerCount,
                                      launch.iterations, full, last, overlay.beatBytes()),
                             user);
  }
}

/// Begins the memory reads of a queued loop as soon as nothing before it writes; of one
/// loop in a cycle.
void Sequencer::prefetch(uint64_t now) {
  bool writesAhead = false;
  for (const std::unique_ptr<Run> &run : runs)
    writesAhead |= run->plan->writesMemory;
  for (const VectorOp &op : vectorOps)
    writesAhead |= op.launch.kind == Launch::Kind::VectorStore;
  for (Launch &launch : queue) {
    if (launch.kind != Launch::Kind::Loop)
      return;
    if (launch.plan->readsMemory && !launch.fetching) {
      if (writesAhead || !memory.writesIdle(now))
        return;
      launch.fetching = true;
      return fetch(*launch.plan, launch, GridUser);
    }
    writesAhead |= launch.plan->writesMemory;
  }
}

} // namespace acis::model
