// The register-file ports of the PEs: addresses, gathers, and the interlock.
#include "runtime/engine/model/Grid.h"

#include "backend/isa/Traps.h"

#include <algorithm>

namespace acis::model {

using isa::VrfAddress;

/// Computes laneBeat for one access; false if it traps. Offsets are computed modulo
/// 2^laneBits. With a predicate, lanes where it is 0 have no address of their own. In a
/// scalar loop laneBeat[0] is an element of the register file.
bool Grid::addresses(const VrfAddress &address, const StageInfo &info, const uint64_t *index,
                     const uint64_t *predicate, unsigned laneBits, unsigned pe, unsigned slot) {
  const uint64_t container = laneBits == 64 ? ~uint64_t(0) : 0xffffffff;
  const uint64_t start =
      (address.arg == isa::NoArg ? 0 : uint64_t(int64_t(int32_t(info.run->args[address.arg])))) +
      uint64_t(int64_t(address.stride0) * info.i0) + uint64_t(int64_t(address.stride1) * info.i1);
  const uint64_t mask =
      address.bits == 0 || address.bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << address.bits) - 1;
  const bool scalar = info.run->plan->loop.scalar;
  const uint64_t first =
      scalar ? address.base * (overlay.lanes * 32 / laneBits) + address.lane : address.base;
  auto place = [&](uint64_t element) -> int64_t {
    const uint64_t offset = (start + (element >> address.shift & mask)) & container;
    if (offset < address.limit)
      return int64_t(first + offset);
    if (!address.zeroOutside)
      fail(info, pe, slot, isa::trapOffset(offset, address.base, address.limit));
    return -1;
  };
  uniformAddress = !address.indexed || address.uniform || scalar;
  if (scalar && predicate && laneOf(predicate, laneBits, 0) == 0) {
    laneBeat[0] = -1;
  } else if (!address.indexed) {
    laneBeat[0] = place(0);
  } else if (scalar) {
    laneBeat[0] = place(laneOf(index, laneBits, 0));
  } else if (address.uniform) {
    laneBeat[0] = place(laneOf(index, laneBits, address.lane));
  } else {
    const unsigned vf = overlay.lanes * 32 / laneBits;
    for (unsigned lane = 0; lane < vf; ++lane) {
      const bool on = lane < info.active && (!predicate || laneOf(predicate, laneBits, lane) != 0);
      laneBeat[lane] = on ? place(laneOf(index, laneBits, lane)) : -1;
    }
  }
  return !failure;
}

void Grid::describeUse(const Plan &plan, unsigned slot, VrfUse &use) const {
  use.writes.assign(overlay.numPes(), false);
  use.readsSecond.assign(overlay.numPes(), false);
  const SlotPlan &actions = plan.slots[slot];
  for (const WriteAction &action : actions.writes)
    if (stage(action.stage).run)
      use.writes[action.pe] = true;
  for (const ReadAction &action : actions.reads)
    if (action.port == 1 && stage(action.stage).run)
      use.readsSecond[action.pe] = true;
}

void Grid::read(const Plan &plan, const ReadAction &action, const StageInfo &info,
                unsigned &freeze) {
  const isa::Source source = isa::Source(unsigned(isa::Source::Vrf0) + action.port);
  const unsigned laneBits = plan.loop.laneBits;
  if (!info.run)
    return deliver(action.pe, source, zero.at(0));
  // After a trap, too: other reads wait for their writes until the array has come to it.
  addresses(*action.address, info, operand(action.index, info), nullptr, laneBits, action.pe,
            action.slot);
  if (action.hazard != NoIndex)
    freeze = std::max(freeze, waitForWrites(plan, action, info));
  deliver(action.pe, source, readBeat(plan, action));
}

/// What is at laneBeat.
const uint64_t *Grid::readBeat(const Plan &plan, const ReadAction &action) {
  if ((plan.loop.scalar || uniformAddress) && laneBeat[0] < 0)
    return zero.at(0);
  if (plan.loop.scalar)
    return readElement(plan, action);
  if (uniformAddress)
    return vrfBeat(action.pe, unsigned(laneBeat[0]));
  const unsigned laneBits = plan.loop.laneBits;
  uint64_t *gathered = gathers.at(2 * action.pe + action.port);
  for (unsigned lane = 0; lane < plan.vf; ++lane)
    setLane(gathered, laneBits, lane,
            laneBeat[lane] < 0
                ? 0
                : laneOf(vrfBeat(action.pe, unsigned(laneBeat[lane])), laneBits, lane));
  return gathered;
}

/// The element at laneBeat[0] as a beat of a scalar loop.
const uint64_t *Grid::readElement(const Plan &plan, const ReadAction &action) {
  const unsigned laneBits = plan.loop.laneBits, perBeat = overlay.lanes * 32 / laneBits;
  const unsigned element = unsigned(laneBeat[0]);
  uint64_t *beat = gathers.at(2 * action.pe + action.port);
  setLane(beat, laneBits, 0,
          laneOf(vrfBeat(action.pe, element / perBeat), laneBits, element % perBeat));
  return beat;
}

