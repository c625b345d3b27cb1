#include "runtime/switch/wire/Across.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/wire/Header.h"

#include <algorithm>

namespace acis::wire {

namespace {

constexpr size_t tagAt = 16;
/// Of no machine: unique local addresses (RFC 4193) with "ACiS", and port 0.
constexpr std::array<uint8_t, 14> enginePrefix = {0xfd, 'A', 'C', 'i', 'S'};

uint64_t tagOf(std::span<const uint8_t> header, size_t length, const Tagger &tagger) {
  return tagger.of(io::Writer().raw(header.first(tagAt)).put(uint32_t(length)).take());
}

} // namespace

std::vector<uint8_t> Transit::wrap(std::span<const uint8_t> datagram, const Tagger &tagger) const {
  std::vector<uint8_t> out(Bytes + datagram.size());
  out[0] = Magic;
  out[1] = Version;
  out[2] = uint8_t(PacketType::Transit);
  io::store(out.data() + 4, job);
  io::store(out.data() + 8, fabric);
  io::store(out.data() + 12, from);
  io::store(out.data() + 14, to);
  io::store(out.data() + tagAt, tagOf(out, datagram.size(), tagger));
  std::copy(datagram.begin(), datagram.end(), out.begin() + Bytes);
  return out;
}

bool Transit::isOne(std::span<const uint8_t> bytes) {
  return bytes.size() >= 3 && bytes[0] == Magic && bytes[1] == Version &&
         bytes[2] == uint8_t(PacketType::Transit);
}

std::optional<Transit> Transit::read(std::span<const uint8_t> bytes, const Tagger &tagger) {
  if (bytes.size() < Bytes || bytes[3] != 0 ||
      io::load<uint64_t>(bytes.data() + tagAt) != tagOf(bytes, bytes.size() - Bytes, tagger))
    return std::nullopt;
  return Transit{io::load<uint32_t>(bytes.data() + 4), io::load<uint32_t>(bytes.data() + 8),
                 io::load<uint16_t>(bytes.data() + 12), io::load<uint16_t>(bytes.data() + 14)};
}

Address engineAddress(uint16_t number) {
  Address out;
  std::copy(enginePrefix.begin(), enginePrefix.end(), out.ip.begin());
  out.ip[14] = uint8_t(number >> 8);
  out.ip[15] = uint8_t(number);
  return out;
}

std::optional<uint16_t> engineAt(const Address &address) {
  if (address.port != 0 ||
      !std::equal(enginePrefix.begin(), enginePrefix.end(), address.ip.begin()))
    return std::nullopt;
  return uint16_t(address.ip[14] << 8 | address.ip[15]);
}

std::vector<uint8_t> Meeting::write() const {
  return io::Writer()
      .put(mine)
      .put(yours)
      .put(fingerprint)
      .put(size)
      .put(index)
      .put(messageBytes)
      .put(packetBytes)
      .put(slots)
      .take();
}

std::optional<Meeting> Meeting::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Meeting meeting;
  meeting.mine = reader.get<uint32_t>();
  meeting.yours = reader.get<uint32_t>();
  meeting.fingerprint = reader.get<uint64_t>();
  for (uint32_t *field :
       {&meeting.size, &meeting.index, &meeting.messageBytes, &meeting.packetBytes, &meeting.slots})
    *field = reader.get<uint32_t>();
  return reader.complete() && meeting.mine != 0 ? std::optional(meeting) : std::nullopt;
}

std::vector<uint8_t> Stamp::write() const {
  return io::Writer().put(to).put(from).put(number).put(here).put(ordinal).take();
}

std::optional<Stamp> Stamp::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Stamp stamp;
  for (uint32_t *field : {&stamp.to, &stamp.from, &stamp.number, &stamp.here, &stamp.ordinal})
    *field = reader.get<uint32_t>();
  return reader.ranOut() || stamp.to == 0 || stamp.from == 0 ? std::nullopt : std::optional(stamp);
}

std::vector<uint8_t> Hearing::write() const {
  return io::Writer().put(to).put(from).put(here).put(later).put(uint8_t(isOver)).take();
}

std::optional<Hearing> Hearing::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Hearing hearing;
  hearing.to = reader.get<uint32_t>();
  hearing.from = reader.get<uint32_t>();
  hearing.here = reader.get<uint32_t>();
  hearing.later = reader.get<uint64_t>();
  const unsigned isOver = reader.get<uint8_t>();
  hearing.isOver = isOver == 1;
  return reader.complete() && isOver <= 1 && hearing.to != 0 && hearing.from != 0
             ? std::optional(hearing)
             : std::nullopt;
}

} // namespace acis::wire
