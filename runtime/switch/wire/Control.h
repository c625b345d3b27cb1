// Payloads of the packets that carry no elements. read() takes hostile bytes and fails
// on anything that does not fit exactly; write() is its inverse.
#pragma once

#include "backend/support/Result.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/wire/Address.h"

#include <optional>

namespace acis::wire {

/// Hello and Open (then with the cookie of the Challenge). A Hello may have zeros behind it, by
/// which the child finds out how long a datagram the path takes.
struct Hello {
  static constexpr size_t Bytes = 33;
  enum class Role : uint8_t { Host, Switch };
  Role role = Role::Host;
  uint32_t id = 0;   ///< world rank, or number of the switch
  uint32_t size = 0; ///< ranks of the job
  uint32_t turn = 0; ///< job j uses parent number (j + turn) % parents of each switch
  uint64_t nonce = 0, cookie = 0;
  /// Of an Open: most payload of a datagram that the path takes in one piece.
  uint32_t packetBytes = UINT32_MAX;

  std::vector<uint8_t> write() const;
  static std::optional<Hello> read(std::span<const uint8_t> bytes);
};

struct Challenge {
  uint64_t nonce = 0, cookie = 0;
  uint32_t packetBytes = 0; ///< payload of the Hello, as it came

  std::vector<uint8_t> write() const;
  static std::optional<Challenge> read(std::span<const uint8_t> bytes);
};

struct Welcome {
  uint64_t nonce = 0;
  std::string refusal; ///< why not; then the rest is 0
  uint32_t session = 0;
  uint32_t switchId = 0;
  uint32_t messageBytes = 0; ///< most bytes of a message, a whole slot
  uint32_t packetBytes = 0;  ///< most payload of one datagram on this link
  uint32_t cutBytes = 0;     ///< the same on any link of the switch; collectives are cut by it
  uint32_t slots = 0;        ///< of a communicator, in use at once
  uint32_t deadAfterMs = 0;  ///< a child that says nothing for so long is dead

  std::vector<uint8_t> write() const;
  static std::optional<Welcome> read(std::span<const uint8_t> bytes);
};

/// A child's place below one switch.
struct Level {
  uint32_t index = 0, children = 0; ///< child `index` of `children` members
  uint32_t first = 0, size = 0;     ///< positions of the tree in the child
  bool operator==(const Level &) const = default;
};

/// Of a communicator that engines of a direct network share: what of the others an engine knows.
struct Group {
  static constexpr unsigned MaxPartners = 16, MaxRuns = 64;
  /// So many engines, one after the other in the order of the group, with so many members each.
  struct Run {
    uint32_t engines = 0, members = 0;
    bool operator==(const Run &) const = default;
  };
  /// Numbers of the engines that this one exchanges with (collective/Row.h); empty: no group.
  std::vector<uint16_t> partners;
  std::vector<Run> runs;
  bool isWhole = false; ///< all engines of the network, in the order of their numbers
  bool operator==(const Group &) const = default;
};

struct Join {
  static constexpr unsigned MaxLevels = 4;
  uint32_t size = 0;         ///< of the communicator
  uint64_t fingerprint = 0;  ///< of its list of world ranks
  std::vector<Level> levels; ///< the sender's first, then its switch's, and so on up
  Group engines;             ///< of a direct network: then the second level is the engine's place

  std::vector<uint8_t> write() const;
  static std::optional<Join> read(std::span<const uint8_t> bytes);
};

/// Where a parent sends what is for all children of a communicator.
struct Cast {
  uint32_t number = 0; ///< in the place of a session; 0: there is none
  Address address;     ///< a multicast group
  bool operator==(const Cast &) const = default;
};

/// Joined, Left and refusals: "" is success. A host's Joined may have a cast.
struct Answer {
  std::string refusal;
  Cast cast;

  std::vector<uint8_t> write() const;
  static std::optional<Answer> read(std::span<const uint8_t> bytes);
};

struct Range {
  uint32_t first = 0, size = 0;
};

/// What a slot waits for.
struct Waiting {
  static constexpr unsigned MaxRanges = 16;
  bool contributed = false;   ///< the child's own message is here
  std::vector<Range> missing; ///< positions whose contribution is not
  std::string silent;         ///< a switch that does not answer, or ""
  uint64_t parts = 0;         ///< of the child's own message that are here, a bit for each

  std::vector<uint8_t> write() const;
  static std::optional<Waiting> read(std::span<const uint8_t> bytes);
};

struct Failure {
  std::string what; ///< a whole message: who and why

  std::vector<uint8_t> write() const { return io::Writer().text(what).take(); }
  static std::optional<Failure> read(std::span<const uint8_t> bytes);
};

/// What names a user operator: a hash (FNV-1a) of the binary and the handler's name. The
/// low 32 bits, never 0, are the handle in headers.
uint64_t operatorHash(std::span<const uint8_t> elf, std::string_view handler);

/// A piece of a user operator's binary. The acknowledgement has no bytes; its offset is
/// what is there without a gap, its refusal why the binary cannot be used.
struct Blob {
  static constexpr size_t PieceBytes = 1024;
  uint64_t hash = 0;
  uint32_t offset = 0, total = 0;
  std::string name; ///< of the handler
  std::vector<uint8_t> bytes;

  std::vector<uint8_t> write() const;
  static std::optional<Blob> read(std::span<const uint8_t> bytes);
};

struct BlobAck {
  uint64_t hash = 0;
  uint32_t offset = 0;
  bool ready = false; ///< loaded here and above
  std::string refusal;

  std::vector<uint8_t> write() const;
  static std::optional<BlobAck> read(std::span<const uint8_t> bytes);
};

} // namespace acis::wire
