// Placement: windows, candidates, eviction.
#include "passes/mapper/Scheduler.h"
#include "passes/mapper/Timing.h"

#include <algorithm>
#include <tuple>

namespace acis::map {

static constexpr int HopCost = 4, PinnedCost = 1000, ScarceCost = 3;
static constexpr int WindowSlack = 3; ///< cycles past one period: a detour may need them
static constexpr unsigned long EffortPerNode = 1500; ///< router states, bounds the time
static constexpr size_t MaxTries = 32;               ///< candidates routed before a node is forced

Scheduler::Scheduler(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg,
                     std::vector<unsigned> order, unsigned jitter, Random &random)
    : problem(problem), overlay(overlay), mrrg(mrrg), routes(problem, overlay, mrrg),
      random(random), order(std::move(order)), jitter(jitter), edgesOf(problem.nodes.size()),
      spots(problem.nodes.size()), placed(problem.nodes.size(), false), lower(problem.nodes.size()),
      upper(problem.nodes.size()), lastTime(problem.nodes.size(), -None),
      failures(problem.nodes.size(), 0) {
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    const Edge &edge = problem.edges[e];
    edgesOf[edge.to].push_back(e);
    if (edge.from != edge.to)
      edgesOf[edge.from].push_back(e);
  }
  prefer();
}

/// A PE is dear for a node when pinned nodes will need it, or when it has units that
/// few PEs have and the node does not use.
void Scheduler::prefer() {
  unsigned pes = overlay.numPes();
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
        price += PinnedCost;
      for (unsigned other = 0; other < NumUnitClasses; ++other)
        if (other != c && demand[other] != 0 && overlay.pes[pe].units[other] &&
            supply[other] < supply[c])
          price += ScarceCost;
    }
}

bool Scheduler::peKnown(unsigned node, unsigned &pe) const {
  if (problem.nodes[node].kind == NodeKind::StreamIn)
    return false;
  const std::optional<unsigned> &fixed = problem.nodes[node].pe;
  if (!placed[node] && !fixed)
    return false;
  pe = placed[node] ? spots[node].pe : *fixed;
  return true;
}

/// Cycles on the way of an edge between two PEs. A stream beat is everywhere.
unsigned Scheduler::hopsOf(const Edge &edge, unsigned fromPe, unsigned toPe) const {
  if (edge.order || problem.nodes[edge.from].kind == NodeKind::StreamIn)
    return 0;
  return mrrg.hops(fromPe, toPe);
}

/// Least cycles between the times of the edge's nodes, as far as it is known.
int Scheduler::weightOf(const Edge &edge) const {
  int cycles = int(edge.order ? edge.latency : latencyOf(problem.nodes[edge.from], overlay));
  unsigned from, to;
  if (!edge.order && peKnown(edge.from, from) && peKnown(edge.to, to))
    cycles += int(hopsOf(edge, from, to));
  return cycles - int(edge.distance * mrrg.ii());
}

/// Longest ways from the placed nodes over those that are not placed yet.
bool Scheduler::spread(bool forward) {
  std::vector<int> &bound = forward ? lower : upper;
  std::vector<unsigned> queue, visits(problem.nodes.size(), 0);
  std::vector<bool> waiting(problem.nodes.size(), false);
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    bound[node] = placed[node] ? spots[node].time : forward ? -None : None;
    if (placed[node])
      queue.push_back(node);
  }
  for (size_t head = 0; head < queue.size(); ++head) {
    unsigned node = queue[head];
    waiting[node] = false;
    for (unsigned e : edgesOf[node]) {
      const Edge &edge = problem.edges[e];
      unsigned other = forward ? edge.to : edge.from;
      if ((forward ? edge.from : edge.to) != node || placed[other])
        continue;
      int reach = forward ? bound[node] + weightOf(edge) : bound[node] - weightOf(edge);
      if (forward ? reach <= bound[other] : reach >= bound[other])
        continue;
      bound[other] = reach;
      if (waiting[other])
        continue;
      if (++visits[other] > problem.nodes.size())
        return false; // a recurrence that the places so far make too long for this II
      waiting[other] = true;
      queue.push_back(other);
    }
  }
  return true;
}

bool Scheduler::windows() { return spread(/*forward=*/true) && spread(/*forward=*/false); }

void Scheduler::addTimes(unsigned node, unsigned pe, int first, int last, int cost) {
  int step = first <= last ? 1 : -1, away = 0;
  for (int time = first;; time += step, ++away) {
    unsigned ports = problem.nodes[node].kind == NodeKind::VrfRead ? mrrg.numReadPorts() : 1;
    for (unsigned port = 0; port < ports; ++port) {
      Spot spot{pe, time, port};
      if (!isFree(node, spot))
        continue;
      int noise = jitter != 0 ? int(random.below(jitter)) : 0;
      candidates.push_back({spot, cost + away + noise, unsigned(candidates.size())});
    }
    if (time == last)
      break;
  }
}

