// One attempt at one II: placement and routing with negotiated congestion.
//
// Every node gets a PE and a time at once, the most constrained first, even where it has
// to share a cell or comes too late for a neighbour. Then nodes that take part in a
// conflict are taken out, one by one, and put where they cost least: the price of a spot
// is that of the cheapest routes to and from all neighbours, and cells that were fought
// for stay dearer. It ends when no cell is shared and nothing is late.
#pragma once

#include "passes/mapper/Flood.h"
#include "passes/mapper/Problem.h"
#include "passes/mapper/Random.h"
#include "passes/mapper/Spot.h"

#include <functional>

namespace acis::map {

class Negotiation {
public:
  /// Later attempts have prices that are disturbed more, and other orders. `allOrders`: also
  /// orders over so many iterations that nearly any schedule keeps them; without, a result has
  /// to be verified.
  Negotiation(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg, unsigned attempt,
              uint64_t seed, bool allOrders);

  /// True when every node and edge has what it needs; `budget` bounds the work, in
  /// states of the routing floods, and `effort` in placements for each node. Gives up when
  /// `stop` says so.
  bool run(unsigned long budget, unsigned effort, const std::function<bool()> &stop);
  /// After a failure: a node that takes part in a conflict.
  unsigned hardest() const;
  /// Whether there are orders that it left out, which a result may break.
  bool leavesOrders() const { return leaves; }
  Mapping result() const;
  /// After run(): what it took, in states of the floods and of the bounds.
  unsigned long work() const { return flood.work() + bounding; }

private:
  static constexpr int Open = 1 << 28; ///< no bound on a time

  /// A step of a route with the cells that it takes, -1 for none.
  struct Hop {
    Step::Place place;
    unsigned pe, index;
    int time;
    int cell, writeCell;
  };
  struct Route {
    std::vector<Hop> hops; ///< empty: not routed
    int inputCell = -1;
    uint64_t inputKey = 0;
    int late = -1; ///< place in lateEdges, or -1
  };
  struct Window {
    int first, last;
  };
  /// Cells of a node: two, and those of a unit that 64 lanes share at most.
  class Cells {
  public:
    void add(unsigned cell) { cells[count++] = cell; }
    const unsigned *begin() const { return cells; }
    const unsigned *end() const { return cells + count; }

  private:
    unsigned cells[2 + 64], count = 0;
  };

  // Order and eviction (Negotiation.cpp)
  void findCycles();
  void findMobility();
  void boundAll();
  void spread(std::vector<int> &bounds, bool forward);
  void spreadFrom(unsigned node);
  unsigned mostConstrained() const;
  void place(unsigned node, const Spot &spot);
  void remove(unsigned node);
  void evict(unsigned node);
  void shake();
  void clear(unsigned cell, unsigned keeper);
  bool isClean(unsigned edge) const;
  bool usesCell(unsigned edge, unsigned cell, uint64_t &key) const;
  // Room in time (Stretch.cpp)
  std::vector<unsigned> followersOf(unsigned node, int shift);
  void delayRoute(unsigned edge, int shift);
  bool makeRoom(unsigned node);
  // Places (Places.cpp)
  void prefer();
  Window windowOf(unsigned node);
  Spot cheapest(unsigned node);
  unsigned centreOf(unsigned node) const;
  void findCandidates(unsigned node);
  void addOwnPrices(unsigned node);
  void addProducer(unsigned node, unsigned edge);
  void addConsumer(unsigned node, unsigned edge);
  void addOrder(unsigned node, unsigned edge);
  Cells cellsOf(unsigned node, const Spot &spot) const;
  int ownPrice(unsigned node, const Spot &spot) const;
  int latePrice(unsigned edge, int cycles) const;
  unsigned portOf(unsigned node, unsigned pe, int time) const;
  // Routes (EdgeRoutes.cpp)
  void startFlood(unsigned edge, int last);
  void connect(unsigned edge);
  void disconnect(unsigned edge);
  std::vector<Hop> cheapestWay(unsigned edge, unsigned pe, Input input, int first);
  bool findCrossings(unsigned value, const std::vector<Hop> &hops, std::vector<unsigned> &crossed);
  std::vector<Hop> trace(unsigned edge, unsigned pe, int time, bool held);
  void take(unsigned edge, std::vector<Hop> hops);
  void chooseRegisters(unsigned value, std::vector<Hop> &hops, size_t first);
  void chooseRegister(unsigned value, std::vector<Hop> &hops, size_t begin, size_t end,
                      bool continues);
  uint64_t sourceKey(unsigned edge, unsigned pe, int time, bool held) const;
  uint64_t busKey(unsigned value) const;
  static uint64_t keyOf(unsigned value, int time) {
    return uint64_t(value + 1) << 32 | uint32_t(time + Open);
  }
  static uint64_t writeKeyOf(unsigned value, int time, unsigned reg) {
    return keyOf(value, time) ^ uint64_t(reg) << 58;
  }
  void setLate(unsigned edge, bool late);

