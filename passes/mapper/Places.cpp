// The price of every spot that a node could have.
#include "passes/mapper/Negotiation.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

static constexpr int LatePrice = 16, LateCyclePrice = 4;
/// Slots of a window: more cost time and are hardly ever needed.
static constexpr int MostSlots = 15;
/// Cycles of a delay line that are kept for links on the way.
static constexpr int WaySlack = 8;
/// On grids of more PEs a node is tried only near its neighbours.
static constexpr unsigned SmallGrid = 16;
static constexpr int PinnedPrice = 8, ScarcePrice = 3;

/// A PE is dear for a node when pinned nodes need it, or when it has units that few PEs
/// have and the node does not use.
void Negotiation::prefer() {
  unsigned pes = mrrg.numPes();
  std::vector<unsigned> pinned(pes, 0), demand(NumUnitClasses, 0), supply(NumUnitClasses, 0);
  for (const Node &node : problem.nodes)
    if (node.kind == NodeKind::Compute) {
      ++demand[unsigned(node.unit)];
      if (node.pe)
        ++pinned[*node.pe];
    }
  for (const PeKind &kind : overlay.pes)
    for (unsigned c = 0; c < NumUnitClasses; ++c)
      supply[c] += kind.units[c];
  pePrice.assign(size_t(NumUnitClasses) * pes, 0);
  for (unsigned c = 0; c < NumUnitClasses; ++c)
    for (unsigned pe = 0; pe < pes; ++pe) {
      int &price = pePrice[c * pes + pe];
      if (pinned[pe] >= mrrg.ii())
        price += PinnedPrice;
      for (unsigned other = 0; other < NumUnitClasses; ++other)
        if (other != c && demand[other] != 0 && overlay.pes[pe].units[other] &&
            supply[other] < supply[c])
          price += ScarcePrice;
    }
}

/// Cells that the node itself takes: its unit or port, the bus of its result, and a unit that lanes
/// share.
Negotiation::Cells Negotiation::cellsOf(unsigned node, const Spot &spot) const {
  const Node &n = problem.nodes[node];
  unsigned slot = mrrg.slotOf(spot.time);
  Cells cells;
  switch (n.kind) {
  case NodeKind::Compute:
    cells.add(mrrg.unit(spot.pe, slot));
    cells.add(mrrg.result(spot.pe, mrrg.slotOf(spot.time + latency[node])));
    if (unsigned busy = busyOf(overlay.pes[spot.pe], n); busy > 1)
      for (unsigned k = 0; k < busy; ++k)
        cells.add(mrrg.sharedUnit(spot.pe, n.unit, mrrg.slotOf(spot.time + int(k))));
    break;
  case NodeKind::VrfRead:
    cells.add(mrrg.vrfRead(spot.pe, spot.port, slot));
    break;
  case NodeKind::VrfWrite:
    cells.add(mrrg.vrfWrite(spot.pe, slot));
    break;
  case NodeKind::MemRead:
    cells.add(mrrg.memRead(spot.pe));
    break;
  case NodeKind::MemWrite:
    cells.add(mrrg.memWrite(spot.pe));
    break;
  case NodeKind::StreamIn:
    cells.add(mrrg.streamIn(slot));
    break;
  case NodeKind::StreamOut:
    cells.add(mrrg.streamOut(slot));
    break;
  }
  return cells;
}

/// The cheapest register-file port there; 0 for all other nodes.
unsigned Negotiation::portOf(unsigned node, unsigned pe, int time) const {
  if (problem.nodes[node].kind != NodeKind::VrfRead || mrrg.numReadPorts() < 2)
    return 0;
  unsigned slot = mrrg.slotOf(time);
  return occupancy.price(mrrg.vrfRead(pe, 1, slot)) < occupancy.price(mrrg.vrfRead(pe, 0, slot));
}

int Negotiation::ownPrice(unsigned node, const Spot &spot) const {
  int price = 0;
  for (unsigned cell : cellsOf(node, spot))
    price += occupancy.price(cell);
  return price;
}

