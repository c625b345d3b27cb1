// Routes of single edges between placed nodes.
#include "passes/mapper/Negotiation.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

static constexpr unsigned OnBus = ~0u, AnyRegister = ~0u;
static constexpr uint64_t UnknownSource = 255, Crossing = ~0ull;
static constexpr unsigned MostDetours = 6;

void Negotiation::setLate(unsigned e, bool late) {
  Route &route = routes[e];
  if (late == (route.late >= 0))
    return;
  if (late) {
    route.late = int(lateEdges.size());
    lateEdges.push_back(e);
    return;
  }
  unsigned last = lateEdges.back();
  lateEdges[unsigned(route.late)] = last;
  routes[last].late = route.late;
  lateEdges.pop_back();
  route.late = -1;
}

/// The value's bus and every point that its other routes have already.
void Negotiation::startFlood(unsigned e, int last) {
  unsigned value = problem.edges[e].from;
  int birth = birthOf(value);
  flood.reset(birth, std::max(birth, last));
  branches.clear();
  for (unsigned other : usesOf[value]) {
    const std::vector<Hop> &hops = routes[other].hops;
    for (size_t i = 1; i < hops.size() && hops[i].time <= last; ++i)
      if (flood.isInside(hops[i].pe)) {
        flood.start(hops[i].pe, hops[i].time, hops[i].place == Step::Place::Reg,
                    unsigned(branches.size()));
        branches.push_back({other, unsigned(i)});
      }
  }
  if (problem.nodes[value].kind != NodeKind::StreamIn) {
    flood.start(spots[value].pe, birth, /*held=*/false, OnBus);
    return;
  }
  for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
    flood.start(pe, birth, /*held=*/false, OnBus);
}

/// What the operand's multiplexer has to select for a value in this state.
uint64_t Negotiation::sourceKey(unsigned e, unsigned pe, int time, bool held) const {
  unsigned value = problem.edges[e].from;
  Flood::Move move = flood.moveTo(pe, time, held);
  if (move.kind == Flood::Move::Link)
    return uint64_t(isa::linkSource(move.inPort));
  if (move.kind != Flood::Move::Start)
    return UnknownSource;
  unsigned tag = flood.tagOf(pe, time, held);
  if (tag == OnBus)
    return busKey(value);
  const Hop &hop = routes[branches[tag].edge].hops[branches[tag].hop];
  return uint64_t(held ? isa::regSource(hop.index) : isa::linkSource(hop.index));
}

uint64_t Negotiation::busKey(unsigned value) const {
  switch (problem.nodes[value].kind) {
  case NodeKind::StreamIn:
    return uint64_t(isa::Source::StreamIn);
  case NodeKind::VrfRead:
    return uint64_t(isa::Source::Vrf0) + spots[value].port;
  case NodeKind::MemRead:
    return uint64_t(isa::Source::MemIn);
  default:
    return uint64_t(isa::Source::Res);
  }
}

void Negotiation::connect(unsigned e) {
  const Edge &edge = problem.edges[e];
  int death = deathOf(edge);
  if (edge.order) {
    setLate(e, death < spots[edge.from].time + int(edge.latency));
    return;
  }
  int birth = birthOf(edge.from);
  if (death < birth) {
    setLate(e, true);
    return;
  }
  unsigned pe = spots[edge.to].pe;
  Input input = inputOf(problem.nodes[edge.to], edge.operand, spots[edge.to].port);
  unsigned from = problem.nodes[edge.from].kind == NodeKind::StreamIn ? pe : spots[edge.from].pe;
  flood.between(from, pe, mrrg.numPes() <= 16 ? Mrrg::Unreachable : 6);
  travel = int(mrrg.hops(from, pe)) + 3;
  std::vector<Hop> hops;
  std::vector<unsigned> crossed; // cells that the way would take twice
  int useful = std::max(birth, death - delay), last = horizon(birth, death);
  arrival.clear();
  for (int time = useful; time <= last; ++time)
    arrival.push_back(occupancy.price(mrrg.input(pe, input, mrrg.slotOf(time))));
  for (unsigned attempt = 0; attempt < MostDetours; ++attempt) {
    startFlood(e, last);
    flood.sweepTowards(pe, useful, arrival);
    hops = cheapestWay(e, pe, input, useful);
    if (!findCrossings(edge.from, hops, crossed))
      break;
  }
  for (unsigned cell : crossed)
    occupancy.remove(cell, Crossing);
  setLate(e, hops.empty());
  if (!hops.empty())
    take(e, std::move(hops));
}

