// The shapes that are made of a few numbers.
#include "runtime/sim/platform/Graph.h"

#include <algorithm>
#include <cmath>

namespace acis::cluster {
namespace {

void addHosts(Graph &graph, uint32_t count) {
  for (uint32_t h = 0; h < count; ++h)
    graph.hosts.push_back("host" + std::to_string(h));
}

uint32_t addSwitch(Graph &graph, const std::string &kind, uint32_t number) {
  graph.switches.push_back(kind + std::to_string(number));
  return graph.nodes() - 1;
}

} // namespace

uint32_t downPorts(uint32_t radix, double overSubscription) {
  const double down = double(radix) * overSubscription / (1 + overSubscription);
  return std::clamp(uint32_t(std::floor(down + 1e-9)), 1u, radix - 1);
}

Graph makeStar(uint32_t hosts) {
  Graph graph;
  addHosts(graph, hosts);
  const uint32_t only = addSwitch(graph, "switch", 0);
  for (uint32_t h = 0; h < hosts; ++h)
    graph.links.emplace_back(h, only);
  return graph;
}

Graph makeGrid(const std::vector<uint32_t> &sizes, bool wraps) {
  Graph graph;
  graph.dimensionOrder = true;
  graph.sizes = sizes;
  uint32_t count = 1;
  for (uint32_t size : sizes)
    count *= size;
  addHosts(graph, count);
  for (uint32_t node = 0; node < count; ++node)
    graph.links.emplace_back(node, addSwitch(graph, "switch", node));
  uint32_t stride = 1;
  for (uint32_t size : sizes) {
    for (uint32_t node = 0; node < count; ++node) {
      const uint32_t at = node / stride % size;
      const uint32_t first = node - at * stride;
      // Two neighbours have one link between them, not one for each way round.
      if (at + 1 < size)
        graph.links.emplace_back(graph.switchNode(node), graph.switchNode(node + stride));
      else if (wraps && size > 2)
        graph.links.emplace_back(graph.switchNode(node), graph.switchNode(first));
    }
    stride *= size;
  }
  return graph;
}

Graph makeDirect(const direct::Fabric &fabric) {
  Graph graph;
  graph.dimensionOrder = true;
  graph.fabric = fabric;
  addHosts(graph, fabric.engines());
  for (uint32_t engine = 0; engine < fabric.engines(); ++engine)
    graph.links.emplace_back(engine, addSwitch(graph, "engine", engine));
  for (uint32_t engine = 0; engine < fabric.engines(); ++engine)
    for (const uint32_t other : fabric.neighbours(engine))
      if (other > engine)
        graph.links.emplace_back(graph.switchNode(engine), graph.switchNode(other));
  return graph;
}

Graph makeSpineLeaf(uint32_t hosts, uint32_t radix, double overSubscription) {
  Graph graph;
  addHosts(graph, hosts);
  const uint32_t down = downPorts(radix, overSubscription), leaves = (hosts + down - 1) / down;
  std::vector<uint32_t> leaf;
  for (uint32_t l = 0; l < leaves; ++l)
    leaf.push_back(addSwitch(graph, "leaf", l));
  for (uint32_t h = 0; h < hosts; ++h)
    graph.links.emplace_back(h, leaf[h / down]);
  for (uint32_t s = 0; leaves > 1 && s < radix - down; ++s) {
    const uint32_t spine = addSwitch(graph, "spine", s);
    for (uint32_t from : leaf)
      graph.links.emplace_back(from, spine);
  }
  return graph;
}

Graph makeFatTree(uint32_t hosts, uint32_t radix) {
  Graph graph;
  addHosts(graph, hosts);
  const uint32_t half = radix / 2, edges = (hosts + half - 1) / half,
                 pods = (edges + half - 1) / half;
  std::vector<uint32_t> edge, aggregation;
  for (uint32_t e = 0; e < edges; ++e)
    edge.push_back(addSwitch(graph, "edge", e));
  for (uint32_t h = 0; h < hosts; ++h)
    graph.links.emplace_back(h, edge[h / half]);
  for (uint32_t a = 0; edges > 1 && a < pods * half; ++a) {
    aggregation.push_back(addSwitch(graph, "aggregation", a));
    for (uint32_t e = a / half * half; e < std::min(edges, (a / half + 1) * half); ++e)
      graph.links.emplace_back(edge[e], aggregation[a]);
  }
  for (uint32_t c = 0; pods > 1 && c < half * half; ++c) {
    const uint32_t core = addSwitch(graph, "core", c);
    for (uint32_t p = 0; p < pods; ++p)
      graph.links.emplace_back(aggregation[p * half + c / half], core);
  }
  return graph;
}

} // namespace acis::cluster
