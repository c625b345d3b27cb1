// Construction, the choice of what to place again, and the result.
#include "passes/mapper/Negotiation.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

/// Cycles that a value may wait on its way for a link to be free.
static constexpr int MostWait = 8;
/// Placements without progress before shake(), for each node that is moving.
static constexpr unsigned Patience = 12;
/// Placements of an attempt for each node. Of 1,367 attempts that succeeded nine took more than
/// ten, while those at an impossible II took 20 to 60 before their other budget was used up.
static constexpr size_t MostPlacements = 7, MorePlacements = 25;
/// Graphs of up to so many nodes are to be mapped in 20 ms: the larger ones of them get fewer.
static constexpr size_t Prompt = 100, MostOfPrompt = 5, MoreOfPrompt = 140;
/// Cycles of choice that count as one in every second attempt: nodes beside a tight cycle then
/// come in their turn, not when the cycle has taken all slots of its PE.
static constexpr int Coarse = 4;
static constexpr int LateStep = 12, MostLate = 4000;

/// By node: the longest way, in cycles, from the node to the end of its iteration.
static std::vector<unsigned> heights(const Problem &problem, const Overlay &overlay) {
  std::vector<unsigned> height(problem.nodes.size(), 0);
  bool changed = true;
  for (size_t round = 0; changed && round <= problem.nodes.size(); ++round) {
    changed = false;
    for (const Edge &edge : problem.edges) {
      if (edge.distance != 0)
        continue;
      unsigned cycles = cyclesOf(problem, edge, overlay);
      if (height[edge.to] + cycles > height[edge.from]) {
        height[edge.from] = height[edge.to] + cycles;
        changed = true;
      }
    }
  }
  return height;
}

Negotiation::Negotiation(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg,
                         unsigned attempt, uint64_t seed, bool allOrders)
    : problem(problem), overlay(overlay), mrrg(mrrg), random(seed), noise(attempt),
      coarseness(attempt % 2 != 0 ? Coarse : 1), occupancy(mrrg), flood(mrrg, occupancy),
      delay(int(std::min(overlay.operandDelay, 256u)) - 1), diameter(0),
      after(problem.nodes.size()), before(problem.nodes.size()), edgesOf(problem.nodes.size()),
      usesOf(problem.nodes.size()), spots(problem.nodes.size()),
      placed(problem.nodes.size(), false), left(unsigned(problem.nodes.size())), fewest(left),
      evictions(problem.nodes.size(), 0), recent(problem.nodes.size(), 0),
      nodeLate(problem.nodes.size(), 0), routes(problem.edges.size()),
      lateHistory(problem.edges.size(), 0), lower(problem.nodes.size(), -Open),
      upper(problem.nodes.size(), Open), visits(problem.nodes.size()),
      waiting(problem.nodes.size()), cycleSlack(problem.nodes.size(), Open),
      mobility(problem.nodes.size(), 0), height(heights(problem, overlay)) {
  for (unsigned from = 0; from < mrrg.numPes(); ++from)
    for (unsigned to = 0; to < mrrg.numPes(); ++to)
      if (unsigned hops = mrrg.hops(from, to); hops != Mrrg::Unreachable)
        diameter = std::max(diameter, int(hops));
  for (const Node &node : problem.nodes)
    latency.push_back(int(latencyOf(node, overlay)));
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    const Edge &edge = problem.edges[e];
    minCycles.push_back(int(cyclesOf(problem, edge, overlay)) - int(edge.distance * mrrg.ii()));
    // An order over many iterations, as between the rows of a nest, is nearly always kept
    // wherever the two are, and must not draw them that far apart.
    int apart = 2 * int(height[edge.from] + height[edge.to]) + int(mrrg.ii());
    if (edge.order && minCycles[e] < -apart && !allOrders) {
      leaves = true;
      continue;
    }
    if (edge.from != edge.to) {
      after[edge.from].push_back({edge.to, minCycles[e]});
      before[edge.to].push_back({edge.from, -minCycles[e]});
    }
    edgesOf[edge.to].push_back(e);
    if (edge.from != edge.to)
      edgesOf[edge.from].push_back(e);
    if (!edge.order)
      usesOf[edge.from].push_back(e);
  }
  prefer();
}