void Scheduler::candidatesOn(unsigned node, unsigned pe) {
  int low = lower[node], high = upper[node], cost = 0;
  bool hasBefore = false, hasAfter = false;
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    bool isConsumer = edge.to == node;
    unsigned other = isConsumer ? edge.from : edge.to, otherPe = 0;
    if (other == node)
      continue;
    unsigned hops = peKnown(other, otherPe)
                        ? hopsOf(edge, isConsumer ? otherPe : pe, isConsumer ? pe : otherPe)
                        : 0;
    if (hops >= Mrrg::Unreachable)
      return;
    cost += HopCost * int(hops);
    if (!placed[other])
      continue;
    if (!edge.order)
      (isConsumer ? hasBefore : hasAfter) = true;
    int cycles = int(edge.order ? edge.latency : latencyOf(problem.nodes[edge.from], overlay)) +
                 int(hops) - int(edge.distance * mrrg.ii());
    if (isConsumer)
      low = std::max(low, spots[other].time + cycles);
    else
      high = std::min(high, spots[other].time - cycles);
  }
  if (problem.nodes[node].kind == NodeKind::Compute && !problem.nodes[node].pe)
    cost += pePrice[unsigned(problem.nodes[node].unit) * mrrg.numPes() + pe];
  if (low > high)
    return;
  int span = int(mrrg.ii()) - 1 + WindowSlack;
  bool openLow = low == -None, openHigh = high == None;
  if (openLow && openHigh)
    addTimes(node, pe, 0, int(mrrg.ii()) - 1, cost);
  else if (openLow)
    addTimes(node, pe, high, high - span, cost);
  else {
    // Close to the neighbours that exchange values with the node; later than the
    // earliest time on any PE is dearer by the difference.
    bool fromEnd = !openHigh && hasAfter;
    int last = openHigh ? low + span : std::min(high, low + span);
    if (hasBefore || !fromEnd)
      addTimes(node, pe, low, last, cost + (lower[node] == -None ? 0 : low - lower[node]));
    if (fromEnd && (!hasBefore || last < high))
      addTimes(node, pe, high, std::max(hasBefore ? last + 1 : low, high - span),
               cost + (upper[node] == None ? 0 : upper[node] - high));
  }
}

void Scheduler::candidatesOf(unsigned node) {
  candidates.clear();
  const Node &n = problem.nodes[node];
  if (n.kind == NodeKind::StreamIn)
    candidatesOn(node, 0);
  else if (n.pe)
    candidatesOn(node, *n.pe);
  else
    for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
      if (canRun(overlay.pes[pe], n))
        candidatesOn(node, pe);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    return std::tie(a.cost, a.number) < std::tie(b.cost, b.number);
  });
}

/// The cells that the node itself takes: its own, and that of its result.
bool Scheduler::cellsOf(unsigned node, const Spot &spot, Cells &cells) const {
  cells.count = 1;
  unsigned &cell = cells.cell[0];
  unsigned slot = mrrg.slotOf(spot.time);
  switch (problem.nodes[node].kind) {
  case NodeKind::Compute:
    cell = mrrg.unit(spot.pe, slot);
    cells.cell[cells.count++] =
        mrrg.result(spot.pe, mrrg.slotOf(spot.time + int(latencyOf(problem.nodes[node], overlay))));
    return true;
  case NodeKind::VrfRead:
    cell = mrrg.vrfRead(spot.pe, spot.port, slot);
    return spot.port < mrrg.numReadPorts();
  case NodeKind::VrfWrite:
    cell = mrrg.vrfWrite(spot.pe, slot);
    return true;
  case NodeKind::MemRead:
    cell = mrrg.memRead(spot.pe);
    return true;
  case NodeKind::MemWrite:
    cell = mrrg.memWrite(spot.pe);
    return true;
  case NodeKind::StreamIn:
    cell = mrrg.streamIn(slot);
    return true;
  case NodeKind::StreamOut:
    cell = mrrg.streamOut(slot);
    return true;
  }
  return false;
}

/// Whether all cells that the node takes there are free.
bool Scheduler::isFree(unsigned node, const Spot &spot) const {
  Cells cells;
  if (!cellsOf(node, spot, cells))
    return false;
  for (unsigned i = 0; i < cells.count; ++i)
    if (routes.owner(cells.cell[i]) != Routes::Free)
      return false;
  return true;
}

void Scheduler::takeCells(unsigned node) {
  Cells cells;
  cellsOf(node, spots[node], cells);
  for (unsigned i = 0; i < cells.count; ++i)
    routes.take(cells.cell[i], node);
}

