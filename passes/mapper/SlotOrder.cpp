// See SlotOrder.h.
#include "passes/mapper/SlotOrder.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

SlotOrder::SlotOrder(const Problem &problem, const Overlay &overlay,
                     const std::vector<unsigned> &members, unsigned ii, long &work)
    : problem(problem), members(members), ii(ii), work(work), width(members.size()),
      group(members.size()) {
  for (size_t at = 0; at < width; ++at)
    group[at] = at;
  addEdges(overlay);
  close(ways.all);
  close(ways.values);
}

void SlotOrder::addEdges(const Overlay &overlay) {
  ways.all.assign(width * width, Far);
  ways.values.assign(width * width, Far);
  for (size_t at = 0; at < width; ++at)
    ways.all[at * width + at] = ways.values[at * width + at] = 0;
  std::vector<int> index(problem.nodes.size(), -1);
  std::vector<unsigned> leaving(width, 0), arriving(width, 0);
  for (size_t at = 0; at < width; ++at)
    index[members[at]] = int(at);
  for (const Edge &edge : problem.edges) {
    if (index[edge.from] < 0 || index[edge.to] < 0)
      continue;
    const Node &from = problem.nodes[edge.from];
    int cycles = int(cyclesOf(problem, edge, overlay)) - int(edge.distance * ii);
    size_t cell = size_t(index[edge.from]) * width + size_t(index[edge.to]);
    ways.all[cell] = std::max(ways.all[cell], cycles);
    if (edge.order || from.kind == NodeKind::StreamIn)
      continue;
    if (ways.values[cell] == Far) {
      ++leaving[size_t(index[edge.from])];
      ++arriving[size_t(index[edge.to])];
    }
    ways.values[cell] = std::max(ways.values[cell], cycles);
  }
  for (size_t at = 0; at < width; ++at) {
    if (leaving[at] > 1)
      forks.push_back(at);
    if (arriving[at] > 1 && isOperation(at))
      joints.push_back(at);
  }
}

/// Longest ways from the longest edges.
void SlotOrder::close(std::vector<int> &way) {
  for (size_t via = 0; via < width; ++via)
    for (size_t from = 0; from < width; ++from)
      if (int first = way[from * width + via]; first != Far)
        for (size_t to = 0; to < width; ++to)
          if (int second = way[via * width + to]; second != Far)
            way[from * width + to] = std::max(way[from * width + to], first + second);
  work -= long(width * width * width) / 4;
}

void SlotOrder::raise(std::vector<int> &way, size_t from, size_t to, int cycles) {
  const int *after = &way[to * width];
  for (size_t before = 0; before < width; ++before) {
    int first = way[before * width + from];
    if (first == Far)
      continue;
    int *row = &way[before * width];
    for (size_t at = 0; at < width; ++at) // Far plus a little never beats what is known
      row[at] = std::max(row[at], after[at] <= Far / 2 ? Far : first + cycles + after[at]);
  }
  work -= long(width * width);
}

/// `to` is at least `cycles` after `from`; false if that cannot be. Where both are on one PE
/// it is part of ways that take another link for each change of the PE.
bool SlotOrder::tighten(size_t from, size_t to, int cycles) {
  if (cycles + least(to, from) > 0)
    return false;
  raise(ways.all, from, to, cycles);
  if (group[from] == group[to])
    raise(ways.values, from, to, cycles);
  return true;
}

/// Joins what is on one PE: being apart would take a link each way.
void SlotOrder::join() {
  for (size_t a = 0; a < width; ++a)
    for (size_t b = a + 1; b < width; ++b) {
      if (group[a] == group[b])
        continue;
      int there = ways.values[a * width + b], back = ways.values[b * width + a];
      bool together = there + back > -2 || there + least(b, a) > -1 || least(a, b) + back > -1;
      if (!together || problem.nodes[members[a]].kind == NodeKind::StreamIn ||
          problem.nodes[members[b]].kind == NodeKind::StreamIn)
        continue;
      size_t keep = std::min(group[a], group[b]), gone = std::max(group[a], group[b]);
      for (size_t &of : group)
        if (of == gone)
          of = keep;
    }
  work -= long(width * width) / 2;
}

/// Whether the two cannot be in one slot.
bool SlotOrder::conflict(size_t a, size_t b) const {
  NodeKind kind = problem.nodes[members[a]].kind;
  if (kind != problem.nodes[members[b]].kind)
    return false;
  if (kind == NodeKind::StreamIn || kind == NodeKind::StreamOut)
    return true;
  return (kind == NodeKind::Compute || kind == NodeKind::VrfWrite) && group[a] == group[b];
}

