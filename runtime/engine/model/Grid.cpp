// See Grid.h: state, and the two halves of a cycle.
#include "runtime/engine/model/Grid.h"

#include "runtime/engine/device/PortFormat.h"
#include "runtime/engine/loader/Trace.h"

#include <algorithm>
#include <bit>

namespace acis::model {

using isa::Source;

static size_t registerOf(uint32_t bus) {
  return bus / SourcesPerPe * 16 + bus % SourcesPerPe - unsigned(Source::Reg0);
}

Grid::Grid(const Overlay &overlay, StreamIn &in, StreamOut &out, MemorySystem &memory,
           Counters &counters)
    : overlay(overlay), in(in), out(out), memory(memory), counters(counters),
      words(beatWords(overlay)), vrfBeats(overlay.vrfBeats) {
  reset();
}

void Grid::preset(unsigned pe, size_t firstByte, std::span<const uint8_t> bytes) {
  const size_t beatBytes = overlay.beatBytes(); // a beat here is padded to words of 64 bits
  for (size_t at = 0; at < bytes.size(); at += 4) {
    const size_t place = firstByte + at;
    std::memcpy(reinterpret_cast<uint8_t *>(vrfBeat(pe, unsigned(place / beatBytes))) +
                    place % beatBytes,
                bytes.data() + at, 4);
  }
}

void Grid::reset() {
  const unsigned pes = overlay.numPes();
  vrf.reset(size_t(pes) * vrfBeats, words);
  zero.reset(1, words);
  streamBeat.reset(1, words);
  memBeats.reset(pes, words);
  gathers.reset(2 * pes, words);
  const unsigned deepest = *std::max_element(overlay.latency.begin(), overlay.latency.end());
  resultMask = std::bit_ceil(deepest + 1u) - 1;
  results.reset(size_t(pes) * (resultMask + 1), words);
  resultTime.assign(size_t(pes) * (resultMask + 1), 0);
  links.reset(size_t(pes) * Overlay::MaxLinks * 2, words);
  held.reset(overlay.inputLatency == 0 ? 0 : size_t(pes) * ReadsPerPe * 2, words);
  registers.reset(size_t(pes) * 16, words);
  nextRegisters.reset(pes, words);
  buses.assign(size_t(pes) * SourcesPerPe, zero.at(0));
  for (unsigned pe = 0; pe < pes; ++pe)
    for (unsigned reg = 0; reg < 16; ++reg)
      buses[busOf(pe, isa::regSource(reg))] = registers.at(pe * 16 + reg);
  laneBeat.assign(overlay.lanes, -1);
  ring.clear();
  head = 0;
  time = 2 * (resultMask + 1);
  routingRun = nullptr;
  failure.reset();
}

void Grid::fillConstants(Run &run, unsigned words) {
  const Plan &plan = *run.plan;
  if (run.constants.size() < plan.constants.size())
    run.constants.reset(plan.constants.size(), words);
  for (size_t i = 0; i < plan.constants.size(); ++i) {
    const Constant &constant = plan.constants[i];
    uint64_t value = constant.value;
    if (constant.arg != isa::NoArg) {
      value = run.args[constant.arg];
      if (constant.wide)
        value |= uint64_t(run.args[constant.arg + 1]) << 32;
    }
    for (unsigned lane = 0; lane < plan.vf; ++lane)
      setLane(run.constants.at(i), plan.loop.laneBits, lane, value);
  }
}

void Grid::begin(const Run &run) {
  const Plan &plan = *run.plan;
  time += 2 * (resultMask + 1); // no result of an earlier loop is on a bus
  if (lines.size() < plan.lineBeats)
    lines.reset(plan.lineBeats, words);
  else
    for (uint32_t i = 0; i < plan.lineBeats; ++i)
      lines.clear(i);
  lineTable = &plan.lines;
  for (const SlotPlan &slot : plan.slots) {
    for (const LinkAction &link : slot.links) {
      links.clear(2 * link.link);
      links.clear(2 * link.link + 1);
    }
    for (const RegAction &reg : slot.regs)
      registers.clear(registerOf(reg.bus));
  }
  for (size_t i = 0; i < held.size(); ++i)
    held.clear(i);
  partials.reset(plan.accumulations.size() * isa::AccPartials, words);
  for (size_t a = 0; a < plan.accumulations.size(); ++a)
    for (unsigned k = 0; k < isa::AccPartials; ++k)
      partials.set(a * isa::AccPartials + k, run.constants.at(plan.accumulations[a].identity));
  hazards.assign(plan.hazards.size(), {});
  for (size_t h = 0; h < hazards.size(); ++h) {
    hazards[h].ring.resize(plan.hazards[h].distance / plan.loop.ii + 2);
    for (Pending &pending : hazards[h].ring)
      pending.beats.resize(overlay.lanes);
  }
  ring.assign(plan.loop.stages, {});
  head = 0;
}

const uint64_t *Grid::resolve(const Input &input, const Run *run) const {
  switch (input.kind) {
  case Input::Kind::Bus:
    return buses[input.index];
  case Input::Kind::Line: {
    const Line &line = (*lineTable)[input.index];
    return lines.at(line.offset + ((time - input.delay) & line.mask));
  }
  case Input::Kind::Imm:
    return run ? run->constants.at(input.index) : zero.at(0);
  case Input::Kind::None:
    break;
  }
  return nullptr;
}

void Grid::fail(const StageInfo &info, unsigned pe, unsigned slot, std::string what) {
  if (!failure)
    failure = {std::move(what), info.run->pc, info.run->context, pe, slot};
}

std::optional<Stall> Grid::blocked(const Plan &plan, unsigned slot) const {
  const SlotPlan &actions = plan.slots[slot];
  if (actions.pops)
    if (const StageInfo &info = stage(actions.popStage);
        info.run && !in.ready(accessBytes(plan.loop.streamIn.format, info.active)))
      return Stall::StreamIn;
  for (const PortAction &action : actions.memIns)
    if (stage(action.stage).run && !memory.readers[action.pe].mayDecide(GridUser))
      return Stall::MemRead;
  for (const PortAction &action : actions.memOuts)
    if (stage(action.stage).run && !memory.writers[action.pe].mayDecide())
      return Stall::MemWrite;
  for (const PortAction &action : actions.pushes)
    if (const StageInfo &info = stage(action.stage);
        info.run && !out.ready(accessBytes(plan.loop.streamOut.format, info.active)))
      return Stall::StreamOut;
  return std::nullopt;
}

void Grid::deliver(unsigned pe, Source source, const uint64_t *beat) {
  if (overlay.inputLatency == 0)
    buses[busOf(pe, source)] = beat;
  else
    held.set(heldAt(pe, unsigned(source) - FirstRead, time + 1), beat);
}

/// What units, links and, with an input latency, the reads of the cycle before have made.
void Grid::showBuses() {
  for (unsigned pe = 0; pe < overlay.numPes(); ++pe) {
    const size_t index = pe * (resultMask + 1) + (time & resultMask);
    buses[busOf(pe, Source::Res)] = resultTime[index] == time ? results.at(index) : zero.at(0);
    for (unsigned port = 0; port < Overlay::MaxLinks; ++port)
      buses[busOf(pe, isa::linkSource(port))] =
          links.at(2 * (pe * Overlay::MaxLinks + port) + (time & 1));
    for (unsigned read = 0; overlay.inputLatency != 0 && read < ReadsPerPe; ++read)
      buses[busOf(pe, Source(FirstRead + read))] = held.at(heldAt(pe, read, time));
  }
}

void Grid::startUnits(const SlotPlan &actions, const Plan &plan) {
  for (const FuAction &action : actions.units)
    if (const StageInfo &info = stage(action.stage); info.run)
      issue(plan, action, info);
}

unsigned Grid::readPhase(const Plan &plan, unsigned slot) {
  const SlotPlan &actions = plan.slots[slot];
  showBuses();
  // What a unit takes does not depend on this cycle's reads, nor on whether one of them waits.
  if (overlay.inputLatency != 0)
    startUnits(actions, plan);
  if (actions.pops) {
    const StageInfo &info = stage(actions.popStage);
    const uint64_t *beat = zero.at(0);
    if (info.run) {
      const isa::ElementFormat &format = plan.loop.streamIn.format;
      expandElements(format, plan.loop.laneBits, plan.vf, info.active, in.peek(), streamBeat.at(0));
      beat = streamBeat.at(0);
    }
    for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
      deliver(pe, Source::StreamIn, beat);
  }
  for (const PortAction &action : actions.memIns)
    peekMemory(plan, action, slot);
  unsigned freeze = 0;
  for (const ReadAction &action : actions.reads)
    read(plan, action, stage(action.stage), freeze);
  return freeze;
}

void Grid::peekMemory(const Plan &plan, const PortAction &action, unsigned slot) {
  const StageInfo &info = stage(action.stage);
  if (!info.run)
    return deliver(action.pe, Source::MemIn, zero.at(0));
  const isa::ElementFormat &format = plan.loop.pes[action.pe].memIn.format;
  const ReadMaster &reader = memory.readers[action.pe];
  const uint32_t address = reader.address();
  const unsigned bytes = reader.bytes();
  const uint8_t *from = memory.at(address, bytes);
  if (!from)
    return fail(info, action.pe, slot, memory.outside(address, bytes));
  expandElements(format, plan.loop.laneBits, plan.vf, info.active, from, memBeats.at(action.pe));
  deliver(action.pe, Source::MemIn, memBeats.at(action.pe));
}

uint32_t Grid::memoryAddress(const isa::MemAddress &address, const StageInfo &info) const {
  return info.run->args[address.arg] + uint32_t(address.offset) +
         uint32_t(address.stride0) * info.i0 + uint32_t(address.stride1) * info.i1;
}

void Grid::pushMemory(const Plan &plan, const PortAction &action, unsigned slot) {
  const StageInfo &info = stage(action.stage);
  if (!info.run)
    return;
  const isa::MemAddress &port = plan.loop.pes[action.pe].memOut;
  const uint32_t address = memoryAddress(port, info);
  const unsigned bytes = accessBytes(port.format, info.active);
  uint8_t *to = memory.at(address, bytes);
  if (!to)
    return fail(info, action.pe, slot, memory.outside(address, bytes));
  packElements(port.format, plan.loop.laneBits, info.active, operand(action.data, info),
               operand(action.predicate, info), to);
  memory.writers[action.pe].decide(address, bytes, info.iteration + 1 == info.run->iterations,
                                   memory.banks);
}

void Grid::writePhase(const Plan &plan, unsigned slot) {
  const SlotPlan &actions = plan.slots[slot];
  if (actions.pops)
    if (const StageInfo &info = stage(actions.popStage); info.run)
      in.decide(accessBytes(plan.loop.streamIn.format, info.active));
  for (const PortAction &action : actions.memIns)
    if (stage(action.stage).run)
      memory.readers[action.pe].decide();
  for (const SampleAction &sample : actions.samples) {
    const Line &line = plan.lines[sample.line];
    lines.set(line.offset + (time & line.mask), buses[sample.bus]);
  }
  if (overlay.inputLatency == 0)
    startUnits(actions, plan);
  for (const PortAction &action : actions.memOuts)
    pushMemory(plan, action, slot);
  for (const PortAction &action : actions.pushes) {
    const StageInfo &info = stage(action.stage);
    if (!info.run)
      continue;
    const isa::ElementFormat &format = plan.loop.streamOut.format;
    const uint64_t *predicate = operand(action.predicate, info); // of scalar loops only
    if (predicate && laneOf(predicate, plan.loop.laneBits, 0) == 0) {
      out.decideSkip(accessBytes(format, info.active));
      continue;
    }
    uint8_t *to = out.decide(accessBytes(format, info.active), counters);
    packElements(format, plan.loop.laneBits, info.active, operand(action.data, info), nullptr, to);
  }
  // Routing moves what the buses carry, whoever's it is.
  for (const LinkAction &link : actions.links)
    links.set(2 * link.link + ((time + 1) & 1), resolve(link.from, routingRun));
  // Registers and register files change at the end of the cycle.
  for (size_t i = 0; i < actions.regs.size(); ++i)
    nextRegisters.set(i, resolve(actions.regs[i].from, routingRun));
  for (const WriteAction &action : actions.writes)
    if (const StageInfo &info = stage(action.stage); info.run)
      write(plan, action, info);
  for (size_t i = 0; i < actions.regs.size(); ++i)
    registers.set(registerOf(actions.regs[i].bus), nextRegisters.at(i));
  ++time;
}

void Grid::issue(const Plan &plan, const FuAction &action, const StageInfo &info) {
  const uint64_t *operands[3] = {};
  for (unsigned i = 0; i < 3; ++i)
    operands[i] = operand(action.in[i], info);
  uint64_t *partial = nullptr;
  if (action.accumulation != NoIndex) {
    partial =
        partials.at(action.accumulation * isa::AccPartials + info.iteration % isa::AccPartials);
    operands[action.partialOperand] = partial;
  }
  const uint64_t due = time + action.latency;
  const size_t index = action.pe * (resultMask + 1) + (due & resultMask);
  uint64_t *result = results.at(index);
  resultTime[index] = due;
  for (unsigned i = 1; i < 3; ++i)
    if (!operands[i])
      operands[i] = operands[0]; // not read by the kernel
  if (action.kernel32)
    action.kernel32(reinterpret_cast<uint32_t *>(result),
                    reinterpret_cast<const uint32_t *>(operands[0]),
                    reinterpret_cast<const uint32_t *>(operands[1]),
                    reinterpret_cast<const uint32_t *>(operands[2]), plan.vf);
  else if (action.kernel64)
    action.kernel64(result, operands[0], operands[1], operands[2], plan.vf);
  else
    element::evaluateBeat(*action.slot, plan.loop.laneBits, plan.vf * plan.loop.laneBits / 8,
                          info.iteration, operands[0], operands[1], operands[2], result);
  if (action.last != isa::NoArg && info.iteration + 1 == info.run->iterations)
    lasts[action.last] = laneOf(result, plan.loop.laneBits, 0);
  if (partial)
    std::memcpy(partial, result, info.active * plan.loop.laneBits / 8);
}

void Grid::fold(const Run &run, std::array<uint32_t, 2 * isa::MaxResults> &words) {
  const Plan &plan = *run.plan;
  for (size_t a = 0; a < plan.accumulations.size(); ++a) {
    const Accumulation &acc = plan.accumulations[a];
    if (acc.result == isa::NoArg)
      continue;
    const uint64_t value =
        element::foldPartials(acc.op, acc.type, plan.loop.laneBits, overlay.beatBytes(),
                              partials.at(a * isa::AccPartials));
    words[2 * acc.result] = uint32_t(value);
    words[2 * acc.result + 1] = uint32_t(value >> 32);
  }
  for (const SlotPlan &slot : plan.slots)
    for (const FuAction &unit : slot.units)
      if (unit.last != isa::NoArg) {
        words[2 * unit.last] = uint32_t(lasts[unit.last]);
        words[2 * unit.last + 1] = uint32_t(lasts[unit.last] >> 32);
      }
}

} // namespace acis::model
