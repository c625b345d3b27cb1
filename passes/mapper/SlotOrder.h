// What is known of the times of nodes on cycles at one II, when those that cycles keep on
// one PE have to take turns there.
//
// A way to another PE and back takes two links, so nodes with less than two cycles to spare
// on a closed way are on one PE; so are those that are on one PE with the same third node.
// Two of them that could share a slot exclude times between them, which takes cycles from
// others, and these may then be bound to the PE as well. Where a value forks and its branches
// join again, they cannot all begin or end in one cycle.
#pragma once

#include "passes/mapper/Problem.h"

namespace acis::map {

class SlotOrder {
public:
  /// `members`: a strongly connected component; `ii` is at least the RecMII. `work` is what
  /// may be spent, in matrix elements, and is counted down.
  SlotOrder(const Problem &problem, const Overlay &overlay, const std::vector<unsigned> &members,
            unsigned ii, long &work);

  /// Whether the nodes have no times at this II: proven. Else nothing is said.
  bool isImpossible();
  /// After isImpossible(): nodes that are on one PE and do not fit there; may be empty.
  const std::vector<unsigned> &cause() const { return crowd; }

private:
  static constexpr int Far = -(1 << 28);
  /// Least cycles from the time of one node to that of another, Far if unbounded.
  struct Ways {
    std::vector<int> all;    ///< over all edges
    std::vector<int> values; ///< over edges that take a cycle per link only
  };

  void addEdges(const Overlay &overlay);
  void close(std::vector<int> &way);
  bool tighten(size_t from, size_t to, int cycles);
  void raise(std::vector<int> &way, size_t from, size_t to, int cycles);
  bool takeTurns(size_t a, size_t b, bool &changed);
  bool propagate();
  void join();
  bool conflict(size_t a, size_t b) const;
  bool fitSlots();
  bool widenForks(bool &changed);
  bool meets(size_t fork, size_t joint, int cycles);
  bool fitsSlots(size_t root);
  bool fitsWindows();
  bool augment(size_t member, std::vector<int> &owner, std::vector<bool> &seen);
  bool isOperation(size_t at) const { return problem.nodes[members[at]].kind == NodeKind::Compute; }
  int least(size_t from, size_t to) const { return ways.all[from * width + to]; }

  const Problem &problem;
  const std::vector<unsigned> &members;
  unsigned ii;
  long &work;
  size_t width;
  Ways ways;
  std::vector<size_t> group; ///< by member: the first member that is on the same PE
  std::vector<unsigned> crowd;
  std::vector<size_t> forks, joints; ///< members with several consumers, producers in the component
  std::vector<size_t> cluster;       ///< what has to be in different slots
  std::vector<std::pair<int, int>> windows; ///< of the cluster: first and last cycle
};

} // namespace acis::map