int Negotiation::laterOf(const Edge &edge) const {
  const int lead = edge.order ? 0 : int(leadOf(problem.nodes[edge.to], edge.operand, overlay));
  return int(edge.distance * mrrg.ii()) - lead;
}

int Negotiation::horizon(int birth, int high) const {
  int way = std::min(travel, diameter) + 2;
  return std::min(high,
                  std::max(birth + way + std::min(int(mrrg.ii()), MostWait), high - delay + way));
}

/// Carries the bounds of the nodes in `queue` to those that have no place.
void Negotiation::spread(std::vector<int> &bounds, bool forward) {
  std::fill(visits.begin(), visits.end(), 0);
  std::fill(waiting.begin(), waiting.end(), 0);
  for (size_t head = 0; head < queue.size(); ++head) {
    unsigned at = queue[head];
    waiting[at] = 0;
    bounding += after[at].size() / 2;
    for (const Bound &bound : forward ? after[at] : before[at]) {
      int reach = bounds[at] + bound.cycles;
      if (placed[bound.node] ||
          (forward ? reach <= bounds[bound.node] : reach >= bounds[bound.node]))
        continue;
      bounds[bound.node] = reach;
      // A cycle that is too long would go on for ever.
      if (waiting[bound.node] == 0 && ++visits[bound.node] < 16) {
        waiting[bound.node] = 1;
        queue.push_back(bound.node);
      }
    }
  }
}

/// The node with the fewest cycles to choose from; nodes beside placed ones first.
unsigned Negotiation::mostConstrained() const {
  unsigned best = 0;
  int bestKey = Open, bestHeight = -1;
  for (unsigned node = 0; node < placed.size(); ++node) {
    if (placed[node])
      continue;
    bool low = lower[node] != -Open, high = upper[node] != Open;
    int cycle = cycleSlack[node] != Open ? std::min(cycleSlack[node], 1 << 18)
                                         : (1 << 18) + std::min(mobility[node], 1 << 18);
    int key = low && high   ? std::min((upper[node] - lower[node]) / coarseness, 1 << 19)
              : low || high ? (1 << 20) + cycle
                            : (1 << 21) + cycle;
    if (key < bestKey || (key == bestKey && int(height[node]) > bestHeight)) {
      best = node;
      bestKey = key;
      bestHeight = int(height[node]);
    }
  }
  return best;
}

/// By node: the cycles to spare on the tightest cycle through it; Open if there is none.
void Negotiation::findCycles() {
  std::vector<int> bounds(problem.nodes.size());
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    std::fill(bounds.begin(), bounds.end(), -Open);
    bounds[node] = 0;
    queue.assign(1, node);
    spread(bounds, /*forward=*/true);
    for (unsigned e : edgesOf[node])
      if (const Edge &edge = problem.edges[e]; edge.to == node && bounds[edge.from] != -Open)
        cycleSlack[node] = std::min(cycleSlack[node], -bounds[edge.from] - minCycles[e]);
  }
}

/// By node: the cycles between its earliest and its latest time in a schedule that is as
/// short as the longest way through the graph.
void Negotiation::findMobility() {
  std::vector<unsigned> nodes(problem.nodes.size());
  for (unsigned node = 0; node < nodes.size(); ++node)
    nodes[node] = node;
  std::vector<int> earliest(nodes.size(), 0), latest(nodes.size(), 0);
  queue = nodes;
  spread(earliest, /*forward=*/true);
  int end = 0;
  for (unsigned node : nodes)
    end = std::max(end, earliest[node]);
  latest.assign(nodes.size(), end);
  queue.assign(nodes.rbegin(), nodes.rend());
  spread(latest, /*forward=*/false);
  for (unsigned node : nodes)
    mobility[node] = std::max(0, latest[node] - earliest[node]);
}

