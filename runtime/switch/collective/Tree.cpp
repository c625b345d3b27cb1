#include "runtime/switch/collective/Tree.h"

#include "runtime/switch/collective/Row.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace acis::collective {

namespace {

constexpr uint16_t NoSwitch = 0xffff;

/// Switches from the leaf up to the root of the job's tree.
Result<std::vector<uint16_t>> pathUp(uint16_t leaf, const Placement &placement) {
  std::vector<uint16_t> path;
  for (uint16_t at = leaf; at != NoSwitch;
       at = at < placement.parentOfSwitch.size() ? placement.parentOfSwitch[at] : NoSwitch) {
    path.push_back(at);
    if (path.size() > wire::Join::MaxLevels)
      return Error{"topology", "switch " + std::to_string(leaf) + " has more than " +
                                   std::to_string(wire::Join::MaxLevels - 1) +
                                   " switches above it, or is above itself"};
  }
  return path;
}

/// One switch of the tree, or a member when `below` is empty.
struct Node {
  uint32_t leastRank = 0;
  uint32_t first = 0, size = 0;
  uint16_t number = 0; ///< of a switch
  std::vector<Node *> children;
};

/// Cuts what all paths have in common above their lowest common switch.
Status trimTop(std::vector<std::vector<uint16_t>> &paths) {
  const size_t levels = paths.front().size();
  for (const std::vector<uint16_t> &path : paths)
    if (path.size() != levels || path.back() != paths.front().back())
      return Error{"topology", "the leaves " + std::to_string(paths.front().front()) + " and " +
                                   std::to_string(path.front()) +
                                   " have no common switch above them at equal height"};
  size_t keep = levels;
  while (keep > 1 && std::all_of(paths.begin(), paths.end(), [&](const auto &path) {
           return path[keep - 2] == paths.front()[keep - 2];
         }))
    --keep;
  for (std::vector<uint16_t> &path : paths)
    path.resize(keep);
  return Status::ok();
}

uint64_t fingerprintOf(std::span<const uint32_t> ranks) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (uint32_t rank : ranks)
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (rank >> shift & 0xff)) * 0x100000001b3;
  return hash;
}

/// Numbers the members below `node` from `first`.
uint32_t number(Node &node, uint32_t first, std::vector<uint32_t> &rankAt) {
  node.first = first;
  if (node.children.empty())
    rankAt[first++] = node.leastRank;
  for (Node *child : node.children)
    first = number(*child, first, rankAt);
  node.size = first - node.first;
  return first;
}

/// What the engine at `index` of these has to know of the others.
wire::Group groupOf(const std::vector<Node *> &engines, uint32_t index, size_t inNetwork) {
  wire::Group group;
  for (const uint32_t partner : partnersOf(index, uint32_t(engines.size())))
    group.partners.push_back(engines[partner]->number);
  group.isWhole = engines.size() == inNetwork;
  for (size_t place = 0; place < engines.size(); ++place) {
    group.isWhole &= engines[place]->number == place;
    if (group.runs.empty() || group.runs.back().members != engines[place]->size)
      group.runs.push_back({0, engines[place]->size});
    ++group.runs.back().engines;
  }
  if (group.runs.size() > wire::Group::MaxRuns)
    group.runs.clear(); // the engine refuses it
  return group;
}

} // namespace

Result<Tree> makeTree(std::span<const uint32_t> worldRanks, uint32_t me,
                      const Placement &placement) {
  std::vector<std::vector<uint16_t>> paths;
  for (uint32_t rank : worldRanks) {
    if (!placement.leafOfRank.empty() && rank >= placement.leafOfRank.size())
      return Error{"topology", "world rank " + std::to_string(rank) + " has no leaf; there are " +
                                   std::to_string(placement.leafOfRank.size()) + " ranks"};
    auto path = pathUp(placement.leafOfRank.empty() ? 0 : placement.leafOfRank[rank], placement);
    if (!path)
      return path.error();
    paths.push_back(std::move(*path));
  }
  if (Status status = trimTop(paths); !status)
    return status.error();

  // Nodes appear in rank order, so children are sorted by least rank as they come.
  std::map<std::pair<size_t, uint16_t>, Node> switches;
  std::vector<Node> members(worldRanks.size());
  for (uint32_t rank = 0; rank < worldRanks.size(); ++rank) {
    members[rank].leastRank = rank;
    Node *below = &members[rank];
    for (size_t level = 0; level < paths[rank].size(); ++level) {
      auto [at, isNew] = switches.try_emplace({level, paths[rank][level]});
      at->second.children.push_back(below);
      if (!isNew)
        break;
      at->second.leastRank = rank;
      at->second.number = paths[rank][level];
      below = &at->second;
    }
  }

  Tree tree;
  tree.rankAt.resize(worldRanks.size());
  const std::vector<uint16_t> &path = paths[me];
  number(switches.at({path.size() - 1, path.back()}), 0, tree.rankAt);
  tree.positionOf.resize(worldRanks.size());
  for (uint32_t position = 0; position < tree.rankAt.size(); ++position) {
    tree.positionOf[tree.rankAt[position]] = position;
    tree.rankOrder &= tree.rankAt[position] == position;
  }
  tree.join.size = uint32_t(worldRanks.size());
  tree.join.fingerprint = fingerprintOf(worldRanks);
  const Node *below = &members[me];
  for (size_t level = 0; level < path.size(); ++level) {
    const Node &node = switches.at({level, path[level]});
    const auto index = std::find(node.children.begin(), node.children.end(), below);
    tree.join.levels.push_back({uint32_t(index - node.children.begin()),
                                uint32_t(node.children.size()), below->first, below->size});
    below = &node;
  }
  if (path.size() == 2 && path.back() == DirectNetwork)
    tree.join.engines =
        groupOf(below->children, tree.join.levels[1].index, placement.parentOfSwitch.size());
  return tree;
}

} // namespace acis::collective
