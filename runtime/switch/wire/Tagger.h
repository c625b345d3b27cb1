// The tag of a datagram: who has the job's key has made it; without a key, it is as it was sent.
// docs/wire-protocol.md says why it holds.
#pragma once

#include "runtime/switch/wire/Header.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace acis::wire {

using Key = std::array<uint8_t, 16>;

/// Stands for a payload: two with the same one are found with a chance of less than 2^-91
/// by who does not know the key. Never sent.
using Digest = std::array<uint8_t, 16>;

/// Tags of 64 bits under one key: SipHash-2-4 of the header and the payload, of which a long
/// one is digested before with Poly1305, four times as fast. Both are OpenSSL's. Without a key
/// XXH3 takes the place of both, a checksum: damage is found, forgery is not. Copies share nothing.
class Tagger {
public:
  /// Payloads up to here stand for themselves.
  static constexpr size_t ShortPayload = 128;

  explicit Tagger(const std::optional<Key> &key);
  Tagger(Tagger &&);
  Tagger &operator=(Tagger &&);
  ~Tagger();

  /// Of any bytes.
  uint64_t of(std::span<const uint8_t> bytes) const;
  /// What seal() takes for a payload that goes into several datagrams.
  Digest digest(std::span<const uint8_t> payload) const;
  /// Writes the tag into a datagram's header.
  void seal(std::span<uint8_t> datagram) const;
  void seal(std::span<uint8_t> datagram, const Digest &payload) const;
  /// The same where the payload does not lie behind the header.
  void seal(std::span<uint8_t> header, std::span<const uint8_t> payload,
            const Digest &digest) const;
  /// Whether a datagram with a whole header has the right tag, and the digest of its payload.
  bool verify(std::span<const uint8_t> datagram, Digest *payload = nullptr) const {
    return verify(datagram.first(HeaderBytes), datagram.subspan(HeaderBytes), payload);
  }
  bool verify(std::span<const uint8_t> header, std::span<const uint8_t> payload,
              Digest *digest) const;

private:
  uint64_t tagOf(std::span<const uint8_t> header, std::span<const uint8_t> payload,
                 const Digest &digest) const;

  struct Keyed;
  std::unique_ptr<Keyed> keyed; ///< none without a key
};

} // namespace acis::wire
