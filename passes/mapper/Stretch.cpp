// Room in time for a node between what is placed before it and after it.
//
// Cells repeat every II cycles. All that follows the node can therefore move later by a multiple
// of II without a change of its cells; only values that cross from what stays to what moves wait
// for longer. Node by node the same takes a placement for each of them, and they have to be lucky.
#include "passes/mapper/Negotiation.h"

#include <algorithm>

namespace acis::map {

/// The placed nodes that have to move later by `shift` for the node to be at its earliest time;
/// none if that moves the node itself, or if it is not enough.
std::vector<unsigned> Negotiation::followersOf(unsigned node, int shift) {
  std::vector<unsigned> moved;
  std::vector<int> earliest(placed.size(), -Open);
  earliest[node] = lower[node];
  queue.assign(1, node);
  for (size_t head = 0; head < queue.size(); ++head) {
    const unsigned at = queue[head];
    bounding += after[at].size() / 2;
    for (const Bound &bound : after[at]) {
      const unsigned next = bound.node;
      const int reach = earliest[at] + bound.cycles;
      if (reach <= (placed[next] ? std::max(earliest[next], spots[next].time) : earliest[next]))
        continue;
      if (next == node || (placed[next] && reach > spots[next].time + shift))
        return {};
      earliest[next] = placed[next] ? spots[next].time + shift : reach;
      if (placed[next])
        moved.push_back(next);
      queue.push_back(next);
      if (queue.size() > 8 * placed.size()) // a cycle of nodes without places
        return {};
    }
  }
  return moved;
}

/// Keeps the edge's way, `shift` cycles later.
void Negotiation::delayRoute(unsigned e, int shift) {
  std::vector<Hop> hops = routes[e].hops;
  if (hops.empty())
    return;
  disconnect(e);
  for (Hop &hop : hops)
    hop.time += shift;
  take(e, std::move(hops));
}

/// Makes room for a node that has to be later than it may be. Whether that changed a time.
bool Negotiation::makeRoom(unsigned node) {
  const int gap = lower[node] - upper[node], ii = int(mrrg.ii());
  if (lower[node] == -Open || upper[node] == Open || gap <= 0)
    return false;
  const int shift = (gap + ii - 1) / ii * ii;
  const std::vector<unsigned> moved = followersOf(node, shift);
  if (moved.empty())
    return false;
  std::vector<uint8_t> moves(placed.size(), 0);
  for (unsigned follower : moved)
    moves[follower] = 1;
  std::vector<unsigned> inside, across;
  for (unsigned follower : moved)
    for (unsigned e : edgesOf[follower]) {
      const Edge &edge = problem.edges[e];
      const bool both = moves[edge.from] != 0 && moves[edge.to] != 0;
      if (!placed[edge.from] || !placed[edge.to] || (both && edge.from != follower))
        continue; // of two that move, the producer counts the edge
      (both ? inside : across).push_back(e);
    }
  for (unsigned e : across)
    disconnect(e);
  for (unsigned follower : moved)
    spots[follower].time += shift;
  for (unsigned e : inside)
    delayRoute(e, shift);
  for (unsigned e : across)
    connect(e);
  return true;
}

} // namespace acis::map
