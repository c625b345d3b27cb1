// Routing of one edge: A* over (PE, cycle), all moves one cycle forward or a hold of
// several cycles in one register.
#include "passes/mapper/Routes.h"
#include "passes/mapper/Timing.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace acis::map {

static constexpr unsigned LinkPrice = 2, WritePrice = 2, HoldPrice = 1, EvictPrice = 64,
                          MaxSpan = 1024, MaxExpanded = 500;

Input inputOf(const Node &node, unsigned operand, unsigned port) {
  switch (node.kind) {
  case NodeKind::Compute:
    return Input(unsigned(Input::A) + operand);
  case NodeKind::VrfRead:
    return Input(unsigned(Input::ReadIndex0) + port);
  case NodeKind::VrfWrite:
    return Input(unsigned(Input::WriteData) + operand);
  case NodeKind::MemWrite:
    return Input(unsigned(Input::MemData) + operand);
  default:
    return Input::StreamData;
  }
}

/// What one call of connect() looks for.
struct Routes::Search {
  unsigned edge, value;
  unsigned goalPe;
  int first, last; ///< cycles of the value's birth and of its use
  Input input;
  bool force;
  unsigned rootPe;
  int goalFirst;                 ///< the earliest cycle that the delay line can bridge
  std::vector<unsigned> covered; ///< scratch of expand()
  /// By estimated price of the whole way, then the longest way so far, then state.
  using Key = std::tuple<unsigned, int, unsigned>;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> open;

  unsigned state(unsigned pe, int time) const {
    return pe * unsigned(last - first + 1) + unsigned(time - first);
  }
  unsigned peOf(unsigned state) const { return state / unsigned(last - first + 1); }
  int timeOf(unsigned state) const { return first + int(state % unsigned(last - first + 1)); }
};

Routes::Routes(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg)
    : problem(problem), overlay(overlay), mrrg(mrrg), nodeOwner(mrrg.numCells(), Free),
      pointOwner(mrrg.numCells(), Free), sampled(mrrg.numCells(), 0), samplers(mrrg.numCells(), 0),
      trees(problem.nodes.size()), ends(problem.edges.size()), ports(problem.nodes.size(), 0) {}

unsigned Routes::sourceCode(unsigned value, Step::Place place, unsigned index) const {
  using isa::Source;
  if (place == Step::Place::Link)
    return unsigned(isa::linkSource(index));
  if (place == Step::Place::Reg)
    return unsigned(isa::regSource(index));
  switch (problem.nodes[value].kind) {
  case NodeKind::StreamIn:
    return unsigned(Source::StreamIn);
  case NodeKind::VrfRead:
    return unsigned(Source::Vrf0) + ports[value];
  case NodeKind::MemRead:
    return unsigned(Source::MemIn);
  default:
    return unsigned(Source::Res);
  }
}

unsigned Routes::sourceCode(const Point &point) const {
  return sourceCode(point.value, point.place, point.index);
}

/// Extra price of a cell of a link, register or register write port; 0 if it is free,
/// ~0 if it cannot be had.
unsigned Routes::priceOf(unsigned cell, bool force) const {
  if (pointOwner[cell] == Free)
    return 0;
  return force ? EvictPrice : ~0u;
}

void Routes::relax(Search &search, unsigned pe, int time, unsigned cost, Reached how) {
  unsigned hops = mrrg.hops(pe, search.goalPe);
  if (time > search.last || hops > unsigned(search.last - time))
    return;
  unsigned id = search.state(pe, time);
  Reached &slot = reached[id];
  if (slot.epoch == epoch && (slot.closed || slot.cost <= cost))
    return;
  how.epoch = epoch;
  how.cost = cost;
  slot = how;
  // Cycles that cannot be spent on the shortest way or in the delay line are held.
  int wait = search.goalFirst - time - int(hops);
  unsigned rest = hops * LinkPrice + (wait > 0 ? unsigned(wait) * HoldPrice : 0);
  search.open.push({cost + rest, -int(cost), id});
}

/// The points that the value already has, and its bus.
void Routes::start(Search &search) {
  bool rooted = false;
  for (int id : trees[search.value]) {
    const Point &point = points[id];
    rooted |= point.parent < 0 && point.pe == search.rootPe;
    if (point.time <= search.last)
      relax(search, point.pe, point.time, 0,
            {.from = -1, .point = id, .place = point.place, .index = point.index});
  }
  if (!rooted)
    relax(search, search.rootPe, search.first, 0, {});
}