  int birthOf(unsigned node) const { return spots[node].time + latency[node]; }
  /// Cycles from the time of the edge's consumer to when it takes the value of the producer's
  /// iteration 0.
  int laterOf(const Edge &edge) const;
  int deathOf(const Edge &edge) const { return spots[edge.to].time + laterOf(edge); }
  /// The last cycle in which an arrival for a use between `low` and `high` helps.
  int horizon(int birth, int high) const;

  const Problem &problem;
  const Overlay &overlay;
  const Mrrg &mrrg;
  Random random;
  unsigned noise; ///< prices are disturbed by up to so much
  int coarseness;
  Occupancy occupancy;
  Flood flood;
  int delay;                ///< longest delay of an operand
  int diameter;             ///< most links on a shortest way
  std::vector<int> latency; ///< by node: cycles to its value
  /// By edge: least cycles between the times of its nodes; negative if iterations apart.
  std::vector<int> minCycles;
  bool leaves = false;
  /// By node: what has to be so many cycles later, or earlier (negative cycles).
  struct Bound {
    unsigned node;
    int cycles;
  };
  std::vector<std::vector<Bound>> after, before;
  std::vector<std::vector<unsigned>> edgesOf; ///< by node, each edge once
  std::vector<std::vector<unsigned>> usesOf;  ///< by node: value edges that leave it
  std::vector<Spot> spots;
  std::vector<bool> placed;
  unsigned left;                           ///< nodes without a place
  unsigned fewest;                         ///< least of `left` since the last shake()
  unsigned stalled = 0;                    ///< placements since then
  std::vector<unsigned> evictions, recent; ///< by node: in all, and since the last shake()
  std::vector<int> nodeLate;               ///< by node: price of a time out of its bounds
  std::vector<Route> routes;
  std::vector<unsigned> lateEdges;
  std::vector<int> lateHistory;
  std::vector<int> lower, upper; ///< bounds from the placed nodes
  unsigned long bounding = 0;    ///< nodes and edges that spread() has seen
  bool bounded = false;          ///< they hold: only places were added since boundAll()
  std::vector<unsigned> queue;   ///< scratch of spread()
  std::vector<uint8_t> visits, waiting;
  std::vector<int> cycleSlack; ///< cycles to spare on the tightest cycle, or Open
  std::vector<int> mobility;   ///< cycles between earliest and latest time
  std::vector<unsigned> height;
  std::vector<int> pePrice; ///< by unit class and PE: what else needs the PE
  Window window{0, 0};
  unsigned centre = 0, radius = 0; ///< spots are looked for on PEs in this distance
  int travel = 0;                  ///< links that a route has at most without detours
  bool latest = false;             ///< the node has consumers only: late in its window is good
  std::vector<std::pair<int, int>> slide; ///< scratch of addProducer()
  /// A point of another route of the value, where a new one may begin: what the flood's tags are.
  struct Branch {
    unsigned edge, hop;
  };
  std::vector<Branch> branches;     ///< of the present flood
  std::vector<int> arrival;         ///< scratch of connect()
  std::vector<unsigned> candidates; ///< PEs where the node could be
  std::vector<int> scores;          ///< of the spots of a node: [time - window.first][pe]
};

} // namespace acis::map
