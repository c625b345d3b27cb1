// The reader: every length is compared with what is there before it is used.
#include "runtime/io/PcapNg.h"

#include "runtime/io/PcapNgFormat.h"

#include <optional>
#include <tuple>

namespace acis::capture {

using namespace format;

namespace {

constexpr size_t BlockBytes = 12; ///< type and length before the body, length after it

/// Bytes in the section's byte order.
class Bytes {
public:
  Bytes(std::span<const uint8_t> bytes, bool big) : bytes(bytes), big(big) {}

  size_t size() const { return bytes.size(); }
  uint16_t get16(size_t at) const { return uint16_t(get(at, 2)); }
  uint32_t get32(size_t at) const { return uint32_t(get(at, 4)); }
  uint64_t get64(size_t at) const { return get(at, 8); }
  Bytes from(size_t at) const { return {bytes.subspan(at), big}; }
  Bytes part(size_t at, size_t count) const { return {bytes.subspan(at, count), big}; }
  std::span<const uint8_t> raw() const { return bytes; }

private:
  uint64_t get(size_t at, unsigned count) const {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value = value << 8 | bytes[at + (big ? i : count - 1 - i)];
    return value;
  }

  std::span<const uint8_t> bytes;
  bool big;
};

struct Interface {
  uint16_t linkType = 0;
  uint32_t snapBytes = 0; ///< 0: no limit
  uint8_t resolution = 6; ///< if_tsresol: 10^-n seconds, with the top bit 2^-n
  int64_t offset = 0;     ///< seconds
};

/// Ticks of an interface as nanoseconds since 1970, modulo 2^64.
uint64_t toNanoseconds(uint64_t ticks, const Interface &from) {
  constexpr uint64_t second = 1'000'000'000;
  const unsigned n = from.resolution & 0x7f;
  uint64_t value = 0;
  if (from.resolution & 0x80) {
    const uint64_t whole = n < 64 ? ticks >> n : 0;
    const uint64_t part = n < 64 ? ticks & ((uint64_t(1) << n) - 1) : ticks;
    const double fraction = double(part) / (n < 1024 ? __builtin_ldexp(1.0, int(n)) : 1.0);
    value = whole * second + uint64_t(fraction * double(second));
  } else {
    uint64_t scale = 1;
    for (unsigned k = n; k < 9; ++k)
      scale *= 10;
    value = ticks * scale;
    for (unsigned k = 9; k < n && value != 0; ++k)
      value /= 10;
  }
  return value + uint64_t(from.offset) * second;
}

class File {
public:
  explicit File(std::span<const uint8_t> file) : file(file) {}

  Result<std::vector<Packet>> read() {
    if (!isPcapNg(file))
      return Error{"", "found no section header block, with which every pcapng file starts"};
    while (at < file.size())
      if (Status status = block(); !status)
        return status.error();
    return std::move(packets);
  }

private:
  Error wrong(const std::string &what) const {
    return {"", "block at byte " + std::to_string(at) + ": " + what};
  }
  Error wrong(const std::string &what, uint64_t found, const std::string &allowed) const {
    return wrong("found " + what + " " + std::to_string(found) + ", allowed is " + allowed);
  }

  Status block() {
    const std::span<const uint8_t> rest = file.subspan(at);
    if (rest.size() < BlockBytes)
      return wrong("found " + std::to_string(rest.size()) + " bytes, a block has at least 12");
    if (Bytes(rest, false).get32(0) == SectionHeader) // the same in both orders
      if (Status order = byteOrder(rest); !order)
        return order;
    const Bytes all(rest, big);
    const uint32_t type = all.get32(0), length = all.get32(4);
    if (length < BlockBytes || length % 4 != 0 || length > rest.size())
      return wrong("a length of", length,
                   "a multiple of 4 from 12 to the file's end, " + std::to_string(rest.size()));
    if (const uint32_t again = all.get32(length - 4); again != length)
      return wrong("a second length of", again, "the first one, " + std::to_string(length));
    const Bytes body = all.part(8, length - BlockBytes);
    Status status = type == SectionHeader          ? section(body)
                    : type == InterfaceDescription ? interface(body)
                    : type == EnhancedPacket       ? enhanced(body)
                    : type == SimplePacket         ? simple(body)
                                                   : Status();
    at += length;
    return status;
  }

