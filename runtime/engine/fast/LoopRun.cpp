// Setup of a loop's run, its order of evaluation, and its end.
#include "runtime/engine/fast/LoopRun.h"

#include "backend/isa/Traps.h"
#include "runtime/engine/loader/VrfOrders.h"

#include <algorithm>
#include <cstring>

namespace acis::fast {

using Kind = GraphOperand::Kind;

/// Iterations, or a few milliseconds, after which a loop asks whether it is to go on.
constexpr uint64_t AskIterations = 1 << 14;
static_assert(AskIterations % BlockIterations == 0);

template <typename C>
LoopRun<C>::LoopRun(Grid &grid, const Plan &plan)
    : grid(grid), plan(plan), loop(plan.source.loop), perBeat(grid.overlay.lanes * 4 / sizeof(C)),
      vf(loop.scalar ? 1 : perBeat) {
  layOut();
}

template <typename C> C *LoopRun<C>::take(size_t beats) {
  C *taken = next;
  next += beats * vf;
  return taken;
}

/// Gives every node its memory in the arena and prepares its operands.
template <typename C> void LoopRun<C>::layOut() {
  const std::vector<GraphNode> &nodes = plan.source.graph.nodes;
  size_t beats = BlockIterations * 4 + 3 * nodes.size() + 1; // scratch, and one never-read operand
  for (size_t n = 0; n < nodes.size(); ++n) {
    beats += plan.ringBeats[n];
    for (const GraphOperand &from : nodes[n].operands)
      beats += from.kind == Kind::Imm       ? BlockIterations
               : from.kind == Kind::Partial ? isa::AccPartials
                                            : 0;
  }
  arena.resize(beats * vf * sizeof(C));
  next = reinterpret_cast<C *>(arena.data());
  for (C *&buffer : scratch)
    buffer = take(BlockIterations);
  temporary = take(BlockIterations);

  works.resize(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) {
    Work &work = works[n];
    work.node = &nodes[n];
    work.word = &loop.pes[nodes[n].pe].slots[nodes[n].slot];
    work.ring = take(plan.ringBeats[n]);
    work.mask = plan.ringBeats[n] - 1;
  }
  const ContextGraph &graph = plan.source.graph;
  for (unsigned r = 0; r < graph.pops.size(); ++r)
    works[graph.pops[r]].rank = r;
  for (unsigned r = 0; r < graph.pushes.size(); ++r)
    works[graph.pushes[r]].rank = r;
  for (Work &work : works)
    connect(work);
}

/// Beats of a constant; filled here for good if it does not depend on the launch.
template <typename C>
const C *LoopRun<C>::filled(const isa::Slot &word, unsigned which, unsigned beats) {
  const Filled made{&word, which, take(beats), beats};
  if (word.immArg[which] == isa::NoArg)
    fill(made, beats);
  else
    varying.push_back(made);
  return made.beats;
}

template <typename C> void LoopRun<C>::connect(Work &work) {
  const GraphNode &node = *work.node;
  for (unsigned k = 0; k < 3; ++k) {
    const GraphOperand &from = node.operands[k];
    Input &in = work.in[k];
    in.constant = scratch[0]; // not read
    if (from.kind == Kind::Node) {
      const Work &producer = works[from.node];
      in = {nullptr, producer.ring, producer.mask, from.distance, from.node};
    } else if (from.kind == Kind::Imm) {
      in.constant = filled(loop.pes[from.pe].slots[from.slot], from.imm, BlockIterations);
    }
    if (from.first) {
      if (from.first == isa::FirstOfRow)
        in.row = loop.innerCount;
      else
        in.first = from.first;
      in.initial = filled(*work.word, from.init, 1);
    }
  }
  if (node.kind == ElementKind::VrfRead || node.kind == ElementKind::VrfWrite) {
    work.address = &addressOf(loop, node);
    work.range = reinterpret_cast<C *>(grid.registers[node.pe].data()) +
                 work.address->base * perBeat + (loop.scalar ? work.address->lane : 0);
  }
  if (node.kind != ElementKind::Compute)
    return;
  work.kernel = element::kernel<C>(work.word->op, work.word->type, work.word->from);
  if (work.word->accumulate) {
    work.partials = take(isa::AccPartials);
    varying.push_back({work.word, 1, work.partials, isa::AccPartials, /*always=*/true});
  }
}

template <typename C> void LoopRun<C>::begin(const LoopInput &launch) {
  input = launch;
  iterations = launch.iterations;
  tail = launch.tail;
  trapTime = std::numeric_limits<uint64_t>::max();
  const size_t block = size_t(std::min<uint64_t>(iterations, BlockIterations));
  for (const Filled &one : varying)
    fill(one, one.always ? one.most : std::min<size_t>(one.most, block));
  // Iterations before the first one are zero.
  for (size_t n = 0; n < works.size(); ++n) {
    if (plan.history[n] != 0)
      std::fill_n(result(works[n], 0 - uint64_t(plan.history[n])), plan.history[n] * size_t(vf),
                  C(0));
    works[n].direct = nullptr;
  }
}

template <typename C> uint64_t LoopRun<C>::constantOf(const isa::Slot &word, unsigned which) const {
  const unsigned arg = word.immArg[which];
  if (arg == isa::NoArg)
    return word.imm[which];
  const bool wide = sizeof(C) == 8 && element::bits(word.type) == 64;
  return input.args[arg] | (wide ? uint64_t(input.args[arg + 1]) << 32 : 0);
}

/// The operand's beats for iterations [i, i + n), one after the other, in `buffer` if
/// they are not so in the ring.
template <typename C>
const C *LoopRun<C>::operand(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer) {
  const Input &in = work.in[k];
  if (in.row)
    return inRows(work, k, i, n, buffer);
  if (i < in.first)
    return withInitial(work, k, i, n, buffer);
  return carried(work, k, i, n, buffer);
}

template <typename C>
const C *LoopRun<C>::carried(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer) {
  const Input &in = work.in[k];
  if (in.constant)
    return in.constant;
  if (const Work &from = works[in.node]; from.direct)
    return from.direct + (i - from.first) * vf;
  const uint64_t start = (i - in.distance) & in.mask, room = in.mask + 1 - start;
  if (n <= room)
    return in.ring + start * vf;
  copyBeats(buffer, in.ring + start * vf, room);
  copyBeats(buffer + room * vf, in.ring, n - room);
  return buffer;
}

/// The same where the first iteration of each row takes the initial value.
template <typename C>
const C *LoopRun<C>::inRows(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer) {
  const Input &in = work.in[k];
  const uint64_t at = i % in.row; // in its row
  if (n == 1)
    return at == 0 ? in.initial : carried(work, k, i, n, buffer);
  if (const C *found = carried(work, k, i, n, buffer); found != buffer)
    copyBeats(buffer, found, n);
  for (uint64_t j = at == 0 ? 0 : in.row - at; j < n; j += in.row)
    copyBeats(buffer + j * vf, in.initial, 1);
  return buffer;
}

/// The same where the first of the iterations take the initial value.
template <typename C>
const C *LoopRun<C>::withInitial(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer) {
  const Input &in = work.in[k];
  const unsigned initial = unsigned(std::min<uint64_t>(n, in.first - i));
  for (unsigned j = 0; j < initial; ++j)
    copyBeats(buffer + j * vf, in.initial, 1);
  if (initial == n)
    return buffer;
  C *rest = buffer + initial * vf;
  if (const C *found = operand(work, k, in.first, n - initial, rest); found != rest)
    copyBeats(rest, found, n - initial);
  return buffer;
}

template <typename C> void LoopRun<C>::note(const Work &work, uint64_t i, std::string what) {
  const uint64_t time = i * loop.ii + work.node->time;
  if (time >= trapTime)
    return;
  trapTime = time;
  grid.trap = {std::move(what), work.node->pe, work.node->slot};
}

template <typename C> void LoopRun<C>::outside(const Work &work, uint64_t i, C offset) {
  if (!work.address->zeroOutside)
    note(work, i, isa::trapOffset(offset, work.address->base, work.address->limit));
}

template <typename C> bool LoopRun<C>::run(const LoopInput &launch) {
  begin(launch);
  if (iterations == 0)
    return true;
  if (const unsigned limit = blockLimit(plan, input, loop.scalar ? perBeat : 1))
    runBlocks(limit);
  else
    runCycles();
  if (trapTime != std::numeric_limits<uint64_t>::max())
    return false;
  finishAccumulations();
  return true;
}

/// After a trap it goes on, with harmless values, to the trap's array time: another node
/// of a later iteration may trap earlier.
template <typename C> void LoopRun<C>::runBlocks(unsigned limit) {
  for (uint64_t block = 0; block < iterations && block * loop.ii < trapTime;
       block += BlockIterations) {
    if (block % AskIterations == AskIterations - BlockIterations && interrupted(block))
      return;
    const uint64_t end = std::min<uint64_t>(block + BlockIterations, iterations);
    for (uint64_t i = block; i < end; i += limit) {
      const unsigned n = unsigned(std::min<uint64_t>(limit, end - i));
      for (const Step &step : plan.steps)
        if (step.kind == StepKind::Block)
          evaluate(works[step.nodes[0]], i, n);
        else if (step.kind == StepKind::Update)
          update(step, i, n);
        else
          for (unsigned k = 0; k < n; ++k)
            for (uint32_t node : step.nodes)
              evaluate(works[node], i + k, 1);
    }
  }
}

/// Exactly in array time, one beat at a time.
template <typename C> void LoopRun<C>::runCycles() {
  for (uint64_t row = 0; row < iterations + loop.stages - 1 && row * loop.ii < trapTime; ++row) {
    if (row % AskIterations == AskIterations - 1 && interrupted(row))
      return;
    for (uint32_t node : plan.cycleOrder) {
      const uint64_t stage = works[node].node->time / loop.ii;
      if (row >= stage && row - stage < iterations)
        evaluate(works[node], row - stage, 1);
    }
  }
}

/// Ends the loop at an iteration if its caller wants that.
template <typename C> bool LoopRun<C>::interrupted(uint64_t iteration) {
  if (!isWanted(grid.interrupt))
    return false;
  grid.trap = {.what = TrapInterrupted};
  trapTime = iteration * loop.ii;
  return true;
}

template <typename C> void LoopRun<C>::evaluate(Work &work, uint64_t i, unsigned n) {
  switch (work.node->kind) {
  case ElementKind::Compute:
    return compute(work, i, n);
  case ElementKind::VrfRead:
    return readRegisters(work, i, n);
  case ElementKind::VrfWrite:
    return writeRegisters(work, i, n);
  case ElementKind::StreamIn:
    return popStream(work, i, n);
  case ElementKind::StreamOut:
    return pushStream(work, i, n);
  case ElementKind::MemIn:
    return readMemory(work, i, n);
  case ElementKind::MemOut:
    return writeMemory(work, i, n);
  }
}

template <typename C> void LoopRun<C>::finishAccumulations() {
  for (const Work &work : works)
    if (loop.scalar && work.node->kind == ElementKind::Compute && work.word->result != isa::NoArg)
      grid.results[work.word->result] = *result(work, iterations - 1);
    else if (work.partials && work.word->result != isa::NoArg)
      grid.results[work.word->result] = element::foldPartials(
          work.word->op, work.word->type, sizeof(C) * 8, unsigned(vf * sizeof(C)), work.partials);
}

Grid::Grid(const Overlay &overlay) : overlay(overlay), registers(overlay.numPes()) { reset(); }

void Grid::reset() {
  for (BeatStore &file : registers)
    file.resize(size_t(overlay.vrfBeats) * overlay.beatBytes());
  results = {};
}

std::unique_ptr<Loop> Grid::prepare(const Plan &plan) {
  if (plan.source.loop.laneBits == 32)
    return std::make_unique<LoopRun<uint32_t>>(*this, plan);
  return std::make_unique<LoopRun<uint64_t>>(*this, plan);
}

// NOLINTBEGIN(bugprone-macro-parentheses): C is a type
#define ACIS_INSTANTIATE(C)                                                                        \
  template LoopRun<C>::LoopRun(Grid &, const Plan &);                                              \
  template bool LoopRun<C>::run(const LoopInput &);                                                \
  template void LoopRun<C>::evaluate(Work &, uint64_t, unsigned);                                  \
  template const C *LoopRun<C>::operand(const Work &, unsigned, uint64_t, unsigned, C *);          \
  template void LoopRun<C>::note(const Work &, uint64_t, std::string);                             \
  template void LoopRun<C>::outside(const Work &, uint64_t, C);
// NOLINTEND(bugprone-macro-parentheses)
ACIS_INSTANTIATE(uint32_t)
ACIS_INSTANTIATE(uint64_t)

} // namespace acis::fast
