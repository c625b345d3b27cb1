// Priorities and placement orders.
#include "passes/mapper/Order.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

std::vector<unsigned> heights(const Problem &problem, const Overlay &overlay) {
  std::vector<unsigned> height(problem.nodes.size(), 0);
  bool changed = true;
  for (size_t round = 0; changed && round <= problem.nodes.size(); ++round) {
    changed = false;
    for (const Edge &edge : problem.edges) {
      if (edge.distance != 0)
        continue;
      unsigned cycles = edge.order ? edge.latency : latencyOf(problem.nodes[edge.from], overlay);
      if (height[edge.to] + cycles > height[edge.from]) {
        height[edge.from] = height[edge.to] + cycles;
        changed = true;
      }
    }
  }
  return height;
}

/// Highest priority first, then by number.
static void sortByPriority(std::vector<unsigned> &nodes, const std::vector<unsigned> &priority) {
  std::sort(nodes.begin(), nodes.end(), [&](unsigned a, unsigned b) {
    return priority[a] != priority[b] ? priority[a] > priority[b] : a < b;
  });
}

namespace {

/// Walks the graph so that a node's operands are placed together with it: on a grid
/// with few links that keeps the ends of every edge close.
class NeighbourOrder {
public:
  NeighbourOrder(const Problem &problem, const std::vector<unsigned> &priority)
      : priority(priority), before(problem.nodes.size()), after(problem.nodes.size()),
        seen(problem.nodes.size(), false) {
    for (const Edge &edge : problem.edges) {
      before[edge.to].push_back(edge.from);
      after[edge.from].push_back(edge.to);
    }
    for (unsigned node = 0; node < seen.size(); ++node) {
      sort(before[node]);
      sort(after[node]);
    }
  }

  std::vector<unsigned> run() {
    std::vector<unsigned> roots(seen.size());
    for (unsigned node = 0; node < roots.size(); ++node)
      roots[node] = node;
    sort(roots);
    std::vector<unsigned> stack; // explicit: a chain may be long
    for (unsigned root : roots) {
      stack.push_back(root);
      while (!stack.empty()) {
        unsigned node = stack.back();
        stack.pop_back();
        if (!seen[node])
          visit(node, stack);
      }
    }
    return order;
  }

private:
  void sort(std::vector<unsigned> &nodes) const { sortByPriority(nodes, priority); }

  /// The node, everything it needs, then (later) what uses any of these.
  void visit(unsigned node, std::vector<unsigned> &stack) {
    size_t first = order.size();
    seen[node] = true;
    order.push_back(node);
    for (size_t at = first; at < order.size(); ++at)
      for (unsigned operand : before[order[at]])
        if (!seen[operand]) {
          seen[operand] = true;
          order.push_back(operand);
        }
    for (size_t at = order.size(); at-- > first;)
      for (size_t use = after[order[at]].size(); use-- > 0;)
        if (!seen[after[order[at]][use]])
          stack.push_back(after[order[at]][use]);
  }

  const std::vector<unsigned> &priority;
  std::vector<std::vector<unsigned>> before, after;
  std::vector<bool> seen;
  std::vector<unsigned> order;
};

} // namespace

std::vector<unsigned> placementOrder(const Problem &problem, const Overlay &overlay, OrderKind kind,
                                     unsigned jitter, Random &random) {
  std::vector<unsigned> priority = heights(problem, overlay);
  if (jitter != 0)
    for (unsigned &p : priority)
      p += random.below(jitter + 1);
  if (kind == OrderKind::Neighbours)
    return NeighbourOrder(problem, priority).run();
  std::vector<unsigned> order(problem.nodes.size());
  for (unsigned node = 0; node < order.size(); ++node)
    order[node] = node;
  sortByPriority(order, priority);
  return order;
}

} // namespace acis::map