/// Holds the state's value in register `reg` for as long as it is free. True if no
/// other register can do better.
bool Routes::expandHold(Search &search, unsigned state, unsigned reg, bool continued) {
  unsigned pe = search.peOf(state), cost = reached[state].cost;
  int time = search.timeOf(state);
  bool cheap = true;
  if (!continued) {
    unsigned write = priceOf(mrrg.regWrite(pe, mrrg.slotOf(time)), search.force);
    if (write == ~0u)
      return false;
    cost += WritePrice + write;
  }
  for (unsigned held = 1; held <= mrrg.ii() && time + int(held) <= search.last; ++held) {
    unsigned price = priceOf(mrrg.reg(pe, reg, mrrg.slotOf(time + int(held))), search.force);
    if (price == ~0u)
      return false;
    cheap &= price == 0;
    cost += HoldPrice + price;
    if (cost >= search.covered[held])
      continue; // another register does as well
    search.covered[held] = cost;
    relax(search, pe, time + int(held), cost,
          {.from = int(state), .point = -1, .place = Step::Place::Reg, .index = reg});
  }
  return cheap && !continued;
}

void Routes::expand(Search &search, unsigned state) {
  unsigned pe = search.peOf(state);
  int time = search.timeOf(state);
  Reached here = reached[state];
  for (const Mrrg::OutLink &link : mrrg.outLinks(pe)) {
    unsigned price = priceOf(mrrg.link(link.id, mrrg.slotOf(time)), search.force);
    if (price != ~0u)
      relax(search, link.to, time + 1, here.cost + LinkPrice + price,
            {.from = int(state),
             .point = -1,
             .place = Step::Place::Link,
             .index = link.inPort,
             .link = link.id});
  }
  search.covered.assign(mrrg.ii() + 1, ~0u);
  bool inTree = here.from < 0 && here.point >= 0;
  unsigned kept = inTree && here.place == Step::Place::Reg ? here.index : mrrg.numRegisters();
  if (kept < mrrg.numRegisters())
    expandHold(search, state, kept, /*continued=*/true);
  for (unsigned reg = 0; reg < mrrg.numRegisters(); ++reg)
    if (reg != kept && expandHold(search, state, reg, /*continued=*/false))
      break;
}

/// Whether the consumer's delay line can bridge the rest and its multiplexer is free.
bool Routes::reachesGoal(const Search &search, unsigned state, unsigned &price) const {
  int time = search.timeOf(state);
  if (search.peOf(state) != search.goalPe || time < search.goalFirst)
    return false;
  unsigned cell = mrrg.input(search.goalPe, search.input, mrrg.slotOf(time));
  unsigned code = sourceCode(search.value, reached[state].place, reached[state].index);
  price = sampled[cell] == 0 || sampled[cell] == code ? 0 : EvictPrice;
  return price == 0 || search.force;
}

int Routes::addPoint(const Point &point) {
  int id;
  if (freePoints.empty()) {
    id = int(points.size());
    points.push_back(point);
  } else {
    id = freePoints.back();
    freePoints.pop_back();
    points[id] = point;
  }
  trees[point.value].push_back(id);
  if (point.cell >= 0)
    pointOwner[point.cell] = id;
  if (point.writeCell >= 0)
    pointOwner[point.writeCell] = id;
  return id;
}

void Routes::dropPoint(int id) {
  const Point &point = points[id];
  if (point.cell >= 0)
    pointOwner[point.cell] = Free;
  if (point.writeCell >= 0)
    pointOwner[point.writeCell] = Free;
  std::erase(trees[point.value], id);
  freePoints.push_back(id);
}

/// Takes the routes away from every edge that leads through a cell.
void Routes::evictCell(unsigned cell, std::vector<unsigned> &victims) {
  for (unsigned e = 0; e < ends.size() && pointOwner[cell] != Free; ++e)
    for (int at = ends[e].point; at >= 0; at = points[at].parent)
      if (at == pointOwner[cell]) {
        disconnect(e);
        victims.push_back(e);
        break;
      }
}

void Routes::evictInput(unsigned cell, std::vector<unsigned> &victims) {
  for (unsigned e = 0; e < ends.size(); ++e)
    if (ends[e].point >= 0 && ends[e].cell == cell) {
      disconnect(e);
      victims.push_back(e);
    }
}