/// The cycles worth a look, from the bounds that placed neighbours set.
Negotiation::Window Negotiation::windowOf(unsigned node) {
  int low = lower[node], high = upper[node];
  int near = -Open; // earlier, a consumer would wait for longer than its delay line is
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    unsigned other = edge.to == node ? edge.from : edge.to;
    if (other == node || !placed[other])
      continue;
    int cycles = minCycles[e];
    if (edge.to == node)
      low = std::max(low, spots[other].time + cycles);
    else
      high = std::min(high, spots[other].time - cycles);
    if (edge.from == node && !edge.order)
      near = std::max(near, spots[other].time - cycles - delay);
  }
  if (low != -Open && near > low)
    low = std::min(near, std::max(low, high));
  // Early, it would leave all the wait to who comes between it and what sets `high`.
  if (low != -Open && high != Open && high - low > delay)
    low += std::max(0, delay - WaySlack);
  int span = std::min(int(mrrg.ii()) - 1, MostSlots) + std::min(diameter, 8);
  latest = low == -Open && high != Open;
  // Of many that need one PE, those that were thrown out look further.
  if (low == -Open && high == Open)
    return {0, std::min(int(mrrg.ii()) - 1, MostSlots * int(1 + std::min(evictions[node], 64u)))};
  if (low == -Open)
    return {high - span, high};
  if (high == Open)
    return {low, low + span};
  // Who was thrown out of a narrow window looks beyond it, and throws out others.
  int beyond = int(std::min(evictions[node], 6u));
  if (low <= high)
    return {low - beyond / 2, std::min(high + beyond, low + 2 * span)};
  if (low - high <= 2 * span)
    return {high - 2, low + 2};
  if (random.below(2) != 0)
    return {high - 2, high + span};
  return {low - span, low + 2};
}

/// The PE that is closest to all neighbours of the node whose place is known.
unsigned Negotiation::centreOf(unsigned node) const {
  const Node &n = problem.nodes[node];
  if (n.pe)
    return *n.pe;
  unsigned best = 0, bestSum = ~0u;
  for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
    if (n.kind == NodeKind::StreamIn ? pe != 0 : !canRunEvery(overlay.pes[pe], n, mrrg.ii()))
      continue;
    unsigned sum = 0;
    for (unsigned e : edgesOf[node]) {
      const Edge &edge = problem.edges[e];
      unsigned other = edge.to == node ? edge.from : edge.to;
      if (!edge.order && other != node && placed[other] &&
          problem.nodes[other].kind != NodeKind::StreamIn)
        sum += edge.to == node ? mrrg.hops(spots[other].pe, pe) : mrrg.hops(pe, spots[other].pe);
    }
    if (sum < bestSum) {
      best = pe;
      bestSum = sum;
    }
  }
  return best;
}

void Negotiation::findCandidates(unsigned node) {
  const Node &n = problem.nodes[node];
  candidates.clear();
  if (n.kind == NodeKind::StreamIn) {
    candidates.push_back(0);
    return;
  }
  for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
    if ((n.pe ? *n.pe == pe : canRunEvery(overlay.pes[pe], n, mrrg.ii())) &&
        mrrg.hops(centre, pe) <= radius)
      candidates.push_back(pe);
}