/// Bounds of all nodes that have no place, from those that have one.
void Negotiation::boundAll() {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < placed.size(); ++node) {
    lower[node] = placed[node] ? spots[node].time : -Open;
    upper[node] = placed[node] ? spots[node].time : Open;
    if (placed[node])
      nodes.push_back(node);
  }
  queue = nodes;
  spread(lower, /*forward=*/true);
  queue = std::move(nodes);
  spread(upper, /*forward=*/false);
  bounded = true;
}

/// The same after one node more got a place.
void Negotiation::spreadFrom(unsigned node) {
  lower[node] = upper[node] = spots[node].time;
  queue.assign(1, node);
  spread(lower, /*forward=*/true);
  queue.assign(1, node);
  spread(upper, /*forward=*/false);
}

void Negotiation::place(unsigned node, const Spot &spot) {
  spots[node] = spot;
  placed[node] = true;
  --left;
  for (unsigned cell : cellsOf(node, spot))
    occupancy.add(cell, node);
  // The edges with the least time to spare have the least choice of a way.
  std::vector<std::pair<int, unsigned>> order;
  for (unsigned e : edgesOf[node]) {
    const Edge &edge = problem.edges[e];
    if (placed[edge.from] && placed[edge.to])
      order.push_back({deathOf(edge) - birthOf(edge.from), e});
  }
  std::sort(order.begin(), order.end());
  for (auto [slack, e] : order)
    connect(e);
}

void Negotiation::remove(unsigned node) {
  if (!placed[node])
    return;
  ++left;
  bounded = false;
  ++evictions[node];
  ++recent[node];
  for (unsigned e : edgesOf[node])
    disconnect(e);
  for (unsigned cell : cellsOf(node, spots[node]))
    occupancy.remove(cell, node);
  placed[node] = false;
}

/// Takes out what else uses the cell: the nodes that sit there, or one end of every
/// route through it.
void Negotiation::clear(unsigned cell, unsigned keeper) {
  occupancy.remember(cell);
  if (mrrg.isNodeCell(cell)) {
    for (unsigned user = occupancy.users(cell); user-- > 0;)
      if (uint64_t key = occupancy.userKey(cell, user); key != keeper)
        remove(unsigned(key));
    return;
  }
  // Routes of the keeper stay if it has any there; else the last that came.
  uint64_t kept = ~0ull;
  for (unsigned e : edgesOf[keeper])
    if (uint64_t key; usesCell(e, cell, key))
      kept = key;
  for (unsigned e = 0; e < routes.size(); ++e) {
    uint64_t key;
    if (!usesCell(e, cell, key))
      continue;
    if (kept == ~0ull)
      kept = key;
    if (key == kept)
      continue;
    const Edge &edge = problem.edges[e];
    disconnect(e);
    connect(e);
    if (!usesCell(e, cell, key) && isClean(e))
      continue;
    remove(edge.to == keeper ? edge.from : edge.to);
  }
  // A value that meets itself one period later waits for too long: one of the two has to move.
  for (unsigned e = 0; e < routes.size() && occupancy.users(cell) > 1; ++e)
    if (uint64_t key; usesCell(e, cell, key)) {
      const Edge &edge = problem.edges[e];
      remove(evictions[edge.to] % 2 == 0 ? edge.to : edge.from);
    }
}

bool Negotiation::isClean(unsigned e) const {
  const Route &route = routes[e];
  if (route.late >= 0 || (route.inputCell >= 0 && occupancy.users(unsigned(route.inputCell)) > 1))
    return false;
  for (const Hop &hop : route.hops)
    if ((hop.cell >= 0 && occupancy.users(unsigned(hop.cell)) > 1) ||
        (hop.writeCell >= 0 && occupancy.users(unsigned(hop.writeCell)) > 1))
      return false;
  return true;
}

