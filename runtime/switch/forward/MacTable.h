// Which station is behind which port: learnt from what stations send, or pinned. Bounded; what has
// said nothing for long is forgotten.
#pragma once

#include "runtime/switch/forward/Frame.h"
#include "runtime/switch/wire/Clock.h"

#include <map>
#include <optional>

namespace acis::forward {

class MacTable {
public:
  struct Limits {
    size_t entries = 4096;
    wire::Time age = 300 * wire::Second; ///< as IEEE 802.1D recommends
  };
  explicit MacTable(const Limits &limits) : limits(limits) {}

  /// Stays until the end, whatever the station sends from elsewhere.
  void pin(const Mac &mac, unsigned port) { table[mac] = {port, wire::Never}; }
  /// A full table learns nothing new until something is old: frames to it go everywhere.
  void learn(const Mac &mac, unsigned port, wire::Time now);
  std::optional<unsigned> find(const Mac &mac, wire::Time now) const;
  size_t size() const { return table.size(); }

private:
  struct Entry {
    unsigned port = 0;
    wire::Time until = 0;
  };
  Limits limits;
  std::map<Mac, Entry> table;
  wire::Time nextSweep = 0;
};

} // namespace acis::forward