  Status byteOrder(std::span<const uint8_t> rest) {
    const uint32_t little = Bytes(rest, false).get32(8);
    big = Bytes(rest, true).get32(8) == ByteOrderMagic;
    if (!big && little != ByteOrderMagic)
      return wrong("a byte-order magic of", little, "0x1a2b3c4d in either order");
    return {};
  }

  Status section(const Bytes &body) {
    if (body.size() < 16)
      return wrong("a section header of", body.size() + BlockBytes, "28 bytes or more");
    if (const uint16_t major = body.get16(4); major != 1)
      return wrong("major version", major, "1");
    interfaces.clear();
    return {};
  }

  /// Calls `each` with code and value of every option.
  template <typename Each> Status options(Bytes bytes, const Each &each) {
    while (bytes.size() >= 4) {
      const uint16_t code = bytes.get16(0), length = bytes.get16(2);
      if (code == OptEnd)
        return {};
      const size_t padded = (size_t(length) + 3) & ~size_t(3);
      if (padded > bytes.size() - 4)
        return wrong("an option of", length, "at most " + std::to_string(bytes.size() - 4));
      each(code, bytes.part(4, length));
      bytes = bytes.from(4 + padded);
    }
    return {};
  }

  Status interface(const Bytes &body) {
    if (body.size() < 8)
      return wrong("an interface description of", body.size() + BlockBytes, "20 bytes or more");
    Interface made{body.get16(0), body.get32(4)};
    Status status = options(body.from(8), [&](uint16_t code, const Bytes &value) {
      if (code == OptTimeResolution && value.size() == 1)
        made.resolution = value.raw()[0];
      if (code == OptTimeOffset && value.size() == 8)
        made.offset = int64_t(value.get64(0));
    });
    interfaces.push_back(made);
    return status;
  }

  Status enhanced(const Bytes &body) {
    if (body.size() < 20)
      return wrong("a packet block of", body.size() + BlockBytes, "32 bytes or more");
    const uint32_t number = body.get32(0), captured = body.get32(12);
    if (number >= interfaces.size())
      return wrong("interface", number,
                   "less than " + std::to_string(interfaces.size()) + ", the section's");
    const size_t padded = (size_t(captured) + 3) & ~size_t(3);
    if (padded > body.size() - 20)
      return wrong("a packet of", captured, "at most " + std::to_string(body.size() - 20));
    Packet packet;
    packet.info.interface = number;
    packet.info.nanoseconds =
        toNanoseconds(uint64_t(body.get32(4)) << 32 | body.get32(8), interfaces[number]);
    packet.linkType = interfaces[number].linkType;
    packet.originalBytes = body.get32(16);
    packet.frame = body.part(20, captured).raw();
    Status status = options(body.from(20 + padded), [&](uint16_t code, const Bytes &value) {
      if (code == OptComment)
        packet.info.comment.assign(value.raw().begin(), value.raw().end());
      if (code == OptPacketFlags && value.size() == 4) {
        const uint32_t direction = value.get32(0) & FlagDirection;
        packet.info.direction = direction == FlagInbound    ? Direction::Inbound
                                : direction == FlagOutbound ? Direction::Outbound
                                                            : Direction::Unknown;
      }
    });
    packets.push_back(std::move(packet));
    return status;
  }

  /// Of the first interface, without a time.
  Status simple(const Bytes &body) {
    if (body.size() < 4 || interfaces.empty())
      return wrong("found a simple packet without a length or without an interface before it");
    Packet packet;
    packet.linkType = interfaces[0].linkType;
    packet.originalBytes = body.get32(0);
    size_t captured = packet.originalBytes;
    if (const uint32_t most = interfaces[0].snapBytes; most != 0 && captured > most)
      captured = most;
    if (captured > body.size() - 4)
      return wrong("a packet of", captured, "at most " + std::to_string(body.size() - 4));
    packet.frame = body.part(4, captured).raw();
    packets.push_back(std::move(packet));
    return {};
  }

  std::span<const uint8_t> file;
  size_t at = 0; ///< of the block that is read
  bool big = false;
  std::vector<Interface> interfaces; ///< of the section
  std::vector<Packet> packets;
};

} // namespace

bool isPcapNg(std::span<const uint8_t> file) {
  return file.size() >= 4 && Bytes(file, false).get32(0) == SectionHeader;
}

Result<std::vector<Packet>> readPcapNg(std::span<const uint8_t> file) { return File(file).read(); }

} // namespace acis::capture
