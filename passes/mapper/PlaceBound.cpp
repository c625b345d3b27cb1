// A lower bound on the II from operations that cycles keep on one PE.
//
// SlotOrder says for one strongly connected component and one II whether they fit there.
#include "passes/mapper/PlaceBound.h"
#include "passes/mapper/SlotOrder.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {
namespace {

class PlaceBound {
public:
  PlaceBound(const Problem &problem, const Overlay &overlay)
      : problem(problem), overlay(overlay), components(componentsOf(problem)) {}

  /// Whether some operations that have to be on one PE do not fit into its slots.
  bool isImpossible(unsigned ii) {
    for (const std::vector<unsigned> &component : components) {
      if (component.size() < 2 || component.size() > MostNodes || work <= 0)
        continue;
      SlotOrder order(problem, overlay, component, ii, work);
      if (order.isImpossible()) {
        cluster = order.cause();
        return true;
      }
    }
    return false;
  }
  /// After isImpossible(): the operations.
  const std::vector<unsigned> &cause() const { return cluster; }

private:
  static constexpr size_t MostNodes = 200; ///< of a component; the work grows with its cube
  static constexpr long MostWork = 8'000'000;

  const Problem &problem;
  const Overlay &overlay;
  const std::vector<std::vector<unsigned>> components;
  long work = MostWork; ///< left for all components and IIs
  std::vector<unsigned> cluster;
};

} // namespace

// Forwards and backwards from each node that is left.
std::vector<std::vector<unsigned>> componentsOf(const Problem &problem) {
  size_t size = problem.nodes.size();
  std::vector<std::vector<unsigned>> next(size), before(size), components;
  for (const Edge &edge : problem.edges) {
    next[edge.from].push_back(edge.to);
    before[edge.to].push_back(edge.from);
  }
  std::vector<bool> found(size, false);
  auto reach = [&](unsigned start, const std::vector<std::vector<unsigned>> &edges) {
    std::vector<bool> seen(size, false);
    std::vector<unsigned> stack{start};
    seen[start] = true;
    while (!stack.empty()) {
      unsigned node = stack.back();
      stack.pop_back();
      for (unsigned other : edges[node])
        if (!seen[other] && !found[other]) {
          seen[other] = true;
          stack.push_back(other);
        }
    }
    return seen;
  };
  for (unsigned node = 0; node < size; ++node) {
    if (found[node])
      continue;
    std::vector<bool> after = reach(node, next), ahead = reach(node, before);
    std::vector<unsigned> members;
    for (unsigned other = node; other < size; ++other)
      if (after[other] && ahead[other]) {
        found[other] = true;
        members.push_back(other);
      }
    components.push_back(std::move(members));
  }
  return components;
}

void boundPlaces(const Problem &problem, const Overlay &overlay, unsigned from, Bounds &bounds) {
  PlaceBound bound(problem, overlay);
  for (unsigned ii = from; ii <= overlay.contextSlots && bound.isImpossible(ii); ++ii) {
    bounds.placeMii = ii + 1;
    std::string names;
    const std::vector<unsigned> &cause = bound.cause();
    for (size_t i = 0; i < cause.size() && i < 6; ++i)
      names += (i ? ", " : "") + nameOf(problem, cause[i]);
    bounds.placeNode = cause.empty() ? std::nullopt : std::optional(cause.front());
    bounds.placeReason = std::to_string(cause.size()) +
                         " operations that cycles keep on one PE: " + names +
                         (cause.size() > 6 ? ", ..." : "");
  }
}

} // namespace acis::map
