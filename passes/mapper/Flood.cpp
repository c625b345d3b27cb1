// See Flood.h.
#include "passes/mapper/Flood.h"

#include <algorithm>

namespace acis::map {

// A price with a move in one byte: kind * 32 + in-link * 2 + whether the value was held. The
// cheaper of two states is then the smaller number.
static int coded(int price, Flood::Move::Kind kind, bool wasHeld, unsigned inPort = 0) {
  return price << 8 | int(kind * 32 + inPort * 2 + wasHeld);
}

static constexpr int NeverState = Flood::Never << 8;

void Flood::between(unsigned a, unsigned b, unsigned detour) {
  if (detour >= Mrrg::Unreachable && active.size() == mrrg.numPes())
    return;
  active.clear();
  unsigned most = mrrg.hops(a, b) + detour;
  for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
    inside[pe] = mrrg.hops(a, pe) + mrrg.hops(pe, b) <= most;
    if (inside[pe])
      active.push_back(pe);
  }
}

void Flood::reset(int first, int last) {
  from = first;
  to = last;
  size_t count = size_t(last - first + 1) * 2 * mrrg.numPes();
  states.assign(count, NeverState);
  if (tags.size() < count)
    tags.resize(count);
}

void Flood::start(unsigned pe, int time, bool held, unsigned tag) {
  size_t at = state(pe, time, held);
  states[at] = coded(0, Move::Start, false);
  tags[at] = tag;
}

void Flood::want(unsigned pe, int time, int cost) {
  for (bool held : {false, true}) {
    int &at = states[state(pe, time, held)];
    at = std::min(at, cost << 8);
  }
}

Flood::Move Flood::moveTo(unsigned pe, int time, bool held) const {
  unsigned code = unsigned(states[state(pe, time, held)]) & 255;
  return {Move::Kind(code / 32), code % 2 != 0, code / 2u % 16};
}

/// All moves out of the states of one PE and cycle.
void Flood::moveOn(unsigned pe, int time, unsigned slot, unsigned next) {
  const int *here = &states[state(0, time, false)];
  int *moved = &states[state(0, time + 1, false)];
  unsigned pes = mrrg.numPes();
  int moving = here[pe] >> 8, held = here[pes + pe] >> 8;
  bool wasHeld = held < moving;
  int best = std::min(held, moving) + LinkPrice;
  for (const Mrrg::OutLink &link : mrrg.outLinks(pe))
    if (inside[link.to])
      moved[link.to] =
          std::min(moved[link.to], coded(best + occupancy.price(mrrg.link(link.id, slot)),
                                         Move::Link, wasHeld, link.inPort));
  int hold = HoldPrice + occupancy.registerPrice(pe, next);
  int &kept = moved[pes + pe];
  kept = std::min(kept, coded(held + hold, Move::Hold, true));
  kept = std::min(kept, coded(moving + hold + WritePrice + occupancy.price(mrrg.regWrite(pe, slot)),
                              Move::Hold, false));
}

void Flood::sweepForward() {
  effort += size_t(to - from + 1) * 2 * active.size();
  for (int time = from; time < to; ++time) {
    unsigned slot = mrrg.slotOf(time), next = slot + 1 == mrrg.ii() ? 0 : slot + 1;
    for (unsigned pe : active)
      if (std::min(cost(pe, time, false), cost(pe, time, true)) < Never)
        moveOn(pe, time, slot, next);
  }
}

void Flood::sweepTowards(unsigned goal, int useful, const std::vector<int> &arrival) {
  int least = Never; // price of the best way so far
  for (int time = from; time <= to; ++time) {
    unsigned slot = mrrg.slotOf(time), next = slot + 1 == mrrg.ii() ? 0 : slot + 1;
    effort += active.size() / 4 + 1;
    if (time >= useful)
      least = std::min(least, std::min(cost(goal, time, false), cost(goal, time, true)) +
                                  arrival[size_t(time - useful)]);
    if (time == to)
      return;
    for (unsigned pe : active) {
      int price = std::min(cost(pe, time, false), cost(pe, time, true));
      if (price >= Never || price + LinkPrice * int(mrrg.hops(pe, goal)) >= least)
        continue;
      moveOn(pe, time, slot, next);
      effort += 2;
    }
  }
}

void Flood::sweepBackward() {
  effort += size_t(to - from + 1) * 2 * active.size();
  for (int time = to - 1; time >= from; --time) {
    unsigned slot = mrrg.slotOf(time), next = slot + 1 == mrrg.ii() ? 0 : slot + 1;
    for (unsigned pe : active) {
      int best = Never;
      for (const Mrrg::OutLink &link : mrrg.outLinks(pe)) {
        int rest = cost(link.to, time + 1, false);
        if (rest < Never)
          best = std::min(best, rest + LinkPrice + occupancy.price(mrrg.link(link.id, slot)));
      }
      int rest = cost(pe, time + 1, true), held = best, moving = best;
      if (rest < Never) {
        rest += HoldPrice + occupancy.registerPrice(pe, next);
        held = std::min(held, rest);
        moving = std::min(moving, rest + WritePrice + occupancy.price(mrrg.regWrite(pe, slot)));
      }
      int &atMoving = states[state(pe, time, false)], &atHeld = states[state(pe, time, true)];
      atMoving = std::min(atMoving, moving << 8);
      atHeld = std::min(atHeld, held << 8);
    }
  }
}

} // namespace acis::map