/// Finds the writes that are on their way to what is being read, completes them and
/// returns the cycles until the last of them would have been done; registers the
/// write that belongs to this read.
unsigned Grid::waitForWrites(const Plan &plan, const ReadAction &action, const StageInfo &info) {
  HazardState &state = hazards[action.hazard];
  const unsigned lanes = uniformAddress ? 1 : plan.vf;
  unsigned wait = 0;
  const unsigned size = unsigned(state.ring.size());
  unsigned slot = state.first;
  for (unsigned i = 0; i < state.count; ++i) {
    Pending &pending = state.ring[slot];
    slot = slot + 1 == size ? 0 : slot + 1;
    if (pending.done)
      continue;
    bool same = assumeConflicts;
    for (unsigned lane = 0; lane < lanes; ++lane)
      same |= laneBeat[lane] >= 0 && pending.beats[lane] == uint32_t(laneBeat[lane]);
    if (!same)
      continue;
    wait = std::max(wait, unsigned(pending.time - time + 1));
    completeEarly(plan, action, pending);
  }
  Pending &own = state.ring[slot];
  ++state.count;
  own.time = time + plan.hazards[action.hazard].distance;
  own.done = false;
  own.lanes = lanes;
  own.active = info.active;
  for (unsigned lane = 0; lane < lanes; ++lane)
    own.beats[lane] = uint32_t(laneBeat[lane]); // -1 becomes a beat that does not exist
  return wait;
}

/// Writes a result before its time: it is in the pipeline of the functional unit or, if
/// the write takes it later than it comes, in the delay line.
void Grid::completeEarly(const Plan &plan, const ReadAction &action, Pending &pending) {
  const Hazard &hazard = plan.hazards[action.hazard];
  auto delayed = [&](const Input &input) {
    const Line &line = plan.lines[input.index];
    return lines.at(line.offset + ((pending.time - input.delay) & line.mask));
  };
  const uint64_t resultDue = pending.time - hazard.data.delay;
  const uint64_t *data = resultDue >= time
                             ? results.at(action.pe * (resultMask + 1) + (resultDue & resultMask))
                             : delayed(hazard.data);
  const uint64_t *predicate =
      hazard.predicate.kind == Input::Kind::Line ? delayed(hazard.predicate) : nullptr;
  pending.done = true;
  const unsigned laneBits = plan.loop.laneBits;
  for (unsigned lane = 0; lane < pending.active; ++lane) {
    const uint32_t beat = pending.beats[pending.lanes == 1 ? 0 : lane];
    if (beat != NoIndex && (!predicate || laneOf(predicate, laneBits, lane) != 0)) {

      setLane(vrfBeat(action.pe, beat), laneBits, lane, laneOf(data, laneBits, lane));
      note(action.pe, beat, laneBits, lane);
    }
  }
}

void Grid::noteWords(unsigned pe, unsigned beat, unsigned laneBits, unsigned lane) {
  const uint64_t element = laneOf(vrfBeat(pe, beat), laneBits, lane);
  const uint32_t words = laneBits / 32;
  for (uint32_t w = 0; w < words; ++w)
    observed->push_back({pe, beat, lane * words + w, uint32_t(element >> 32 * w)});
}

void Grid::write(const Plan &plan, const WriteAction &action, const StageInfo &info) {
  if (action.hazard != NoIndex) {
    HazardState &state = hazards[action.hazard];
    Pending &pending = state.ring[state.first];
    state.first = state.first + 1 == state.ring.size() ? 0 : state.first + 1;
    --state.count;
    if (pending.done)
      return;
  }
  const unsigned laneBits = plan.loop.laneBits;
  const uint64_t *predicate = operand(action.predicate, info);
  if (!addresses(*action.address, info, operand(action.index, info), predicate, laneBits, action.pe,
                 action.slot))
    return;
  if (plan.loop.scalar) {
    const unsigned perBeat = overlay.lanes * 32 / laneBits;
    if (laneBeat[0] < 0)
      return;
    const unsigned beat = unsigned(laneBeat[0]) / perBeat, lane = unsigned(laneBeat[0]) % perBeat;
    setLane(vrfBeat(action.pe, beat), laneBits, lane,
            laneOf(operand(action.data, info), laneBits, 0));
    note(action.pe, beat, laneBits, lane);
    return;
  }
  writeLanes(laneBits, action.pe, info.active, operand(action.data, info), predicate);
}

void Grid::writeLanes(unsigned laneBits, unsigned pe, unsigned active, const uint64_t *data,
                      const uint64_t *predicate) {
  if (uniformAddress && laneBeat[0] < 0)
    return;
  if (uniformAddress && !predicate) {
    std::memcpy(vrfBeat(pe, unsigned(laneBeat[0])), data, active * laneBits / 8);
    for (unsigned lane = 0; observed && lane < active; ++lane)
      note(pe, unsigned(laneBeat[0]), laneBits, lane);
    return;
  }
  for (unsigned lane = 0; lane < active; ++lane) {
    const int64_t beat = laneBeat[uniformAddress ? 0 : lane];
    if (beat >= 0 && (!predicate || laneOf(predicate, laneBits, lane) != 0)) {
      setLane(vrfBeat(pe, unsigned(beat)), laneBits, lane, laneOf(data, laneBits, lane));
      note(pe, unsigned(beat), laneBits, lane);
    }
  }
}

} // namespace acis::model
