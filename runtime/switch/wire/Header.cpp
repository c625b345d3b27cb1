#include "runtime/switch/wire/Header.h"

#include "runtime/io/Bytes.h"

#include <array>

namespace acis::wire {

namespace {

constexpr std::array<std::string_view, unsigned(PacketType::Call) + 1> typeNames = {
    "",           "hello",  "challenge", "open",  "welcome", "alive", "bye",
    "byeack",     "fail",   "reset",     "join",  "joined",  "leave", "left",
    "contribute", "result", "wait",      "poll",  "credit",  "blob",  "bloback",
    "shared",     "report", "order",     "move",  "moved",   "share", "sum",
    "transit",    "meet",   "message",   "heard", "call"};

/// The kind, and above it the way.
constexpr size_t kindAt = 64;

/// Other fields in wire order; `Io` stores or loads each at its offset.
template <typename Io, typename H> void fields(Io &&io, H &h) {
  io(2, h.type);
  io(3, h.flags);
  io(4, h.job);
  io(8, h.session);
  io(12, h.part);
  io(14, h.parts);
  io(16, h.number);
  io(24, h.context);
  io(28, h.length);
  io(32, h.slot);
  io(40, h.window);
  io(48, h.sequence);
  io(52, h.fragment);
  io(56, h.count);
  io(60, h.root);
  io(65, h.op);
  io(66, h.element);
  io(67, h.shape);
  io(68, h.handle);
}

Error bad(std::string_view field, uint64_t found, std::string_view allowed) {
  return {"datagram", std::string(field) + " is " + std::to_string(found) +
                          "; allowed: " + std::string(allowed)};
}

Status check(const Header &h, size_t payload) {
  if (!isPacketType(unsigned(h.type)))
    return bad("type", unsigned(h.type),
               "1 to " + std::to_string(unsigned(PacketType::Call)) + " but " +
                   std::to_string(unsigned(PacketType::Transit)) + ", " +
                   std::to_string(unsigned(PacketType::Access)) + " to " +
                   std::to_string(MaxPacketType));
  if (h.flags > flag::All)
    return bad("flags", h.flags, "6 bits");
  if (h.parts < 1 || h.parts > MaxParts || h.part >= h.parts)
    return bad("part", h.part, "less than parts, which is 1 to " + std::to_string(MaxParts));
  if (h.length != payload || payload > MaxPacketPayload)
    return bad("length", h.length, "the bytes after the header, " + std::to_string(payload));
  if (unsigned(h.kind) >= NumKinds)
    return bad("kind", unsigned(h.kind), "0 to " + std::to_string(NumKinds - 1));
  if (unsigned(h.way) >= NumWays)
    return bad("way", unsigned(h.way), "0 to " + std::to_string(NumWays - 1));
  if (unsigned(h.op) >= NumReduceOps)
    return bad("op", unsigned(h.op), "0 to " + std::to_string(NumReduceOps - 1));
  if (unsigned(h.element) >= NumElementTypes)
    return bad("element", unsigned(h.element), "0 to " + std::to_string(NumElementTypes - 1));
  if (unsigned(h.shape) >= NumShapes)
    return bad("shape", unsigned(h.shape), "0 to " + std::to_string(NumShapes - 1));
  return Status::ok();
}

} // namespace

void encode(const Header &header, std::span<uint8_t> out) {
  out[0] = Magic;
  out[1] = Version;
  fields(
      [&]<typename T>(size_t at, const T &value) {
        if constexpr (std::is_enum_v<T>)
          out[at] = uint8_t(value);
        else
          io::store(out.data() + at, value);
      },
      header);
  out[kindAt] = uint8_t(unsigned(header.kind) | unsigned(header.way) << 4);
  io::store(out.data() + HeaderBytes - TagBytes, uint64_t(0));
}

Result<Header> decode(std::span<const uint8_t> datagram) {
  if (datagram.size() < HeaderBytes)
    return Error{"datagram", "has " + std::to_string(datagram.size()) + " bytes; a header has " +
                                 std::to_string(HeaderBytes)};
  return decode(datagram.first(HeaderBytes), datagram.size() - HeaderBytes);
}

Result<Header> decode(std::span<const uint8_t> head, size_t payload) {
  if (head[0] != Magic)
    return bad("first byte", head[0], std::to_string(Magic));
  if (head[1] != Version)
    return bad("version", head[1], std::to_string(Version));
  Header header;
  fields(
      [&]<typename T>(size_t at, T &value) {
        if constexpr (std::is_enum_v<T>)
          value = T(head[at]);
        else
          value = io::load<T>(head.data() + at);
      },
      header);
  header.kind = Kind(head[kindAt] & 15);
  header.way = Way(head[kindAt] >> 4);
  if (Status status = check(header, payload); !status)
    return status.error();
  return header;
}

std::string_view nameOf(PacketType type) {
  if (type == PacketType::Access)
    return "access";
  if (type == PacketType::Outcome)
    return "outcome";
  return unsigned(type) < typeNames.size() ? typeNames[unsigned(type)] : "?";
}

} // namespace acis::wire