bool Scheduler::tryPlace(unsigned node, Spot spot) {
  if (!isFree(node, spot))
    return false;
  spots[node] = spot;
  placed[node] = true;
  std::vector<unsigned> victims;
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    if (!placed[edge.from] || !placed[edge.to])
      continue;
    bool ok = edge.order
                  ? spots[edge.to].time + int(edge.distance * mrrg.ii()) >=
                        spots[edge.from].time + int(edge.latency)
                  : routes.connect(e, spots[edge.from], spots[edge.to], /*force=*/false, victims);
    if (ok)
      continue;
    for (unsigned done : edgesOf[node])
      routes.disconnect(done);
    placed[node] = false;
    return false;
  }
  takeCells(node);
  return true;
}

void Scheduler::evict(unsigned node) {
  if (!placed[node])
    return;
  for (unsigned e : edgesOf[node])
    routes.disconnect(e);
  Cells cells;
  cellsOf(node, spots[node], cells);
  for (unsigned i = 0; i < cells.count; ++i)
    if (routes.owner(cells.cell[i]) == int(node))
      routes.release(cells.cell[i]);
  placed[node] = false;
}

/// Puts the node where it has been least, whatever is there.
bool Scheduler::force(unsigned node) {
  const Node &n = problem.nodes[node];
  Spot spot;
  if (!candidates.empty() && failures[node] % 2 == 1) {
    spot = candidates[random.below(unsigned(std::min<size_t>(candidates.size(), 8)))].spot;
  } else {
    std::vector<unsigned> pes;
    for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
      if (n.kind == NodeKind::StreamIn ? pe == 0
                                       : (n.pe ? *n.pe == pe : canRun(overlay.pes[pe], n)))
        pes.push_back(pe);
    spot.pe = pes[random.below(unsigned(pes.size()))];
    int earliest = lower[node] != -None ? lower[node] : upper[node] != None ? upper[node] : 0;
    spot.time = std::max(earliest, lastTime[node] + 1);
    if (spot.time > earliest + int(2 * mrrg.ii()) + 8)
      spot.time = earliest;
    if (n.kind == NodeKind::VrfRead)
      spot.port = random.below(mrrg.numReadPorts());
  }
  lastTime[node] = spot.time;
  Cells cells;
  if (!cellsOf(node, spot, cells))
    return false;
  for (unsigned i = 0; i < cells.count; ++i)
    if (routes.owner(cells.cell[i]) != Routes::Free)
      evict(unsigned(routes.owner(cells.cell[i])));
  spots[node] = spot;
  placed[node] = true;
  takeCells(node);
  std::vector<unsigned> victims;
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    if (!placed[edge.from] || !placed[edge.to])
      continue;
    unsigned other = edge.from == node ? edge.to : edge.from;
    bool ok = edge.order
                  ? spots[edge.to].time + int(edge.distance * mrrg.ii()) >=
                        spots[edge.from].time + int(edge.latency)
                  : routes.connect(e, spots[edge.from], spots[edge.to], /*force=*/true, victims);
    if (!ok && other == node) { // the node's own recurrence does not fit here
      evict(node);
      break;
    }
    if (!ok)
      evict(other);
  }
  for (unsigned e : victims) {
    const Edge &edge = problem.edges[e];
    evict(edge.to != node || edge.from == node ? edge.to : edge.from);
  }
  return true;
}

bool Scheduler::run(unsigned budget) {
  size_t next = 0;
  while (true) {
    for (next = 0; next < order.size() && placed[order[next]];)
      ++next;
    if (next == order.size())
      return true;
    if (budget-- == 0 || routes.effortSpent() > EffortPerNode * (order.size() + 8))
      return false;
    unsigned node = order[next];
    if (!windows())
      return false;
    candidatesOf(node);
    bool done = false;
    for (size_t i = 0; i < candidates.size() && i < MaxTries && !done; ++i)
      done = tryPlace(node, candidates[i].spot);
    if (done)
      continue;
    ++failures[node];
    if (!force(node))
      return false;
  }
}

unsigned Scheduler::hardest() const {
  unsigned hard = order[0];
  for (unsigned node : order)
    if (failures[node] > failures[hard])
      hard = node;
  return hard;
}

Mapping Scheduler::result() const {
  Mapping mapping;
  mapping.ii = mrrg.ii();
  int first = None;
  for (const Spot &spot : spots)
    first = std::min(first, spot.time);
  for (const Spot &spot : spots)
    mapping.places.push_back({spot.pe, unsigned(spot.time - first), spot.port});
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    mapping.routes.push_back(routes.stepsOf(e, -first));
    mapping.delays.push_back(uint8_t(routes.delayOf(e)));
  }
  return mapping;
}

} // namespace acis::map
