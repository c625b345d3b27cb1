// What engines of a direct network say to each other: the header of a datagram that others hand on,
// and the payloads of Meet, Message and Heard. read() takes hostile bytes. docs/wire-protocol.md,
// "Direct networks".
#pragma once

#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Tagger.h"

#include <optional>
#include <span>
#include <vector>

namespace acis::wire {

/// Before a datagram that is on its way from one engine to another. Those between hand both on as
/// they are; the tag is of this header and of the datagram's length, under the fabric's key.
struct Transit {
  static constexpr size_t Bytes = 24;
  uint32_t job = 0;    ///< of the datagram
  uint32_t fabric = 0; ///< fingerprint of the network: all engines have one topology file
  uint16_t from = 0, to = 0;

  /// A transit header and the datagram.
  std::vector<uint8_t> wrap(std::span<const uint8_t> datagram, const Tagger &tagger) const;
  /// Of bytes whose first three say that they are one; no value: too short, or another tag.
  static std::optional<Transit> read(std::span<const uint8_t> bytes, const Tagger &tagger);
  /// Whether bytes are of this protocol's version and of type Transit.
  static bool isOne(std::span<const uint8_t> bytes);
};

/// The address that sessions between engines have for an engine, wherever it listens.
Address engineAddress(uint16_t number);
/// Which engine an address is of; no value: of none.
std::optional<uint16_t> engineAt(const Address &address);

/// Meet: one end's use of a communicator. Uses have numbers of their own at each engine, never two
/// the same in its life, so that what was sent for one is never taken for another.
struct Meeting {
  uint32_t mine = 0, yours = 0; ///< uses; yours: as far as known, else 0
  uint64_t fingerprint = 0;     ///< of the group
  uint32_t size = 0, index = 0; ///< engines of the group; which of them this is
  uint32_t messageBytes = 0, packetBytes = 0, slots = 0; ///< the same on all engines

  std::vector<uint8_t> write() const;
  static std::optional<Meeting> read(std::span<const uint8_t> bytes);
};

/// Begins each packet of a Message; the elements follow.
struct Stamp {
  static constexpr size_t Bytes = 20;
  uint32_t to = 0, from = 0; ///< uses
  uint32_t number = 0;       ///< of the message among all to this engine in this use, from 0
  uint32_t here = 0;         ///< as in Hearing
  uint32_t ordinal = 0;      ///< of the message among those of this slot to this engine

  std::vector<uint8_t> write() const;
  static std::optional<Stamp> read(std::span<const uint8_t> bytes);
};

/// Heard: which messages of the other end are here.
struct Hearing {
  uint32_t to = 0, from = 0; ///< uses
  uint32_t here = 0;         ///< all below are
  uint64_t later = 0;        ///< bit i: so is here + 1 + i
  bool isOver = false;       ///< the use has ended: all that it wanted has come

  std::vector<uint8_t> write() const;
  static std::optional<Hearing> read(std::span<const uint8_t> bytes);
};

} // namespace acis::wire