void Negotiation::addOwnPrices(unsigned node) {
  const Node &n = problem.nodes[node];
  size_t pes = mrrg.numPes();
  scores.assign(size_t(window.last - window.first + 1) * pes, Flood::Never);
  for (unsigned pe : candidates) {
    int price = 0;
    if (n.kind == NodeKind::Compute && !n.pe)
      price = pePrice[unsigned(n.unit) * pes + pe];
    for (unsigned e : edgesOf[node]) { // neighbours to come whose place is known
      const Edge &edge = problem.edges[e];
      unsigned other = edge.to == node ? edge.from : edge.to;
      const Node &o = problem.nodes[other];
      if (!placed[other] && other != node && o.pe && !edge.order) {
        unsigned hops = edge.to == node ? mrrg.hops(*o.pe, pe) : mrrg.hops(pe, *o.pe);
        price += Flood::LinkPrice * int(std::min(hops, 64u));
      }
    }
    bool compute = n.kind == NodeKind::Compute && busyOf(overlay.pes[pe], n) == 1;
    unsigned slot = mrrg.slotOf(window.first), end = mrrg.slotOf(window.first + latency[node]);
    int *score = &scores[pe];
    for (int time = window.first; time <= window.last; ++time, score += pes) {
      int wait = latest ? window.last - time : time - window.first;
      int at = compute
                   ? occupancy.price(mrrg.unit(pe, slot)) + occupancy.price(mrrg.result(pe, end))
                   : ownPrice(node, {pe, time, portOf(node, pe, time)});
      int luck = noise != 0 ? int(random.below(noise + 1)) : 0;
      *score = price + at + wait + luck;
      slot = slot + 1 == mrrg.ii() ? 0 : slot + 1;
      end = end + 1 == mrrg.ii() ? 0 : end + 1;
    }
  }
}

namespace {
/// The cheapest of a sliding window: arrivals that a delay line can bridge.
class SlidingLeast {
public:
  explicit SlidingLeast(std::vector<std::pair<int, int>> &items) : items(items) { items.clear(); }
  void push(int time, int price) {
    while (items.size() > head && items.back().second >= price)
      items.pop_back();
    items.push_back({time, price});
  }
  int least(int from) {
    while (head < items.size() && items[head].first < from)
      ++head;
    return head == items.size() ? Flood::Never : items[head].second;
  }

private:
  std::vector<std::pair<int, int>> &items;
  size_t head = 0;
};
} // namespace

int Negotiation::latePrice(unsigned e, int cycles) const {
  return LatePrice + LateCyclePrice * cycles + lateHistory[e];
}

/// Adds the price of the route from a placed producer to every spot.
void Negotiation::addProducer(unsigned node, unsigned e) {
  const Edge &edge = problem.edges[e];
  int birth = birthOf(edge.from), later = laterOf(edge);
  bool everywhere = problem.nodes[edge.from].kind == NodeKind::StreamIn;
  unsigned from = everywhere ? centre : spots[edge.from].pe;
  flood.between(from, centre, 2 * radius);
  travel = int(mrrg.hops(from, centre) + radius);
  startFlood(e, horizon(birth, window.last + later));
  flood.sweepForward();
  Input input = inputOf(problem.nodes[node], edge.operand, 0);
  for (unsigned pe : candidates) {
    SlidingLeast arrivals(slide);
    int next = birth, hops = 0;
    if (!everywhere)
      hops = int(mrrg.hops(spots[edge.from].pe, pe));
    bool waits = window.last + later - delay <= birth; // the delay line bridges any wait
    int least = Flood::Never;
    for (int time = window.first; time <= window.last; ++time) {
      int death = time + later;
      for (; next <= death && next <= flood.last(); ++next)
        for (bool held : {false, true})
          if (int cost = flood.cost(pe, next, held); cost < (waits ? least : Flood::Never)) {
            unsigned cell = mrrg.input(pe, input, mrrg.slotOf(next));
            cost += occupancy.users(cell) == 0
                        ? occupancy.price(cell)
                        : occupancy.priceFor(cell, sourceKey(e, pe, next, held));
            if (waits)
              least = std::min(least, cost);
            else
              arrivals.push(next, cost);
          }
      int cost = waits ? least : arrivals.least(death - delay);
      if (cost >= Flood::Never)
        cost = latePrice(e, std::max(0, birth + hops - death));
      scores[size_t(time - window.first) * mrrg.numPes() + pe] += cost;
    }
  }
}

