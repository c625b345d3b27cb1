// See Routing.h.
#include "runtime/sim/platform/Routing.h"

#include <queue>

namespace acis::cluster {

Routing::Routing(const Graph &graph) : graph(graph), near(graph.nodes()), distances(graph.nodes()) {
  for (uint32_t l = 0; l < graph.links.size(); ++l) {
    const auto [a, b] = graph.links[l];
    near[a].push_back({b, 2 * l});
    near[b].push_back({a, 2 * l + 1});
  }
}

uint32_t Routing::target(Hop hop) const {
  const auto [a, b] = graph.links[hop / 2];
  return hop % 2 ? a : b;
}

const std::vector<uint32_t> &Routing::distancesTo(uint32_t node) const {
  std::vector<uint32_t> &out = distances[node];
  if (!out.empty())
    return out;
  out.assign(graph.nodes(), Unreachable);
  out[node] = 0;
  std::queue<uint32_t> open({node});
  while (!open.empty()) {
    const uint32_t here = open.front();
    open.pop();
    if (here != node && graph.isHost(here))
      continue; // ends here
    for (const Neighbour &next : near[here])
      if (out[next.node] == Unreachable) {
        out[next.node] = out[here] + 1;
        open.push(next.node);
      }
  }
  return out;
}

uint32_t Routing::distance(uint32_t from, uint32_t to) const { return distancesTo(to)[from]; }

void Routing::route(uint32_t from, uint32_t to, std::vector<Hop> &hops) const {
  if (from == to)
    return;
  // A host is one link from its switch, whose table serves all its hosts.
  if (!graph.isHost(to))
    return toSwitch(from, to, to, hops);
  const Neighbour last = near[to].front();
  toSwitch(from, last.node, to, hops);
  hops.push_back(last.hop ^ 1);
}

void Routing::toSwitch(uint32_t from, uint32_t to, uint32_t turn, std::vector<Hop> &hops) const {
  const std::vector<uint32_t> &left = distancesTo(to);
  while (from != to) {
    uint32_t choices = 0;
    for (const Neighbour &next : near[from])
      choices += left[next.node] + 1 == left[from];
    uint32_t taken = graph.dimensionOrder ? 0 : turn % choices;
    for (const Neighbour &next : near[from])
      if (left[next.node] + 1 == left[from] && taken-- == 0) {
        hops.push_back(next.hop);
        from = next.node;
        break;
      }
  }
}

} // namespace acis::cluster
