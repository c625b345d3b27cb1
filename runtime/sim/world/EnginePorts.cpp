// See EnginePorts.h.
#include "runtime/sim/world/EnginePorts.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Shapes.h"
#include "runtime/switch/wire/Across.h"
#include "runtime/switch/wire/Header.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace acis::cluster {
namespace {

using Use = EngineModel::Use;
using wire::PacketType;
using wire::Time;
using wire::Transit;

std::span<const uint8_t> withoutTransit(std::span<const uint8_t> datagram) {
  return datagram.subspan(Transit::isOne(datagram) ? Transit::Bytes : 0);
}

/// Only messages between engines are folded: a host's contribution is one of the operands.
Use useOfPacket(const wire::Header &header) {
  if (header.type != PacketType::Message || header.length <= wire::Stamp::Bytes)
    return Use::Copy;
  switch (collective::upOf(header.shape)) {
  case collective::Up::Fold:
    return Use::Fold;
  case collective::Up::Gather:
    return Use::Gather;
  case collective::Up::Source:
    break;
  }
  return Use::Copy;
}

} // namespace

Use useOf(std::span<const uint8_t> datagram, uint16_t number) {
  constexpr size_t toOf = 14; // docs/wire-protocol.md
  if (Transit::isOne(datagram) &&
      (datagram.size() < Transit::Bytes || io::load<uint16_t>(datagram.data() + toOf) != number))
    return Use::Pass;
  const Result<wire::Header> header = wire::decode(withoutTransit(datagram));
  return header ? useOfPacket(*header) : Use::Copy;
}

EnginePorts::EnginePorts(const EngineDescription &description, uint64_t bufferBytes,
                         const Link &link, uint16_t number, const wire::Address &host)
    : model(description, bufferBytes), link(link), number(number), cycle(description.cycleNs()),
      lastReady(description.ports + 1) {
  ports[host] = 0;
}

/// Neighbours have ports in the order in which they come: a platform has enough of them.
uint32_t EnginePorts::portOf(const wire::Address &address) {
  const uint32_t port = ports.try_emplace(address, uint32_t(ports.size())).first->second;
  assert(port < lastReady.size());
  return port;
}

uint64_t EnginePorts::cycleOf(Time time) const { return uint64_t(double(time) / cycle + 1e-6); }
Time EnginePorts::timeOf(uint64_t at) const { return Time(std::llround(double(at) * cycle)); }
Time EnginePorts::onLink(size_t bytes) const {
  return Time(double(bytes + link.framingBytes) / link.bandwidth * 1e9);
}

EnginePorts::Passage EnginePorts::take(const wire::Address &from, std::span<const uint8_t> datagram,
                                       Time now) {
  const Result<wire::Header> header = wire::decode(withoutTransit(datagram));
  EngineModel::Packet packet;
  packet.port = portOf(from);
  packet.bytes = datagram.size() + link.framingBytes;
  packet.use = useOf(datagram, number);
  packet.row = header ? header->context * uint64_t(64) + header->slot : 0;
  packet.last = cycleOf(now);
  packet.first = cycleOf(now - std::min(now, onLink(datagram.size())));
  const Time out = timeOf(model.take(packet));
  Time &last = lastReady[packet.port];
  last = std::max({now, last, out - std::min(out, onLink(datagram.size()))});
  return {timeOf(packet.first), timeOf(packet.last), last};
}

Time EnginePorts::leave(const wire::Address &to, size_t bytes, Time now) {
  const uint64_t ready = cycleOf(now);
  const uint64_t begin = model.leave(portOf(to), bytes + link.framingBytes, ready);
  return begin == ready ? now : timeOf(begin);
}

} // namespace acis::cluster
