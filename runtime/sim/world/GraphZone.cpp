// See GraphZone.h.
#include "runtime/sim/world/GraphZone.h"

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>

namespace acis::cluster {
namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

class GraphZone final : public routing::NetZoneImpl {
public:
  explicit GraphZone(const Platform &platform)
      : NetZoneImpl("cluster"), platform(platform), ways(platform.graph) {}

  BuiltGraph build() {
    for (uint32_t node = 0; node < platform.graph.nodes(); ++node)
      built.hosts.push_back(create_host(platform.graph.name(node), {platform.host.flops}));
    for (Routing::Hop hop = 0; hop < 2 * platform.graph.links.size(); ++hop) {
      s4u::Link *link = create_link(nameOf(hop), {platform.link.bandwidth});
      built.links.push_back(link->set_latency(latencyOf(hop))->seal());
    }
    if (platform.host.bus > 0)
      for (const std::string &host : platform.graph.hosts) {
        s4u::Link *bus = create_link(host + ".bus", {platform.host.bus});
        buses.push_back(bus->set_latency(0)->seal());
      }
    // For actors that share a node, which SimGrid wants to have a link.
    inside = create_link("inside", {1e15})->set_latency(1e-9);
    inside->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->seal();
    seal();
    return built;
  }

  void get_local_route(const routing::NetPoint *from, const routing::NetPoint *to,
                       routing::Route *into, double *latency) override {
    double sum = 0;
    if (from == to) {
      into->link_list_.push_back(inside->get_impl());
      sum = inside->get_latency();
    } else {
      sum = addRoute(from, to, *into);
    }
    if (latency) // who asks for the links alone gives none
      *latency += sum;
  }

private:
  /// The latency of what it adds.
  double addRoute(const routing::NetPoint *from, const routing::NetPoint *to,
                  routing::Route &into) {
    double sum = 0;
    hops.clear();
    ways.route(uint32_t(from->id()), uint32_t(to->id()), hops);
    for (const routing::NetPoint *end : {from, to})
      if (end->id() < buses.size())
        into.link_list_.push_back(buses[end->id()]->get_impl());
    for (Routing::Hop hop : hops) {
      into.link_list_.push_back(built.links[hop]->get_impl());
      sum += built.links[hop]->get_latency();
    }
    // Each switch on the way; those at the ends account for themselves.
    return sum + double(hops.size() - 1) * platform.device.portToPort;
  }

  std::string nameOf(Routing::Hop hop) const {
    const auto [a, b] = platform.graph.links[hop / 2];
    return platform.graph.name(hop % 2 ? b : a) + ">" + platform.graph.name(hop % 2 ? a : b);
  }
  double latencyOf(Routing::Hop hop) const {
    const auto [a, b] = platform.graph.links[hop / 2];
    const bool toHost = platform.graph.isHost(a) || platform.graph.isHost(b);
    return platform.link.latency + (toHost ? platform.host.pcieLatency : 0);
  }

  const Platform &platform;
  Routing ways;
  BuiltGraph built;
  std::vector<s4u::Link *> buses; ///< of hosts; none if these have no limit
  s4u::Link *inside = nullptr;
  std::vector<Routing::Hop> hops;
};

} // namespace

BuiltGraph buildGraph(const Platform &platform) {
  return (new GraphZone(platform))->build(); // the engine deletes its root
}

} // namespace acis::cluster