/// Cells that the way takes in two periods, for two values then; they are marked as used
/// so that the next flood prefers others.
bool Negotiation::findCrossings(unsigned value, const std::vector<Hop> &hops,
                                std::vector<unsigned> &crossed) {
  size_t before = crossed.size();
  if (hops.empty() || hops.back().time - hops.front().time <= int(mrrg.ii()))
    return false;
  std::vector<std::pair<unsigned, uint64_t>> uses;
  for (const Hop &hop : hops) {
    if (hop.cell >= 0)
      uses.push_back({unsigned(hop.cell), keyOf(value, hop.time)});
    if (hop.writeCell >= 0)
      uses.push_back({unsigned(hop.writeCell), writeKeyOf(value, hop.time, hop.index)});
  }
  std::sort(uses.begin(), uses.end());
  for (size_t i = 1; i < uses.size(); ++i)
    if (uses[i].first == uses[i - 1].first && !occupancy.isUsedBy(uses[i].first, Crossing)) {
      occupancy.add(uses[i].first, Crossing);
      crossed.push_back(uses[i].first);
    }
  return crossed.size() != before;
}

/// From the flood: the way to the consumer's PE, from cycle `first` on; empty for none.
std::vector<Negotiation::Hop> Negotiation::cheapestWay(unsigned e, unsigned pe, Input input,
                                                       int first) {
  int best = Flood::Never, bestTime = 0;
  bool bestHeld = false;
  for (int time = first; time <= flood.last(); ++time)
    for (bool held : {false, true}) {
      int cost = flood.cost(pe, time, held);
      if (cost >= best)
        continue;
      cost += occupancy.priceFor(mrrg.input(pe, input, mrrg.slotOf(time)),
                                 sourceKey(e, pe, time, held));
      if (cost < best) {
        best = cost;
        bestTime = time;
        bestHeld = held;
      }
    }
  return best < Flood::Never ? trace(e, pe, bestTime, bestHeld) : std::vector<Hop>();
}

/// The flood's way to a state, with the cells that it takes.
std::vector<Negotiation::Hop> Negotiation::trace(unsigned e, unsigned pe, int time, bool held) {
  const Edge &edge = problem.edges[e];
  std::vector<Hop> back, hops;
  Flood::Move move = flood.moveTo(pe, time, held);
  for (; move.kind != Flood::Move::Start; move = flood.moveTo(pe, time, held)) {
    if (move.kind == Flood::Move::Link) {
      unsigned link = mrrg.linkInto(pe, move.inPort);
      back.push_back({Step::Place::Link, pe, move.inPort, time,
                      int(mrrg.link(link, mrrg.slotOf(time - 1))), -1});
      pe = mrrg.linkSource(link);
    } else {
      back.push_back({Step::Place::Reg, pe, AnyRegister, time, -1, -1});
    }
    --time;
    held = move.wasHeld;
  }
  unsigned tag = flood.tagOf(pe, time, held);
  if (tag == OnBus) {
    hops.push_back({Step::Place::Bus, pe, 0, time, -1, -1});
  } else {
    const std::vector<Hop> &known = routes[branches[tag].edge].hops;
    hops.assign(known.begin(), known.begin() + branches[tag].hop + 1);
  }
  size_t fresh = hops.size();
  hops.insert(hops.end(), back.rbegin(), back.rend());
  chooseRegisters(edge.from, hops, fresh);
  return hops;
}

