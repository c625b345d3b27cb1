// How many packets each source may send in a second.
#pragma once

#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <mutex>
#include <unordered_map>

namespace acis::sw {

/// Cores of one switch share it: a source has one limit, whichever of them its packets reach.
/// Safe for threads.
class SourceRates {
public:
  /// 0: no limit.
  explicit SourceRates(uint64_t packetsPerSecond) : limit(packetsPerSecond) {}

  bool limits() const { return limit != 0; }
  /// Counts a packet; false if it is one too many.
  bool admit(const wire::Address &from, wire::Time now);

private:
  struct Rate {
    wire::Time since = 0;
    uint64_t packets = 0;
  };
  const uint64_t limit;
  std::mutex lock;
  std::unordered_map<wire::Address, Rate, wire::AddressHash> rates;
};

} // namespace acis::sw
