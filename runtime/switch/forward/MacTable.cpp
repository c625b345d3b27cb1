#include "runtime/switch/forward/MacTable.h"

namespace acis::forward {

void MacTable::learn(const Mac &mac, unsigned port, wire::Time now) {
  if (mac.isGroup())
    return; // nobody is a group
  if (const auto at = table.find(mac); at != table.end()) {
    if (at->second.until != wire::Never)
      at->second = {port, now + limits.age};
    return;
  }
  if (table.size() >= limits.entries && now >= nextSweep) {
    std::erase_if(table, [&](const auto &item) { return item.second.until < now; });
    nextSweep = now + wire::Second; // a flood of stations costs one look a second
  }
  if (table.size() < limits.entries)
    table[mac] = {port, now + limits.age};
}

std::optional<unsigned> MacTable::find(const Mac &mac, wire::Time now) const {
  const auto at = table.find(mac);
  if (at == table.end() || at->second.until < now)
    return std::nullopt;
  return at->second.port;
}

} // namespace acis::forward
