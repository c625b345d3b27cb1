// See EngineModel.h.
#include "runtime/sim/engine/EngineModel.h"

#include <algorithm>
#include <cassert>

namespace acis::cluster {

EngineCounters &EngineCounters::operator+=(const EngineCounters &other) {
  packets += other.packets;
  passed += other.passed;
  folded += other.folded;
  gathered += other.gathered;
  foldCycles += other.foldCycles;
  peakBytes = std::max(peakBytes, other.peakBytes);
  stops += other.stops;
  stopCycles += other.stopCycles;
  cycles = std::max(cycles, other.cycles);
  return *this;
}

EngineModel::EngineModel(const EngineDescription &description, uint64_t bufferBytes)
    : shape(description), buffer(bufferBytes), ports(description.ports + 1),
      units(description.reductions), datapaths(description.datapaths) {
  for (Unit &unit : units)
    unit.columns.resize(ports.size());
}

/// The first cycle from `start` on in which the unit takes the packet.
uint64_t EngineModel::startInUnit(const Packet &packet, uint64_t start) {
  Unit &unit = unitOf(packet.row);
  if (packet.use == Use::Gather || unit.row != packet.row)
    return std::max(start, unit.free);
  return std::max(start, unit.columns[packet.port]);
}

void EngineModel::holdUnit(const Packet &packet, uint64_t until) {
  Unit &unit = unitOf(packet.row);
  if (unit.row != packet.row)
    std::fill(unit.columns.begin(), unit.columns.end(), unit.free);
  unit.row = packet.row;
  unit.free = std::max(unit.free, until);
  if (packet.use == Use::Gather)
    std::fill(unit.columns.begin(), unit.columns.end(), unit.free);
  else
    unit.columns[packet.port] = until;
}

/// A packet is in the FIFO, its last phit in cycle `in` unless there is no room for it: then the
/// other end is stopped until there is.
void EngineModel::queue(Port &port, uint64_t in, const Waiting &packet) {
  const uint64_t phitBytes = shape.phitBits / 8, room = buffer / phitBytes,
                 most = room > shape.marginPhits ? room - shape.marginPhits : 1;
  while (!port.fifo.empty() && port.fifo.front().end() <= in)
    port.fifo.pop_front();
  port.fifo.push_back(packet);
  uint64_t waiting = 0;
  for (const Waiting &one : port.fifo)
    waiting += one.left(in);
  count.peakBytes = std::max(count.peakBytes, std::min(waiting, most) * phitBytes);
  port.free = in + 1;
  if (waiting <= most)
    return;
  const uint64_t hasRoom = packet.end() - 1 - most * packet.perPhit;
  if (hasRoom <= in)
    return;
  ++count.stops;
  count.stopCycles += hasRoom - in;
  port.free = hasRoom + 1;
}

uint64_t EngineModel::take(const Packet &packet) {
  assert(packet.port < ports.size() && packet.first <= packet.last);
  Port &port = ports[packet.port];
  const bool inUnit = packet.use == Use::Fold || packet.use == Use::Gather;
  const uint64_t perPhit = packet.use == Use::Fold ? shape.cyclesPerPhit() : 1,
                 phits = shape.phits(packet.bytes);
  const uint64_t begin = std::max(packet.first, port.free),
                 in = std::max(packet.last, begin + phits - 1);
  uint64_t start = std::max(begin, port.drained);
  const auto datapath = std::min_element(datapaths.begin(), datapaths.end());
  if (datapath != datapaths.end())
    start = std::max(start, *datapath);
  if (inUnit)
    start = startInUnit(packet, start);
  const uint64_t drainedAt = std::max(start + phits * perPhit - 1, in);
  port.drained = drainedAt + 1;
  if (datapath != datapaths.end())
    *datapath = drainedAt + 1;
  if (inUnit)
    holdUnit(packet, drainedAt + 1);
  queue(port, in, {drainedAt + 1 - phits * perPhit, phits, perPhit});
  ++count.packets;
  count.passed += packet.use == Use::Pass;
  count.gathered += packet.use == Use::Gather;
  count.folded += packet.use == Use::Fold;
  if (packet.use == Use::Fold)
    count.foldCycles += phits * perPhit;
  const uint64_t out =
      drainedAt + shape.passCycles() + (packet.use == Use::Pass ? 0 : shape.packetCycles());
  count.cycles = std::max(count.cycles, out);
  return out;
}

uint64_t EngineModel::leave(uint32_t port, uint64_t bytes, uint64_t ready) {
  assert(port < ports.size());
  const uint64_t begin = std::max(ready, ports[port].leaves);
  ports[port].leaves = begin + shape.phits(bytes);
  return begin;
}

} // namespace acis::cluster
