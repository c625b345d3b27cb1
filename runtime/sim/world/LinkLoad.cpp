// See LinkLoad.h.
#include "runtime/sim/world/LinkLoad.h"

#include <simgrid/kernel/resource/NetworkModelIntf.hpp>

#include <algorithm>

namespace acis::cluster {

namespace s4u = simgrid::s4u;

void LinkLoad::track(s4u::Engine &engine, const std::vector<s4u::Link *> &links) {
  for (const s4u::Link *link : links) {
    numbers.emplace(link, loads.size());
    loads.push_back({.bandwidth = link->get_bandwidth()});
  }
  // Asked once for each message, when it begins; 1 is what model CM02 has.
  engine.get_netzone_root()->get_network_model()->set_bw_factor_cb(
      [this](double size, const s4u::Host *, const s4u::Host *,
             const std::vector<s4u::Link *> &route, const std::unordered_set<s4u::NetZone *> &) {
        for (const s4u::Link *link : route)
          add(size, link);
        return 1.0;
      });
}

void LinkLoad::add(double size, const s4u::Link *link) {
  const auto at = numbers.find(link);
  if (at == numbers.end())
    return; // a host's bus
  Load &load = loads[at->second];
  load.bytes += size;
  load.end = std::max(load.end, s4u::Engine::get_clock()) + size / load.bandwidth;
}

double LinkLoad::left(size_t link) const {
  const Load &load = loads[link];
  return load.bytes - std::max(load.end - s4u::Engine::get_clock(), 0.0) * load.bandwidth;
}

} // namespace acis::cluster