bool Negotiation::usesCell(unsigned e, unsigned cell, uint64_t &key) const {
  const Route &route = routes[e];
  unsigned value = problem.edges[e].from;
  if (route.inputCell == int(cell)) {
    key = route.inputKey;
    return true;
  }
  for (const Hop &hop : route.hops) {
    if (hop.cell == int(cell))
      key = keyOf(value, hop.time);
    else if (hop.writeCell == int(cell))
      key = writeKeyOf(value, hop.time, hop.index);
    else
      continue;
    return true;
  }
  return false;
}

/// After `node` was placed: takes out what it cannot live with.
void Negotiation::evict(unsigned node) {
  while (!lateEdges.empty()) {
    unsigned e = lateEdges.back();
    lateHistory[e] = std::min(lateHistory[e] + LateStep, MostLate);
    const Edge &edge = problem.edges[e];
    remove(edge.to == node ? edge.from : edge.to);
  }
  while (!occupancy.conflicts().empty())
    clear(occupancy.conflicts().back(), node);
}

/// Nothing got better for long: everything that moved since the last time is taken out
/// together with its neighbours, and prices are disturbed more.
void Negotiation::shake() {
  std::vector<unsigned> moved;
  for (unsigned node = 0; node < recent.size(); ++node)
    if (recent[node] != 0)
      moved.push_back(node);
  for (unsigned node : moved)
    for (unsigned e : edgesOf[node]) {
      remove(problem.edges[e].from);
      remove(problem.edges[e].to);
    }
  std::fill(recent.begin(), recent.end(), 0);
  fewest = left;
  stalled = 0;
  noise = std::min(noise + 2, 10u);
}

bool Negotiation::run(unsigned long budget, unsigned effort, const std::function<bool()> &stop) {
  size_t most = MostPlacements * placed.size() + MorePlacements;
  if (placed.size() <= Prompt)
    most = std::min(most, MostOfPrompt * placed.size() + MoreOfPrompt);
  most *= effort;
  findCycles();
  findMobility();
  for (size_t placements = 0; left != 0; ++placements) {
    if (flood.work() > budget || placements > most || stop())
      return false;
    if (!bounded)
      boundAll();
    unsigned node = mostConstrained();
    if (makeRoom(node))
      boundAll();
    Spot spot = cheapest(node);
    if (spot.time < lower[node] || spot.time > upper[node])
      nodeLate[node] = std::min(nodeLate[node] + LateStep, MostLate);
    place(node, spot);
    evict(node);
    if (bounded)
      spreadFrom(node);
    ++stalled;
    size_t moving = recent.size() - size_t(std::count(recent.begin(), recent.end(), 0u));
    if (left < fewest) {
      fewest = left;
      stalled = 0;
    } else if (stalled > Patience * (moving + 2)) {
      shake();
    }
  }
  return true;
}

unsigned Negotiation::hardest() const {
  return unsigned(std::max_element(evictions.begin(), evictions.end()) - evictions.begin());
}

Mapping Negotiation::result() const {
  Mapping mapping;
  mapping.ii = mrrg.ii();
  int first = Open;
  for (const Spot &spot : spots)
    first = std::min(first, spot.time);
  for (const Spot &spot : spots)
    mapping.places.push_back({spot.pe, unsigned(spot.time - first), spot.port});
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    std::vector<Step> steps;
    for (const Hop &hop : routes[e].hops)
      steps.push_back({hop.pe, unsigned(hop.time - first), hop.place, hop.index});
    mapping.delays.push_back(
        steps.empty() ? 0 : uint8_t(deathOf(problem.edges[e]) - routes[e].hops.back().time));
    mapping.routes.push_back(std::move(steps));
  }
  return mapping;
}

} // namespace acis::map
