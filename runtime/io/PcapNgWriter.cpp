// The writer: little-endian, every block padded to 32 bits.
#include "runtime/io/PcapNg.h"

#include "runtime/io/Bytes.h"
#include "runtime/io/PcapNgFormat.h"

#include <algorithm>
#include <cassert>

namespace acis::capture {

using namespace format;

namespace {

template <typename T> void append(std::vector<uint8_t> &out, T value) {
  out.resize(out.size() + sizeof value);
  io::store(out.data() + out.size() - sizeof value, value);
}

void pad(std::vector<uint8_t> &out) { out.resize((out.size() + 3) & ~size_t(3)); }

constexpr size_t mostOption = 65'535;

} // namespace

std::string packetComment(uint64_t cycles, std::string_view dropped) {
  std::string text = cycles ? "cycles=" + std::to_string(cycles) : "";
  if (!dropped.empty())
    text += (text.empty() ? "dropped: " : " dropped: ") + std::string(dropped);
  return text;
}

/// Leaves room for the block's length and returns where it starts.
size_t Writer::open(uint32_t type) {
  const size_t start = out.size();
  append(out, type);
  append(out, uint32_t(0));
  return start;
}

void Writer::close(size_t start) {
  const auto length = uint32_t(out.size() - start + 4);
  io::store(out.data() + start + 4, length);
  append(out, length);
}

void Writer::option(uint16_t code, std::span<const uint8_t> value) {
  value = value.first(std::min(value.size(), mostOption));
  append(out, code);
  append(out, uint16_t(value.size()));
  out.insert(out.end(), value.begin(), value.end());
  pad(out);
}

void Writer::option(uint16_t code, std::string_view text) {
  option(code, std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

Writer::Writer(std::string_view application) {
  const size_t start = open(SectionHeader);
  append(out, ByteOrderMagic);
  append(out, uint16_t(1)); // version 1.0
  append(out, uint16_t(0));
  append(out, ~uint64_t(0)); // the section's length: not known
  option(OptApplication, application);
  append(out, OptEnd);
  append(out, uint16_t(0));
  close(start);
}

uint32_t Writer::addInterface(std::string_view name) {
  const size_t start = open(InterfaceDescription);
  append(out, LinkEthernet);
  append(out, uint16_t(0));
  append(out, uint32_t(0)); // packets are not cut
  option(OptInterfaceName, name);
  const uint8_t nanoseconds[] = {9};
  option(OptTimeResolution, nanoseconds);
  append(out, OptEnd);
  append(out, uint16_t(0));
  close(start);
  return interfaces++;
}

void Writer::addPacket(const PacketInfo &info, std::span<const uint8_t> frame) {
  assert(info.interface < interfaces);
  const size_t start = open(EnhancedPacket);
  append(out, info.interface);
  append(out, uint32_t(info.nanoseconds >> 32));
  append(out, uint32_t(info.nanoseconds));
  append(out, uint32_t(frame.size()));
  append(out, uint32_t(frame.size()));
  out.insert(out.end(), frame.begin(), frame.end());
  pad(out);
  if (!info.comment.empty())
    option(OptComment, info.comment);
  if (info.direction != Direction::Unknown) {
    uint8_t flags[4];
    io::store(flags, uint32_t(info.direction == Direction::Inbound ? FlagInbound : FlagOutbound));
    option(OptPacketFlags, flags);
  }
  if (!info.comment.empty() || info.direction != Direction::Unknown) {
    append(out, OptEnd);
    append(out, uint16_t(0));
  }
  close(start);
}

} // namespace acis::capture
