// One session as one of its two ends sees it: seals outgoing packets (numbers, tag) and
// opens incoming ones (tag, direction, replay). No packet that open() refuses may change
// anything.
#pragma once

#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/Tagger.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace acis::wire {

/// 32 hexadecimal digits; "" is no key.
Result<std::optional<Key>> parseKey(std::string_view text);
/// The key in a file: 32 hexadecimal digits and white space behind them. Errors name the file.
Result<Key> readKeyFile(const std::string &path);
/// The key of a job, derived from the switches' own one (HMAC-SHA-256, first half).
Key jobKey(const Key &master, uint32_t job);
std::string keyText(const Key &key);
/// Unpredictable bits from the system.
uint64_t randomBits();

/// Which numbers of the last 1,024 were seen. Older ones count as seen.
class ReplayWindow {
public:
  static constexpr unsigned Size = 1024;
  bool isNew(uint64_t number) const {
    return number > highest || (number + Size > highest && !seen[number % Size]);
  }
  /// Marks it; false if it is not new.
  bool accept(uint64_t number);

private:
  uint64_t highest = 0;
  std::array<bool, Size> seen{};
};

/// Where the datagram of a payload of so many bytes is written: what `give` has for so many bytes
/// in all (a socket's room), or, if that has another size, `own`.
template <typename Give>
std::span<uint8_t> roomFor(size_t payload, Give give, std::vector<uint8_t> &own) {
  const size_t bytes = HeaderBytes + payload;
  if (const std::span<uint8_t> given = give(bytes); given.size() == bytes)
    return given;
  own.resize(bytes);
  return own;
}

/// A shorter payload is copied behind its header; a longer one may go out from where it lies.
constexpr size_t LeastInPieces = 2048;

enum class Side : uint8_t { Child, Parent };

class Channel {
public:
  Channel(Side side, uint32_t job, const std::optional<Key> &key)
      : side(side), jobNumber(job), tagger(key) {}

  void setSession(uint32_t number) { sessionNumber = number; }
  uint32_t session() const { return sessionNumber; }
  uint32_t job() const { return jobNumber; }

  /// Fills job, session, number, length and direction and writes the whole datagram to `out`, which
  /// has HeaderBytes and the payload's. `known`: digest() of the payload, if it is at hand.
  std::span<const uint8_t> seal(Header header, std::span<const uint8_t> payload,
                                std::span<uint8_t> out, const Digest *known = nullptr);
  /// The same without the payload, which goes out behind `out`, a header, from where it lies.
  std::span<const uint8_t> sealHeader(Header header, std::span<const uint8_t> payload,
                                      std::span<uint8_t> out, const Digest *known = nullptr);
  /// The same for all channels of a job.
  Digest digest(std::span<const uint8_t> payload) const { return tagger.digest(payload); }
  /// Of the last packet that was sealed; 0: none was.
  uint64_t lastSealed() const { return lastNumber; }
  /// Whether a decoded datagram belongs here; counts its number as used. `payload`: gets the digest
  /// of its payload then.
  bool open(const Header &header, std::span<const uint8_t> datagram, Digest *payload = nullptr) {
    return open(header, datagram.first(HeaderBytes), datagram.subspan(HeaderBytes), payload);
  }
  bool open(const Header &header, std::span<const uint8_t> head, std::span<const uint8_t> payload,
            Digest *digest = nullptr);

private:
  void fill(Header &header, size_t payload);

  Side side;
  uint32_t jobNumber, sessionNumber = 0;
  Tagger tagger;
  uint64_t lastNumber = 0;
  ReplayWindow replay;
};

} // namespace acis::wire
