// The state of a schedule under construction: which cells of the MRRG are taken and
// the routes of every value. A value's routes form a tree (a forest for a stream
// beat, which appears at every PE), so edges of one value share their common way.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mrrg/Mrrg.h"

#include <cstdint>
#include <vector>

namespace acis::map {

/// Where a node is, while the schedule may still move: times may be negative.
struct Spot {
  unsigned pe = 0;
  int time = 0;
  unsigned port = 0;
};

/// Which operand input of its PE an edge ends in.
Input inputOf(const Node &node, unsigned operand, unsigned port);

class Routes {
public:
  Routes(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg);

  // Cells of nodes (functional units, ports). Cells of routes are taken by connect().
  static constexpr int Free = -1;
  int owner(unsigned cell) const { return nodeOwner[cell]; }
  void take(unsigned cell, unsigned node) { nodeOwner[cell] = int(node); }
  void release(unsigned cell) { nodeOwner[cell] = Free; }

  /// Finds the cheapest route of the edge between two placed nodes and takes its
  /// cells. With `force`, cells that other edges use can be taken at a high price;
  /// these edges lose their routes and are appended to `victims`.
  bool connect(unsigned edge, const Spot &from, const Spot &to, bool force,
               std::vector<unsigned> &victims);
  void disconnect(unsigned edge);
  bool connected(unsigned edge) const { return ends[edge].point >= 0; }

  /// States that all searches so far have looked at.
  unsigned long effortSpent() const { return effort; }

  /// The route of a connected edge as a Mapping holds it; times moved by `shift`.
  std::vector<Step> stepsOf(unsigned edge, int shift) const;
  unsigned delayOf(unsigned edge) const { return ends[edge].delay; }

private:
  /// A point of a value's tree: the value is at this place in this cycle.
  struct Point {
    unsigned pe;
    int time;
    Step::Place place;
    unsigned index;
    int parent;          ///< the point one cycle earlier, or -1 on the bus
    int cell, writeCell; ///< taken by this point, or -1
    unsigned refs;       ///< edges whose route leads through here
    unsigned value;      ///< producing node
  };
  struct End {
    int point = -1;
    unsigned cell = 0; ///< the operand input's
    uint8_t delay = 0;
  };
  /// A state of the search, (pe, time): how it was reached.
  struct Reached {
    unsigned epoch = 0;
    unsigned cost = 0;
    int from = -1;  ///< state before, or -1: a point of the tree
    int point = -1; ///< that point
    Step::Place place = Step::Place::Bus;
    unsigned index = 0;
    unsigned link = 0;
    bool closed = false;
  };
  struct Search;

  unsigned sourceCode(const Point &point) const;
  unsigned sourceCode(unsigned value, Step::Place place, unsigned index) const;
  unsigned priceOf(unsigned cell, bool force) const;
  void relax(Search &search, unsigned pe, int time, unsigned cost, Reached how);
  void start(Search &search);
  void expand(Search &search, unsigned state);
  bool expandHold(Search &search, unsigned state, unsigned reg, bool continued);
  bool reachesGoal(const Search &search, unsigned state, unsigned &price) const;
  bool commit(Search &search, unsigned state, std::vector<unsigned> &victims);
  int addPoint(const Point &point);
  void dropPoint(int id);
  void evictCell(unsigned cell, std::vector<unsigned> &victims);
  void evictInput(unsigned cell, std::vector<unsigned> &victims);

  const Problem &problem;
  const Overlay &overlay;
  const Mrrg &mrrg;
  std::vector<int> nodeOwner;   ///< by cell
  std::vector<int> pointOwner;  ///< by cell
  std::vector<uint8_t> sampled; ///< by cell of an operand input: source code, 0 free
  std::vector<uint16_t> samplers;
  std::vector<Point> points;
  std::vector<int> freePoints;
  std::vector<std::vector<int>> trees; ///< by node: its points
  std::vector<End> ends;               ///< by edge
  std::vector<unsigned> ports;         ///< by node: VRF read port of its value
  std::vector<Reached> reached;
  unsigned epoch = 0;
  unsigned long effort = 0;
};

} // namespace acis::map