/// Turns the way to `state` into points of the tree. Fails, changing nothing but
/// evictions, when the way meets itself one period later.
bool Routes::commit(Search &search, unsigned state, std::vector<unsigned> &victims) {
  std::vector<unsigned> way;
  int at = int(state);
  for (; reached[at].from >= 0; at = reached[at].from)
    way.push_back(unsigned(at));
  std::reverse(way.begin(), way.end());
  int first = reached[at].point;

  std::vector<Point> fresh;
  if (first < 0)
    fresh.push_back(
        {search.rootPe, search.first, Step::Place::Bus, 0, -1, -1, -1, 0, search.value});
  unsigned from = unsigned(at);
  for (unsigned to : way) {
    const Reached &how = reached[to];
    unsigned pe = search.peOf(to);
    int begin = search.timeOf(from), end = search.timeOf(to);
    bool continued = from == unsigned(at) && first >= 0 && how.place == Step::Place::Reg &&
                     points[first].place == Step::Place::Reg && points[first].index == how.index;
    for (int time = begin + 1; time <= end; ++time) {
      Point point{pe, time, how.place, how.index, -1, -1, -1, 0, search.value};
      if (how.place == Step::Place::Link) {
        point.cell = int(mrrg.link(how.link, mrrg.slotOf(begin)));
      } else {
        point.cell = int(mrrg.reg(pe, how.index, mrrg.slotOf(time)));
        if (time == begin + 1 && !continued)
          point.writeCell = int(mrrg.regWrite(pe, mrrg.slotOf(begin)));
      }
      fresh.push_back(point);
    }
    from = to;
  }

  std::vector<int> cells;
  for (const Point &point : fresh) {
    if (point.cell >= 0)
      cells.push_back(point.cell);
    if (point.writeCell >= 0)
      cells.push_back(point.writeCell);
  }
  std::sort(cells.begin(), cells.end());
  if (std::adjacent_find(cells.begin(), cells.end()) != cells.end())
    return false;

  unsigned inputCell = mrrg.input(search.goalPe, search.input, mrrg.slotOf(search.timeOf(state)));
  unsigned code = sourceCode(search.value, reached[state].place, reached[state].index);
  // The shared part must survive the evictions of a forced route.
  for (int id = first; id >= 0; id = points[id].parent)
    ++points[id].refs;
  bool whole = true;
  if (search.force) {
    for (int cell : cells) {
      evictCell(unsigned(cell), victims);
      whole &= pointOwner[cell] == Free;
    }
    if (sampled[inputCell] != 0 && sampled[inputCell] != code)
      evictInput(inputCell, victims);
  }
  if (!whole) { // the way crosses its own beginning
    for (int id = first, next; id >= 0; id = next) {
      next = points[id].parent;
      if (--points[id].refs == 0)
        dropPoint(id);
    }
    return false;
  }
  int parent = first;
  for (Point &point : fresh) {
    point.parent = parent;
    point.refs = 1;
    parent = addPoint(point);
  }
  sampled[inputCell] = uint8_t(code);
  ++samplers[inputCell];
  ends[search.edge] = {parent, inputCell, uint8_t(search.last - search.timeOf(state))};
  return true;
}

bool Routes::connect(unsigned edge, const Spot &from, const Spot &to, bool force,
                     std::vector<unsigned> &victims) {
  const Edge &e = problem.edges[edge];
  const Node &producer = problem.nodes[e.from];
  Search search;
  search.edge = edge;
  search.value = e.from;
  search.goalPe = to.pe;
  search.first = from.time + int(latencyOf(producer, overlay));
  search.last = to.time + int(e.distance * mrrg.ii());
  search.goalFirst = search.last - int(std::min(overlay.operandDelay, 256u)) + 1;
  search.input = inputOf(problem.nodes[e.to], e.operand, to.port);
  search.force = force;
  search.rootPe = producer.kind == NodeKind::StreamIn ? to.pe : from.pe;
  if (search.last < search.first || search.last - search.first >= int(MaxSpan))
    return false;
  ports[e.from] = from.port;
  size_t states = size_t(mrrg.numPes()) * size_t(search.last - search.first + 1);
  if (reached.size() < states)
    reached.resize(states);
  ++epoch;

  start(search);
  for (unsigned expanded = 0; !search.open.empty() && expanded < MaxExpanded;) {
    unsigned state = std::get<2>(search.open.top());
    search.open.pop();
    if (reached[state].closed)
      continue;
    reached[state].closed = true;
    unsigned price = 0;
    if (reachesGoal(search, state, price) && commit(search, state, victims))
      return true;
    expand(search, state);
    ++expanded;
    ++effort;
  }
  return false;
}

void Routes::disconnect(unsigned edge) {
  End &end = ends[edge];
  if (end.point < 0)
    return;
  for (int id = end.point, next; id >= 0; id = next) {
    next = points[id].parent;
    if (--points[id].refs == 0)
      dropPoint(id);
  }
  if (--samplers[end.cell] == 0)
    sampled[end.cell] = 0;
  end = {};
}

std::vector<Step> Routes::stepsOf(unsigned edge, int shift) const {
  std::vector<Step> steps;
  for (int id = ends[edge].point; id >= 0; id = points[id].parent) {
    const Point &point = points[id];
    steps.push_back({point.pe, unsigned(point.time + shift), point.place, point.index});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

} // namespace acis::map
