// The cheapest ways of one value through the grid, from or to every PE and cycle at once.
//
// A state is (PE, cycle, moving or held in a register). Every move takes one cycle, so
// one sweep over the cycles finds all cheapest ways, in either direction.
#pragma once

#include "passes/mapper/Occupancy.h"

namespace acis::map {

class Flood {
public:
  static constexpr int Never = 1 << 22; ///< a price that no way has
  static constexpr int LinkPrice = 2, WritePrice = 2, HoldPrice = 1;

  Flood(const Mrrg &mrrg, const Occupancy &occupancy)
      : mrrg(mrrg), occupancy(occupancy), inside(mrrg.numPes(), 0) {}

  /// From now on only PEs between `a` and `b`, with up to `detour` links more than the
  /// shortest way, take part.
  void between(unsigned a, unsigned b, unsigned detour);
  const std::vector<unsigned> &region() const { return active; }
  bool isInside(unsigned pe) const { return inside[pe]; }

  /// Forgets everything; the states of cycles first .. last follow.
  void reset(int first, int last);
  int first() const { return from; }
  int last() const { return to; }

  /// Forward: the value is there at no cost. `tag` is given back by tagOf().
  void start(unsigned pe, int time, bool held, unsigned tag);
  void sweepForward();
  /// The same for the way to one PE, where it is of use from cycle `useful` on and arriving
  /// costs at most arrival[time - useful] more: what cannot be on a cheapest one is left out.
  void sweepTowards(unsigned goal, int useful, const std::vector<int> &arrival);
  /// Backward: the value is wanted there, which costs `cost`.
  void want(unsigned pe, int time, int cost);
  void sweepBackward();

  /// Forward: price of the way there; backward: of the way on from there.
  int cost(unsigned pe, int time, bool held) const { return states[state(pe, time, held)] >> 8; }

  /// Forward: how a state was reached.
  struct Move {
    enum Kind : uint8_t { None, Start, Hold, Link } kind;
    bool wasHeld;
    unsigned inPort; ///< Link only
  };
  Move moveTo(unsigned pe, int time, bool held) const;
  unsigned tagOf(unsigned pe, int time, bool held) const { return tags[state(pe, time, held)]; }

  /// States looked at so far, for budgets.
  unsigned long work() const { return effort; }

private:
  size_t state(unsigned pe, int time, bool held) const {
    return (size_t(time - from) * 2 + held) * mrrg.numPes() + pe;
  }
  void moveOn(unsigned pe, int time, unsigned slot, unsigned next);

  const Mrrg &mrrg;
  const Occupancy &occupancy;
  int from = 0, to = 0;
  std::vector<unsigned> active; ///< PEs that take part
  std::vector<uint8_t> inside;  ///< by PE
  std::vector<int> states;      ///< price and, in the last eight bits, the last move
  std::vector<unsigned> tags;
  unsigned long effort = 0;
};

} // namespace acis::map
