// The header of every datagram, and the only place where it is written and read.
// Layout and rules: docs/wire-protocol.md.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Types.h"

#include <cstdint>
#include <span>

namespace acis::wire {

inline constexpr uint8_t Magic = 0xac;
/// Changes with the layout, the numbers of Types.h, the tag, and what who speaks may expect.
inline constexpr uint8_t Version = 14;
inline constexpr size_t HeaderBytes = 80;
/// Where a header has the number of the job, 4 bytes.
inline constexpr size_t JobAt = 4;
inline constexpr size_t TagBytes = 8; ///< the last bytes of the header
/// Most payload of one datagram: the UDP limit less the header, rounded down.
inline constexpr size_t MaxPacketPayload = 65'000;
/// A message may be cut into so many packets.
inline constexpr unsigned MaxParts = 64;

enum class PacketType : uint8_t {
  // Session: child is a host or a switch below, parent the switch above.
  Hello = 1, ///< child: who I am, with a nonce
  Challenge, ///< parent: a cookie; keeps no state
  Open,      ///< child: Hello again with the cookie
  Welcome,   ///< parent: session number, limits
  Alive,     ///< both: nothing else to say; answered by Alive with the flag Answer
  Bye,       ///< child: the session ends
  ByeAck,
  Failure, ///< both: the job is over, who is missing
  Reset,   ///< parent: no such session; it was lost in a restart
  // Communicators
  Join, ///< child: a communicator's place in the tree
  Joined,
  Leave,
  Left,
  // Collectives
  Contribute, ///< child: its message of a slot, perhaps empty
  Result,     ///< parent: the answer to a slot, perhaps empty
  Wait,       ///< parent: contribution is here, these are missing
  Poll,       ///< child: what of this slot?
  Credit,     ///< parent: more slots may be used; child: with what it is done
  // User operators
  Blob, ///< child: bytes of an operator's binary
  BlobAck,
  // To all children of a communicator at once; `session` is the number of its cast.
  Shared, ///< parent: Result for all who hear it
  // Control groups; both say the version of what they have, and of what they have heard.
  Report, ///< child: how far the members below are
  Order,  ///< parent: how they go on
  // Of one member of a control group, `root` is its position: `slot` counts them, `window` is its
  // use of the context. Switches between it and the one that decides hand them on.
  Move,  ///< child: a task that it gives; parent: one that it gets
  Moved, ///< parent: so many of the child's tasks are here
  Share, ///< child: what it gives to a sum, or if it has no payload: what of this sum?
  Sum,   ///< parent: who is in it, and if it is made the sum; the share is here
  // Direct networks: between engines (wire/Across.h).
  Transit, ///< a datagram of one engine on its way to another; has a header of its own
  Meet,    ///< both: this end's use of a communicator
  Message, ///< both: of a step of a collective's schedule
  Heard,   ///< both: which messages are here
  Call,    ///< both, without session: are you there? With flag Answer: I am
  // Memory nodes; numbers between are free.
  Access = 40, ///< child: a request to a memory node, by its slot
  Outcome,     ///< parent: its answer
  // Session again
  Denied, ///< parent: the Hello's tag is of another key; its own tag is of none
};
inline constexpr unsigned MaxPacketType = unsigned(PacketType::Denied);
/// Whether a number is a type of a datagram with this header.
inline constexpr bool isPacketType(unsigned type) {
  return (type >= unsigned(PacketType::Hello) && type <= unsigned(PacketType::Call) &&
          type != unsigned(PacketType::Transit)) ||
         (type >= unsigned(PacketType::Access) && type <= MaxPacketType);
}

/// Of control groups, which number nothing like collectives.
inline bool isOfControl(PacketType type) {
  return type >= PacketType::Report && type <= PacketType::Sum;
}
/// Of those: of one member, named by `root`.
inline bool isOfMember(PacketType type) {
  return type >= PacketType::Move && type <= PacketType::Sum;
}

/// Between engines, in their sessions.
inline bool isAcross(PacketType type) {
  return type >= PacketType::Meet && type <= PacketType::Heard;
}

/// Bits of Header::flags.
namespace flag {
inline constexpr uint8_t FromParent = 1; ///< direction, covered by the tag
inline constexpr uint8_t Answer = 2;     ///< Alive, Report, Order, Meet, Call: not to be answered
inline constexpr uint8_t Again = 4;      ///< a retransmission
inline constexpr uint8_t Patient = 8;    ///< Contribute, Access: nobody waits for the answer
inline constexpr uint8_t Hears = 16;     ///< Contribute: Shared packets arrive here
/// Contribute: a task for the switch follows the message (collective/Task.h). Poll: of such a one.
/// Result: the answer to one.
inline constexpr uint8_t Task = 32;
inline constexpr uint8_t All = 63;
} // namespace flag

/// Shape, sizes and identity of a message; fields without meaning for a type are 0.
struct Header {
  PacketType type = PacketType::Hello;
  uint8_t flags = 0;
  uint32_t job = 0;
  uint32_t session = 0;
  uint16_t part = 0, parts = 1; ///< this packet of its message (processor message)
  uint64_t number = 0;          ///< of the packet in its session and direction, from 1
  uint32_t context = 0;         ///< communicator
  uint32_t length = 0;          ///< payload bytes of this packet
  uint64_t slot = 0;            ///< message number in the communicator; version of a state
  /// From a child: it is done with all slots below. From a parent: slots below may be used.
  /// Report, Order: version of the other end's state that is here.
  uint64_t window = 0;
  /// From a child: collectives before this one in the communicator. From a parent: so many
  /// messages of the child, from the first on, are here; in Shared, of every child. Mod 2^32.
  uint32_t sequence = 0;
  uint32_t fragment = 0; ///< messages of the collective before this one
  uint32_t count = 0;    ///< elements of one block of the message
  uint32_t root = 0;     ///< position of the root in the tree
  Kind kind = Kind::Allreduce;
  Way way = Way::Automatic; ///< opcode bits: the upper half of the byte of `kind`
  ReduceOp op = ReduceOp::None;
  ElementType element = ElementType::Int8;
  Shape shape = Shape::FoldAll;
  uint32_t handle = 0; ///< user operator, or with flag Task the task's program; 0: none
};

/// Writes all but the tag, whose bytes become 0. `out` has at least HeaderBytes.
void encode(const Header &header, std::span<uint8_t> out);

/// Reads a datagram's header. Fails when it is not one of this version, a field has a
/// value that does not exist, or the length is not that of the rest of the datagram.
Result<Header> decode(std::span<const uint8_t> datagram);

/// The same of a header and so many bytes that follow it.
Result<Header> decode(std::span<const uint8_t> head, size_t payload);

/// Payload of a datagram of so many bytes.
inline uint32_t payloadOf(size_t datagramBytes) {
  return uint32_t(datagramBytes > HeaderBytes ? datagramBytes - HeaderBytes : 0);
}

/// A datagram of this protocol that decode() refuses because of its version.
inline bool isOfOtherVersion(std::span<const uint8_t> datagram) {
  return datagram.size() >= 2 && datagram[0] == Magic && datagram[1] != Version;
}

std::string_view nameOf(PacketType type);

} // namespace acis::wire
