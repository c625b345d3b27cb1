// See Placement.h.
#include "runtime/sim/platform/Placement.h"

#include "runtime/sim/platform/Routing.h"

#include <algorithm>
#include <map>
#include <optional>

namespace acis::cluster {
namespace {

constexpr uint16_t None = 0xffff;   ///< SessionOptions::NoSwitch
constexpr uint16_t Direct = 0xfffe; ///< collective::DirectNetwork
constexpr size_t MostLevels = 4;    ///< of switches that the protocol knows
constexpr size_t MostSwitches = None;

/// Level d collects along dimension d, at the node in the middle of the row.
Placement placeOnGrid(const Graph &graph, uint32_t ranks) {
  Placement out;
  std::map<uint32_t, uint16_t> below; // node: its switch of the level below
  for (uint32_t r = 0; r < ranks; ++r) {
    below[r] = uint16_t(r);
    out.leafOfRank.push_back(uint16_t(r));
    out.nodeOfSwitch.push_back(graph.switchNode(r));
  }
  out.parentOfSwitch.assign(ranks, None);
  uint32_t stride = 1;
  for (uint32_t size : graph.sizes) {
    if (size == 1)
      continue;
    std::map<uint32_t, uint16_t> level;
    for (const auto &[node, number] : below) {
      const uint32_t at = node / stride % size;
      const uint32_t middle = node - at * stride + size / 2 * stride;
      const auto [found, isNew] = level.try_emplace(middle, uint16_t(out.nodeOfSwitch.size()));
      if (isNew) {
        out.nodeOfSwitch.push_back(graph.switchNode(middle));
        out.parentOfSwitch.push_back(None);
      }
      out.parentOfSwitch[number] = found->second;
    }
    below = std::move(level);
    stride *= size;
  }
  return out;
}

/// All of them: those without ranks hand on what goes by them.
Placement placeEngines(const Graph &graph, uint32_t ranks) {
  Placement out;
  for (uint32_t r = 0; r < ranks; ++r)
    out.leafOfRank.push_back(uint16_t(r));
  for (uint32_t engine = 0; engine < graph.switches.size(); ++engine)
    out.nodeOfSwitch.push_back(graph.switchNode(engine));
  out.parentOfSwitch.assign(graph.switches.size(), Direct);
  return out;
}

/// The switch from which all leaves are equally far, and nearest; it has no hosts unless it is
/// alone.
std::optional<uint32_t> findTop(const Graph &graph, const Routing &routing,
                                const std::vector<uint32_t> &leaves) {
  if (leaves.size() == 1)
    return leaves[0];
  std::optional<uint32_t> best;
  uint32_t nearest = Routing::Unreachable;
  for (uint32_t node = graph.switchNode(0); node < graph.nodes(); ++node) {
    const uint32_t far = routing.distance(leaves[0], node);
    const bool equal = std::all_of(leaves.begin(), leaves.end(), [&](uint32_t leaf) {
      return leaf != node && routing.distance(leaf, node) == far;
    });
    if (equal && far < nearest) {
      best = node;
      nearest = far;
    }
  }
  return best;
}

} // namespace

Result<Placement> place(const Graph &graph, uint32_t ranks) {
  if (graph.fabric)
    return placeEngines(graph, ranks);
  if (!graph.sizes.empty())
    return placeOnGrid(graph, ranks);
  const Routing routing(graph);
  Placement out;
  std::map<uint32_t, uint16_t> numbers;
  std::vector<uint32_t> leaves;
  auto numberOf = [&](uint32_t node) {
    const auto [found, isNew] = numbers.try_emplace(node, uint16_t(out.nodeOfSwitch.size()));
    if (isNew) {
      out.nodeOfSwitch.push_back(node);
      out.parentOfSwitch.push_back(None);
    }
    return std::pair(found->second, isNew);
  };
  for (uint32_t r = 0; r < ranks; ++r) {
    const uint32_t leaf = routing.neighbours(r).front().node;
    const auto [number, isNew] = numberOf(leaf);
    if (isNew)
      leaves.push_back(leaf);
    out.leafOfRank.push_back(number);
  }
  const std::optional<uint32_t> top = findTop(graph, routing, leaves);
  if (!top)
    return Error{"topology", "no switch is equally far from all switches with hosts, so none can "
                             "aggregate for all; give a tree, or one of the kinds that have one"};
  if (routing.distance(leaves[0], *top) >= MostLevels)
    return Error{"topology", "the tree of switches has " +
                                 std::to_string(routing.distance(leaves[0], *top) + 1) +
                                 " levels; the protocol knows " + std::to_string(MostLevels)};
  for (uint32_t leaf : leaves)
    for (uint32_t node = leaf; node != *top;) {
      // The first of the ways, for all alike: as few switches as can be.
      uint32_t above = Routing::Unreachable;
      for (const Routing::Neighbour &next : routing.neighbours(node))
        if (!graph.isHost(next.node) &&
            routing.distance(next.node, *top) + 1 == routing.distance(node, *top))
          above = std::min(above, next.node);
      const uint16_t number = numberOf(node).first;
      out.parentOfSwitch[number] = numberOf(above).first;
      node = above;
    }
  if (out.nodeOfSwitch.size() >= MostSwitches)
    return Error{"topology", "more than " + std::to_string(MostSwitches - 1) + " switches"};
  return out;
}

} // namespace acis::cluster
