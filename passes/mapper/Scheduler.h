// One attempt at one II: iterative modulo scheduling with routing.
//
// Nodes are placed in a given order. A node is tried on every PE and cycle of its
// window, the cheapest first; a place counts only if all edges to placed neighbours
// get a route. If none is left the node is forced into one, and what stands in its
// way is taken out and comes again later.
#pragma once

#include "passes/mapper/Order.h"
#include "passes/mapper/Routes.h"

namespace acis::map {

class Scheduler {
public:
  Scheduler(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg,
            std::vector<unsigned> order, unsigned jitter, Random &random);

  /// Places and routes everything; `budget` bounds the number of placements.
  bool run(unsigned budget);
  /// After a failure: the node that was hardest to place.
  unsigned hardest() const;
  Mapping result() const;

private:
  static constexpr int None = 1 << 28;
  struct Candidate {
    Spot spot;
    int cost;
    unsigned number; ///< breaks ties
  };

  struct Cells {
    unsigned cell[2] = {0, 0};
    unsigned count = 0;
  };

  int weightOf(const Edge &edge) const;
  unsigned hopsOf(const Edge &edge, unsigned fromPe, unsigned toPe) const;
  bool peKnown(unsigned node, unsigned &pe) const;
  bool windows();
  bool spread(bool forward);
  void candidatesOf(unsigned node);
  void candidatesOn(unsigned node, unsigned pe);
  void addTimes(unsigned node, unsigned pe, int first, int last, int cost);
  bool cellsOf(unsigned node, const Spot &spot, Cells &cells) const;
  bool isFree(unsigned node, const Spot &spot) const;
  void takeCells(unsigned node);
  bool tryPlace(unsigned node, Spot spot);
  bool force(unsigned node);
  void evict(unsigned node);
  void prefer();

  const Problem &problem;
  const Overlay &overlay;
  const Mrrg &mrrg;
  Routes routes;
  Random &random;
  std::vector<unsigned> order;
  unsigned jitter;
  std::vector<std::vector<unsigned>> edgesOf; ///< by node, each edge once
  std::vector<Spot> spots;
  std::vector<bool> placed;
  std::vector<int> lower, upper; ///< windows; -None, None: open
  std::vector<int> lastTime;     ///< of the last forced placement
  std::vector<unsigned> failures;
  std::vector<int> pePrice; ///< by unit class and PE: what else needs the PE
  std::vector<Candidate> candidates;
};

} // namespace acis::map
