// Vector loads and stores: run beside the grid, a beat per cycle and PE, while the
// launch queue goes on with what does not use their registers.
#include "runtime/engine/device/PortFormat.h"
#include "runtime/engine/model/Sequencer.h"

#include <algorithm>

namespace acis::model {

bool Sequencer::vectorOpMayStart(const Launch &launch, uint64_t now) const {
  if (vectorOps.size() >= isa::MaxVectorOps)
    return false;
  const bool load = launch.kind == Launch::Kind::VectorLoad;
  const uint32_t regs = launch.plan->loop.vregsRead | launch.plan->loop.vregsWritten;
  for (const std::unique_ptr<Run> &run : runs) {
    const isa::LoopContext &loop = run->plan->loop;
    if ((loop.vregsWritten & regs) || (load && (loop.vregsRead & regs)))
      return false;
    if (run->plan->writesMemory || (!load && run->plan->readsMemory))
      return false;
  }
  for (const VectorOp &op : vectorOps) {
    const isa::LoopContext &loop = op.launch.plan->loop;
    if ((loop.vregsWritten & regs) || (load && (loop.vregsRead & regs)))
      return false;
    if (op.launch.kind != launch.kind)
      return false; // one of them writes memory
  }
  return !load || memory.writesIdle(now);
}

bool Sequencer::admitVectorOp(uint64_t now) {
  if (queue.empty() || queue.front().kind == Launch::Kind::Loop ||
      !vectorOpMayStart(queue.front(), now))
    return false;
  VectorOp op;
  op.launch = std::move(queue.front());
  queue.pop_front();
  op.id = nextVectorId++;
  op.startCycle = now;
  const Plan &words = *op.launch.plan;
  const bool load = op.launch.kind == Launch::Kind::VectorLoad;
  if (load)
    fetch(words, op.launch, op.id);
  for (uint16_t pe : load ? words.memInPes : words.memOutPes)
    op.lanes.push_back({pe, 0});
  vectorOps.push_back(std::move(op));
  return load;
}

void Sequencer::failVector(const VectorOp &op, unsigned pe, std::string what) {
  if (!failure)
    failure = {std::move(what), op.launch.pc, op.launch.context, pe, 0};
}

namespace {

unsigned activeOf(const Launch &launch, uint32_t iteration) {
  const bool last = iteration + 1 == launch.iterations;
  return last && launch.tail != 0 ? launch.tail : launch.plan->vf;
}

} // namespace

/// One beat of a load; true when the PE has finished.
bool Sequencer::stepLoad(VectorOp &op, VectorOp::Lane &lane) {
  ReadMaster &reader = memory.readers[lane.pe];
  if (!reader.ready(op.id) || (overlay.vrfCopies && !vrfUse.mayWrite(lane.pe)))
    return false;
  const uint32_t address = reader.address();
  const unsigned bytes = reader.bytes();
  reader.pop();
  const isa::LoopContext &loop = op.launch.plan->loop;
  const isa::PeContext &words = loop.pes[lane.pe];
  const isa::ElementFormat &format = words.memIn.format;
  const uint8_t *from = memory.at(address, bytes);
  if (!from) {
    failVector(op, lane.pe, memory.outside(address, bytes));
    return true;
  }
  const isa::VrfAddress &target = words.addresses[words.slots[0].write.address];
  const unsigned active = activeOf(op.launch, lane.iteration);
  expandElements(format, loop.laneBits, op.launch.plan->vf, active, from, scratch.at(0));
  std::memcpy(grid.vrfBeat(lane.pe, target.base + unsigned(target.stride1) * lane.iteration),
              scratch.at(0), active * loop.laneBits / 8);
  for (unsigned element = 0; element < active; ++element)
    grid.note(lane.pe, target.base + unsigned(target.stride1) * lane.iteration, loop.laneBits,
              element);
  return ++lane.iteration == op.launch.iterations;
}

/// Where files are copies, a beat that was read in the cycle before; this one then reads the next,
/// or the same again.
bool Sequencer::stepStore(VectorOp &op, VectorOp::Lane &lane) {
  WriteMaster &writer = memory.writers[lane.pe];
  if (overlay.vrfCopies) {
    const bool there = lane.read;
    lane.read = vrfUse.mayRead(lane.pe);
    if (!there)
      return false;
  }
  if (!writer.ready())
    return false;
  const isa::LoopContext &loop = op.launch.plan->loop;
  const isa::PeContext &words = loop.pes[lane.pe];
  const isa::MemAddress &port = words.memOut;
  const unsigned active = activeOf(op.launch, lane.iteration);
  const unsigned bytes = accessBytes(port.format, active);
  const uint32_t address =
      op.launch.args[port.arg] + uint32_t(port.offset) + uint32_t(port.stride1) * lane.iteration;
  uint8_t *to = memory.at(address, bytes);
  if (!to) {
    failVector(op, lane.pe, memory.outside(address, bytes));
    return true;
  }
  const isa::VrfAddress &source = words.addresses[words.slots[0].read[0].address];
  packElements(port.format, loop.laneBits, active,
               grid.vrfBeat(lane.pe, source.base + unsigned(source.stride1) * lane.iteration),
               nullptr, to);
  writer.write(address, bytes, memory.banks);
  if (++lane.iteration != op.launch.iterations)
    return false;
  writer.flush(memory.banks);
  return true;
}

void Sequencer::runVectorOps(uint64_t now) {
  uint32_t taken = 0; // PEs that work on an older one
  for (VectorOp &op : vectorOps) {
    if (now <= op.startCycle + overlay.stallLatency) // the array still does what was before it
      continue;
    const bool load = op.launch.kind == Launch::Kind::VectorLoad;
    for (size_t i = 0; i < op.lanes.size();) {
      const unsigned pe = op.lanes[i].pe;
      bool finished = false;
      if (!(taken >> (pe % 32) & 1)) {
        taken |= 1u << (pe % 32);
        finished = load ? stepLoad(op, op.lanes[i]) : stepStore(op, op.lanes[i]);
      }
      if (finished)
        op.lanes.erase(op.lanes.begin() + ptrdiff_t(i));
      else
        ++i;
    }
  }
  for (size_t i = 0; i < vectorOps.size();) {
    VectorOp &op = vectorOps[i];
    if (!op.lanes.empty()) {
      ++i;
      continue;
    }
    counters.iterations += op.launch.iterations;
    trace.add({op.launch.kind == Launch::Kind::VectorLoad ? EventKind::VectorLoad
                                                          : EventKind::VectorStore,
               op.startCycle, now + 1, op.launch.pc, op.launch.context, op.launch.iterations});
    vectorOps.erase(vectorOps.begin() + ptrdiff_t(i));
  }
}

} // namespace acis::model