/// Adds the price of the route to a placed consumer from every spot.
void Negotiation::addConsumer(unsigned node, unsigned e) {
  const Edge &edge = problem.edges[e];
  const Node &n = problem.nodes[node];
  int latency = this->latency[node], death = deathOf(edge);
  unsigned goal = spots[edge.to].pe;
  flood.between(centre, goal, n.kind == NodeKind::StreamIn ? Mrrg::Unreachable : 2 * radius);
  travel = int(mrrg.hops(centre, goal) + radius);
  int first = window.first + latency, last = horizon(window.last + latency, death);
  Input input = inputOf(problem.nodes[edge.to], edge.operand, spots[edge.to].port);
  if (last >= first) {
    flood.reset(first, last);
    for (int time = std::max(first, death - delay); time <= last; ++time)
      flood.want(goal, time, occupancy.price(mrrg.input(goal, input, mrrg.slotOf(time))));
    flood.sweepBackward();
  }
  for (int time = window.first; time <= window.last; ++time) {
    int birth = time + latency, everywhere = Flood::Never;
    bool inside = birth <= last;
    if (inside && n.kind == NodeKind::StreamIn)
      for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
        everywhere = std::min(everywhere, flood.cost(pe, birth, false));
    for (unsigned pe : candidates) {
      int &score = scores[size_t(time - window.first) * mrrg.numPes() + pe];
      int cost = !inside                        ? Flood::Never
                 : n.kind == NodeKind::StreamIn ? everywhere
                                                : flood.cost(pe, birth, false);
      if (cost >= Flood::Never) {
        int hops = n.kind == NodeKind::StreamIn ? 0 : int(mrrg.hops(pe, goal));
        cost = latePrice(e, std::max(0, birth + hops - death));
      }
      score += cost;
    }
  }
}

void Negotiation::addOrder(unsigned node, unsigned e) {
  const Edge &edge = problem.edges[e];
  for (int time = window.first; time <= window.last; ++time) {
    int from = edge.from == node ? time : spots[edge.from].time;
    int to = edge.to == node ? time : spots[edge.to].time;
    int late = from + int(edge.latency) - to - int(edge.distance * mrrg.ii());
    if (late > 0)
      for (unsigned pe : candidates)
        scores[size_t(time - window.first) * mrrg.numPes() + pe] += latePrice(e, late);
  }
}

Spot Negotiation::cheapest(unsigned node) {
  window = windowOf(node);
  centre = centreOf(node);
  radius = mrrg.numPes() <= SmallGrid ? unsigned(diameter) : 2 + std::min(evictions[node], 6u);
  if (std::all_of(edgesOf[node].begin(), edgesOf[node].end(), [&](unsigned e) {
        const Edge &edge = problem.edges[e];
        return edge.order || !placed[edge.to == node ? edge.from : edge.to];
      }))
    radius = Mrrg::Unreachable;
  findCandidates(node);
  addOwnPrices(node);
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    unsigned other = edge.to == node ? edge.from : edge.to;
    if (other == node || !placed[other])
      continue;
    if (edge.order)
      addOrder(node, e);
    else if (edge.to == node)
      addProducer(node, e);
    else
      addConsumer(node, e);
  }
  // Bounds from nodes that are not neighbours, while the schedule grows.
  for (int time = window.first; time <= window.last; ++time) {
    int late = std::max(lower[node] - time, time - upper[node]);
    if (late > 0 && late < Open / 2)
      for (unsigned pe : candidates)
        scores[size_t(time - window.first) * mrrg.numPes() + pe] +=
            LatePrice + LateCyclePrice * late + nodeLate[node];
  }
  unsigned pe = 0;
  int time = window.first;
  int price = Flood::Never;
  for (int at = window.first; at <= window.last; ++at)
    for (unsigned candidate : candidates)
      if (int score = scores[size_t(at - window.first) * mrrg.numPes() + candidate];
          score < price) {
        price = score;
        pe = candidate;
        time = at;
      }
  return {pe, time, portOf(node, pe, time)};
}

} // namespace acis::map
