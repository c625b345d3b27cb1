// A line-rate certificate: how many cycles a packet can take at most, by its length.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acis {

/// Holds for payloads of `from` bytes up to the next step. Packet i of a train is done by
///   D(i) = max(A(i) + latency(i), D(i - 1) + period(i)), where
///   A(i) = max(seen(i), A(i - 1) + control(i - 1))
/// and seen(i) is the cycle in which its header has come.
struct CertificateStep {
  uint32_t from = 0;
  /// Cycles from the first beat of the header on the wire to the last beat out, on an idle
  /// switch. 0: no bound, the handler traps on packets of this length.
  uint32_t latency = 0;
  /// Cycles that the control code takes of them.
  uint32_t control = 0;
  /// Cycles that a packet adds when packets of its length come back to back.
  uint32_t period = 0;
  bool operator==(const CertificateStep &) const = default;
};

struct Certificate {
  uint32_t elementBytes = 1;          ///< payload lengths are multiples of this
  uint32_t longest = 0;               ///< bytes; nothing is said of longer payloads
  std::vector<CertificateStep> steps; ///< by `from`, the first from `elementBytes`

  /// Null past the ends.
  const CertificateStep *at(uint32_t bytes) const;
};

/// Ethernet bytes of a frame that are not in the overlay's header: preamble, start of
/// frame, check sequence and gap (IEEE 802.3).
inline constexpr unsigned FramingBytes = 7 + 1 + 4 + 12;

/// Cycles between frames of this payload that follow each other on a port.
double cyclesOnWire(uint32_t bytes, double gigabits, unsigned headerBytes, double clockMhz);

/// The smallest length from which on every length up to `longest` takes no more cycles
/// than its frame takes on the wire; nothing if `longest` itself does not.
std::optional<uint32_t> smallestAtRate(const Certificate &certificate, double gigabits,
                                       unsigned headerBytes, double clockMhz);

/// Words of a handler's entry in `.acis.cert`, docs/binary-format.md.
std::vector<uint32_t> encodeCertificate(const Certificate &certificate);
/// Takes one entry from the front of `words`. Refuses what encodeCertificate() would not write.
Result<Certificate> decodeCertificate(std::span<const uint32_t> &words);

} // namespace acis
