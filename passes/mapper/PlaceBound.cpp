// A lower bound on the II from operations that cycles keep on one PE.
//
// A way from a PE to another one and back takes two links or more. Two operations on a
// closed way with less than two cycles to spare are therefore on the same PE, which issues
// one operation in a slot: all that hang together like this need different slots. Their
// times can differ by little, so that it is a matching of operations and slots.
#include "passes/mapper/PlaceBound.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {
namespace {

class PlaceBound {
public:
  PlaceBound(const Problem &problem, const Overlay &overlay) : problem(problem) {
    for (const Edge &edge : problem.edges)
      latency.push_back(
          int(edge.order ? edge.latency : latencyOf(problem.nodes[edge.from], overlay)));
    findComponents();
  }

  /// Whether some operations that have to be on one PE do not fit into its slots.
  bool isImpossible(unsigned ii) {
    return std::any_of(components.begin(), components.end(),
                       [&](const std::vector<unsigned> &c) { return isImpossible(c, ii); });
  }
  /// After isImpossible(): the operations.
  const std::vector<unsigned> &cause() const { return cluster; }

private:
  static constexpr int Far = -(1 << 28);
  static constexpr size_t MostNodes = 256; ///< of a component; the work grows with its cube

  void findComponents();
  bool isImpossible(const std::vector<unsigned> &component, unsigned ii);
  bool fitsSlots(unsigned root, unsigned ii);
  bool augment(size_t member, unsigned root, unsigned ii, std::vector<int> &owner,
               std::vector<bool> &seen);
  bool isCompute(unsigned node) const { return problem.nodes[node].kind == NodeKind::Compute; }
  int &way(unsigned from, unsigned to) { return ways[index[from] * width + index[to]]; }

  const Problem &problem;
  std::vector<int> latency; ///< by edge
  std::vector<std::vector<unsigned>> components;
  std::vector<int> componentOf;
  std::vector<size_t> index; ///< by node: its number in its component
  std::vector<int> ways;     ///< longest ways within a component
  size_t width = 0;
  std::vector<unsigned> cluster;
};

/// Strongly connected components: forwards and backwards from each node that is left.
void PlaceBound::findComponents() {
  size_t size = problem.nodes.size();
  std::vector<std::vector<unsigned>> next(size), before(size);
  for (const Edge &edge : problem.edges) {
    next[edge.from].push_back(edge.to);
    before[edge.to].push_back(edge.from);
  }
  auto reach = [&](unsigned start, const std::vector<std::vector<unsigned>> &edges) {
    std::vector<bool> seen(size, false);
    std::vector<unsigned> stack{start};
    seen[start] = true;
    while (!stack.empty()) {
      unsigned node = stack.back();
      stack.pop_back();
      for (unsigned other : edges[node])
        if (!seen[other] && componentOf[other] < 0) {
          seen[other] = true;
          stack.push_back(other);
        }
    }
    return seen;
  };
  componentOf.assign(size, -1);
  index.assign(size, 0);
  for (unsigned node = 0; node < size; ++node) {
    if (componentOf[node] >= 0)
      continue;
    std::vector<bool> after = reach(node, next), ahead = reach(node, before);
    std::vector<unsigned> members;
    for (unsigned other = node; other < size; ++other)
      if (after[other] && ahead[other]) {
        componentOf[other] = int(components.size());
        index[other] = members.size();
        members.push_back(other);
      }
    components.push_back(std::move(members));
  }
}

bool PlaceBound::isImpossible(const std::vector<unsigned> &component, unsigned ii) {
  width = component.size();
  if (width < 2 || width > MostNodes)
    return false;
  ways.assign(width * width, Far);
  for (unsigned node : component)
    way(node, node) = 0;
  for (size_t e = 0; e < problem.edges.size(); ++e) {
    const Edge &edge = problem.edges[e];
    if (componentOf[edge.from] == componentOf[component[0]] &&
        componentOf[edge.to] == componentOf[component[0]])
      way(edge.from, edge.to) =
          std::max(way(edge.from, edge.to), latency[e] - int(edge.distance * ii));
  }
  for (size_t via = 0; via < width; ++via)
    for (size_t from = 0; from < width; ++from)
      if (int first = ways[from * width + via]; first != Far)
        for (size_t to = 0; to < width; ++to)
          if (int second = ways[via * width + to]; second != Far)
            ways[from * width + to] = std::max(ways[from * width + to], first + second);
  for (unsigned root : component) {
    cluster.clear();
    for (unsigned node : component)
      if (isCompute(node) && way(root, node) + way(node, root) > -2)
        cluster.push_back(node);
    if (!fitsSlots(root, ii))
      return true;
  }
  return false;
}

/// Kuhn's matching of the cluster's operations with slots, the root in slot 0.
bool PlaceBound::fitsSlots(unsigned root, unsigned ii) {
  std::vector<int> owner(ii, -1);
  for (size_t member = 0; member < cluster.size(); ++member) {
    std::vector<bool> seen(ii, false);
    if (!augment(member, root, ii, owner, seen))
      return false;
  }
  return true;
}

bool PlaceBound::augment(size_t member, unsigned root, unsigned ii, std::vector<int> &owner,
                         std::vector<bool> &seen) {
  unsigned node = cluster[member];
  for (int time = way(root, node); time <= -way(node, root); ++time) {
    unsigned slot = unsigned((time % int(ii) + int(ii)) % int(ii));
    if (seen[slot])
      continue;
    seen[slot] = true;
    if (owner[slot] < 0 || augment(size_t(owner[slot]), root, ii, owner, seen)) {
      owner[slot] = int(member);
      return true;
    }
  }
  return false;
}

} // namespace

void boundPlaces(const Problem &problem, const Overlay &overlay, unsigned from, Bounds &bounds) {
  PlaceBound bound(problem, overlay);
  for (unsigned ii = from; ii <= overlay.contextSlots && bound.isImpossible(ii); ++ii) {
    bounds.placeMii = ii + 1;
    std::string names;
    const std::vector<unsigned> &cause = bound.cause();
    for (size_t i = 0; i < cause.size() && i < 6; ++i)
      names += (i ? ", " : "") + nameOf(problem, cause[i]);
    bounds.placeReason = std::to_string(cause.size()) +
                         " operations that cycles keep on one PE: " + names +
                         (cause.size() > 6 ? ", ..." : "");
  }
}

} // namespace acis::map