/// Makes the way the edge's route.
void Negotiation::take(unsigned e, std::vector<Hop> hops) {
  const Edge &edge = problem.edges[e];
  for (const Hop &hop : hops) {
    if (hop.cell >= 0)
      occupancy.add(unsigned(hop.cell), keyOf(edge.from, hop.time));
    if (hop.writeCell >= 0)
      occupancy.add(unsigned(hop.writeCell), writeKeyOf(edge.from, hop.time, hop.index));
  }
  const Hop &last = hops.back();
  Route &route = routes[e];
  route.inputKey = last.place == Step::Place::Bus   ? busKey(edge.from)
                   : last.place == Step::Place::Reg ? uint64_t(isa::regSource(last.index))
                                                    : uint64_t(isa::linkSource(last.index));
  Input input = inputOf(problem.nodes[edge.to], edge.operand, spots[edge.to].port);
  route.inputCell = int(mrrg.input(last.pe, input, mrrg.slotOf(last.time)));
  occupancy.add(unsigned(route.inputCell), route.inputKey);
  route.hops = std::move(hops);
}

/// Chooses the registers of the new part. A register holds a value for at most II
/// cycles; a longer stay goes on in another one.
void Negotiation::chooseRegisters(unsigned value, std::vector<Hop> &hops, size_t fresh) {
  size_t most = std::max(1u, mrrg.ii() - 1); // not ii(): the writes would share a slot
  for (size_t begin = fresh, end; begin < hops.size(); begin = end) {
    end = begin + 1;
    if (hops[begin].place != Step::Place::Reg)
      continue;
    size_t stay = begin; // first hop in the register that the value is in already
    while (stay > 0 && hops[stay - 1].place == Step::Place::Reg &&
           hops[stay - 1].index == hops[begin - 1].index)
      --stay;
    bool continues = stay != begin && begin - stay < most;
    size_t last = continues ? stay + most : begin + most;
    while (end < last && end < hops.size() && hops[end].place == Step::Place::Reg)
      ++end;
    chooseRegister(value, hops, begin, end, continues);
  }
}

/// One register for the hops begin .. end - 1, the one that is least in use.
void Negotiation::chooseRegister(unsigned value, std::vector<Hop> &hops, size_t begin, size_t end,
                                 bool continues) {
  unsigned pe = hops[begin].pe, best = 0, registers = mrrg.numRegisters();
  int bestPrice = Flood::Never;
  unsigned first = hops[begin - 1].place == Step::Place::Reg ? hops[begin - 1].index : registers;
  // The one before first, or last where its time is over.
  for (unsigned i = 0; i < registers && bestPrice > 0; ++i) {
    unsigned candidate = first == registers ? i : (first + i + !continues) % registers;
    int price = continues && i != 0 ? Flood::WritePrice : 0;
    for (size_t at = begin; at < end; ++at)
      price += occupancy.priceFor(mrrg.reg(pe, candidate, mrrg.slotOf(hops[at].time)),
                                  keyOf(value, hops[at].time));
    if (price < bestPrice) {
      bestPrice = price;
      best = candidate;
    }
  }
  for (size_t at = begin; at < end; ++at) {
    hops[at].index = best;
    hops[at].cell = int(mrrg.reg(pe, best, mrrg.slotOf(hops[at].time)));
  }
  if (!continues || best != first)
    hops[begin].writeCell = int(mrrg.regWrite(pe, mrrg.slotOf(hops[begin].time - 1)));
}

void Negotiation::disconnect(unsigned e) {
  Route &route = routes[e];
  setLate(e, false);
  unsigned value = problem.edges[e].from;
  for (const Hop &hop : route.hops) {
    if (hop.cell >= 0)
      occupancy.remove(unsigned(hop.cell), keyOf(value, hop.time));
    if (hop.writeCell >= 0)
      occupancy.remove(unsigned(hop.writeCell), writeKeyOf(value, hop.time, hop.index));
  }
  if (route.inputCell >= 0)
    occupancy.remove(unsigned(route.inputCell), route.inputKey);
  route.hops.clear();
  route.inputCell = -1;
}

} // namespace acis::map