/// Cuts whole periods off both ends of the times between two that conflict.
bool SlotOrder::takeTurns(size_t a, size_t b, bool &changed) {
  for (auto [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    int cycles = least(from, to);
    if (cycles <= Far / 2 || cycles % int(ii) != 0)
      continue;
    if (!tighten(from, to, cycles + 1))
      return false;
    changed = true;
  }
  return true;
}

/// Two operations that take a value in the cycle in which it comes and that meet again would be
/// on its PE in one slot; on another PE they would come later. The way from where a value forks to
/// where its branches join is therefore longer than either branch.
bool SlotOrder::widenForks(bool &changed) {
  for (size_t fork : forks)
    for (size_t joint : joints)
      while (fork != joint && ways.values[fork * width + joint] > Far / 2 && work > 0 &&
             !meets(fork, joint, least(fork, joint))) {
        changed = true;
        if (tighten(fork, joint, least(fork, joint) + 1))
          continue;
        for (size_t at : cluster)
          crowd.push_back(members[at]);
        return false;
      }
  return true;
}

/// Whether what is between the two may be done in so many cycles, as far as is known.
bool SlotOrder::meets(size_t fork, size_t joint, int cycles) {
  const std::vector<int> &values = ways.values;
  work -= long(width) + long(forks.size());
  cluster = {fork, joint};
  if (group[fork] != group[joint] && values[fork * width + joint] < cycles)
    return true; // on two PEs
  windows = {{0, 0}, {cycles, cycles}};
  if (!isOperation(fork)) {
    cluster.erase(cluster.begin());
    windows.erase(windows.begin());
  }
  for (size_t at = 0; at < width; ++at) {
    int there = values[fork * width + at], back = values[at * width + joint];
    if (at == fork || at == joint || !isOperation(at) || there <= Far / 2 || back <= Far / 2 ||
        there + back + 2 <= cycles)
      continue;
    cluster.push_back(at);
    windows.push_back({least(fork, at), cycles - least(at, joint)});
  }
  return fitsWindows();
}

bool SlotOrder::propagate() {
  for (bool changed = true; changed && work > 0;) {
    changed = false;
    join();
    if (!widenForks(changed))
      return false;
    for (size_t a = 0; a < width; ++a)
      for (size_t b = a + 1; b < width; ++b)
        if (conflict(a, b) && !takeTurns(a, b, changed))
          return false;
  }
  return true;
}

/// Every group in the slots of one PE, seen from each of its members.
bool SlotOrder::fitSlots() {
  for (size_t root = 0; root < width; ++root) {
    cluster.clear();
    for (size_t at = 0; at < width; ++at)
      if (group[at] == group[root] && problem.nodes[members[at]].kind == NodeKind::Compute)
        cluster.push_back(at);
    if (cluster.size() > 1 && !fitsSlots(root))
      return false;
  }
  return true;
}

/// The cluster's operations in different slots, the root in slot 0.
bool SlotOrder::fitsSlots(size_t root) {
  windows.clear();
  for (size_t node : cluster)
    windows.push_back({least(root, node), -least(node, root)});
  return fitsWindows();
}

/// Kuhn's matching of windows, in cycles, with different slots.
bool SlotOrder::fitsWindows() {
  std::vector<int> owner(ii, -1);
  for (size_t member = 0; member < windows.size(); ++member) {
    std::vector<bool> seen(ii, false);
    if (!augment(member, owner, seen))
      return false;
  }
  return true;
}

bool SlotOrder::augment(size_t member, std::vector<int> &owner, std::vector<bool> &seen) {
  auto [first, end] = windows[member];
  int last = std::min(end, first + int(ii) - 1);
  for (int time = first; time <= last; ++time) {
    unsigned slot = unsigned((time % int(ii) + int(ii)) % int(ii));
    if (seen[slot])
      continue;
    seen[slot] = true;
    if (owner[slot] < 0 || augment(size_t(owner[slot]), owner, seen)) {
      owner[slot] = int(member);
      return true;
    }
  }
  return false;
}

bool SlotOrder::isImpossible() {
  bool possible = propagate() && fitSlots();
  if (possible)
    return false;
  if (!crowd.empty())
    return true;
  // The largest group: the one that has to take turns.
  std::vector<size_t> size(width, 0);
  for (size_t at = 0; at < width; ++at)
    size[group[at]] += problem.nodes[members[at]].kind == NodeKind::Compute;
  size_t largest = size_t(std::max_element(size.begin(), size.end()) - size.begin());
  for (size_t at = 0; at < width; ++at)
    if (group[at] == largest && problem.nodes[members[at]].kind == NodeKind::Compute)
      crowd.push_back(members[at]);
  return true;
}

} // namespace acis::map
