// See Flood.h.
#include "passes/mapper/Flood.h"

#include <algorithm>

namespace acis::map {

// A move in one byte: kind * 32 + in-link * 2 + whether the value was held.
static uint8_t coded(Flood::Move::Kind kind, bool wasHeld, unsigned inPort = 0) {
  return uint8_t(kind * 32 + inPort * 2 + wasHeld);
}

void Flood::between(unsigned a, unsigned b, unsigned detour) {
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
  size_t states = size_t(last - first + 1) * 2 * mrrg.numPes();
  costs.assign(states, Never);
  moves.assign(states, 0);
  if (tags.size() < states)
    tags.resize(states);
}

void Flood::start(unsigned pe, int time, bool held, unsigned tag) {
  size_t at = state(pe, time, held);
  costs[at] = 0;
  moves[at] = coded(Move::Start, false);
  tags[at] = tag;
}

void Flood::want(unsigned pe, int time, int cost) {
  for (bool held : {false, true}) {
    int &at = costs[state(pe, time, held)];
    at = std::min(at, cost);
  }
}

Flood::Move Flood::moveTo(unsigned pe, int time, bool held) const {
  uint8_t code = moves[state(pe, time, held)];
  return {Move::Kind(code / 32), code % 2 != 0, code / 2u % 16};
}

void Flood::sweepForward() {
  effort += size_t(to - from + 1) * 2 * active.size();
  for (int time = from; time < to; ++time) {
    unsigned slot = mrrg.slotOf(time), next = slot + 1 == mrrg.ii() ? 0 : slot + 1;
    for (unsigned pe : active) {
      int moving = costs[state(pe, time, false)], held = costs[state(pe, time, true)];
      bool wasHeld = held < moving;
      int best = wasHeld ? held : moving;
      if (best >= Never)
        continue;
      for (const Mrrg::OutLink &link : mrrg.outLinks(pe))
        if (inside[link.to])
          improve(state(link.to, time + 1, false),
                  best + LinkPrice + occupancy.price(mrrg.link(link.id, slot)),
                  coded(Move::Link, wasHeld, link.inPort));
      int hold = HoldPrice + occupancy.registerPrice(pe, next);
      size_t kept = state(pe, time + 1, true);
      if (held < Never)
        improve(kept, held + hold, coded(Move::Hold, true));
      if (moving < Never)
        improve(kept, moving + hold + WritePrice + occupancy.price(mrrg.regWrite(pe, slot)),
                coded(Move::Hold, false));
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
        int rest = costs[state(link.to, time + 1, false)];
        if (rest < Never)
          best = std::min(best, rest + LinkPrice + occupancy.price(mrrg.link(link.id, slot)));
      }
      int rest = costs[state(pe, time + 1, true)], held = best, moving = best;
      if (rest < Never) {
        rest += HoldPrice + occupancy.registerPrice(pe, next);
        held = std::min(held, rest);
        moving = std::min(moving, rest + WritePrice + occupancy.price(mrrg.regWrite(pe, slot)));
      }
      int &atMoving = costs[state(pe, time, false)], &atHeld = costs[state(pe, time, true)];
      atMoving = std::min(atMoving, moving);
      atHeld = std::min(atHeld, held);
    }
  }
}

} // namespace acis::map
