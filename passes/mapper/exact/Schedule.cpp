// See Schedule.h. One register of each PE takes part, and an operand input serves one use
// per slot; both only leave mappings out.
#include "passes/mapper/exact/Schedule.h"
#include "passes/mapper/Timing.h"
#include "passes/mapper/exact/Cycles.h"
#include "passes/mapper/exact/Spots.h"

#include <algorithm>

namespace acis::map::exact {
namespace {

class Formula {
public:
  Formula(const Problem &problem, const Overlay &overlay, unsigned ii, const Reach &reach)
      : problem(problem), overlay(overlay), mrrg(overlay, ii), reach(reach), first(earliest()),
        last(latest()), spots(cnf, problem, overlay, mrrg, first, last),
        values(problem.nodes.size()), samples(problem.edges.size()), cells(mrrg.numCells()) {
    for (unsigned node = 0; node < problem.nodes.size(); ++node)
      travel(node);
    for (unsigned e = 0; e < problem.edges.size(); ++e)
      problem.edges[e].order ? keepOrder(problem.edges[e]) : arrive(e);
    for (const std::vector<Literal> &users : cells)
      cnf.atMostOne(users);
  }

  Answer solve(Deadline deadline) { return cnf.solve(deadline); }
  Mapping mapping() const;

private:
  /// Where a value is in one cycle: on its producer's bus, over a link, or held.
  struct Presence {
    Literal at = 0, held = 0;
    std::vector<std::pair<unsigned, Literal>> sent; ///< over out-link `id` in this cycle
  };
  struct Value {
    int first = 0, last = -1; ///< cycles
    std::vector<Presence> presence;
    bool exists() const { return last >= first; }
  };

  std::vector<int> earliest() const {
    std::vector<int> times(problem.nodes.size(), 0);
    for (size_t round = 0; round <= problem.nodes.size(); ++round)
      for (const Edge &edge : problem.edges)
        times[edge.to] = std::max(times[edge.to],
                                  times[edge.from] + minCycles(problem, overlay, edge, mrrg.ii()));
    return times;
  }
  std::vector<int> latest() const {
    std::vector<int> times = first;
    for (int &time : times)
      time += int(reach.slack);
    return times;
  }

  Presence &presence(unsigned value, unsigned pe, int time) {
    Value &v = values[value];
    return v.presence[size_t(time - v.first) * mrrg.numPes() + pe];
  }
  const Presence &presence(unsigned value, unsigned pe, int time) const {
    const Value &v = values[value];
    return v.presence[size_t(time - v.first) * mrrg.numPes() + pe];
  }

  /// When a consumer at `time` takes the edge's value, counted for iteration 0 of the producer.
  int deathOf(const Edge &edge, int time) const {
    return time + int(edge.distance * mrrg.ii()) -
           int(leadOf(problem.nodes[edge.to], edge.operand, overlay));
  }
  void travel(unsigned node);
  void keepOrder(const Edge &edge);
  void arrive(unsigned e);
  std::vector<Step> routeOf(unsigned e, unsigned &delay) const;

  const Problem &problem;
  const Overlay &overlay;
  Mrrg mrrg;
  Reach reach;
  Cnf cnf;
  std::vector<int> first, last;
  Spots spots;
  std::vector<Value> values; ///< by node
  /// By edge: "the operand is sampled on this PE in this cycle", as in `presence`.
  std::vector<std::vector<Literal>> samples;
  std::vector<std::vector<Literal>> cells; ///< users of links, registers and inputs
};

/// The ways of a value: it is where it was born, where a link brings it, where it is held.
void Formula::travel(unsigned node) {
  bool used = std::any_of(problem.edges.begin(), problem.edges.end(),
                          [&](const Edge &e) { return e.from == node && !e.order; });
  if (!used)
    return;
  Value &value = values[node];
  int latency = int(latencyOf(problem.nodes[node], overlay));
  value.first = first[node] + latency;
  value.last = last[node] + latency + int(reach.travel);
  value.presence.resize(size_t(value.last - value.first + 1) * mrrg.numPes());
  for (Presence &at : value.presence)
    at.at = cnf.variable();
  std::vector<std::vector<Literal>> born(value.presence.size());
  bool everywhere = problem.nodes[node].kind == NodeKind::StreamIn;
  for (const Spots::Choice &choice : spots.of(node))
    for (unsigned pe = 0; pe < mrrg.numPes(); ++pe)
      if (everywhere || pe == choice.spot.pe)
        born[size_t(choice.spot.time + latency - value.first) * mrrg.numPes() + pe].push_back(
            choice.literal);
  for (int time = value.first; time < value.last; ++time)
    for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
      Presence &here = presence(node, pe, time);
      for (const Mrrg::OutLink &link : mrrg.outLinks(pe)) {
        Literal sent = cnf.variable();
        here.sent.push_back({link.id, sent});
        cnf.clause({-sent, here.at});
        cells[mrrg.link(link.id, mrrg.slotOf(time))].push_back(sent);
        born[size_t(time + 1 - value.first) * mrrg.numPes() + link.to].push_back(sent);
      }
      Presence &next = presence(node, pe, time + 1);
      next.held = cnf.variable();
      cnf.clause({-next.held, here.at});
      cells[mrrg.reg(pe, 0, mrrg.slotOf(time + 1))].push_back(next.held);
    }
  for (size_t i = 0; i < value.presence.size(); ++i) {
    std::vector<Literal> some = born[i];
    if (value.presence[i].held != 0)
      some.push_back(value.presence[i].held);
    some.push_back(-value.presence[i].at);
    cnf.clause(some);
  }
}

void Formula::keepOrder(const Edge &edge) {
  if (edge.from == edge.to)
    return;
  int cycles = minCycles(problem, overlay, edge, mrrg.ii());
  for (const Spots::Choice &from : spots.of(edge.from)) {
    std::vector<Literal> some{-from.literal};
    for (const Spots::Choice &to : spots.of(edge.to))
      if (to.spot.time >= from.spot.time + cycles)
        some.push_back(to.literal);
    cnf.clause(some);
  }
}

/// The consumer samples the value on its PE, at most a delay line before its use.
void Formula::arrive(unsigned e) {
  const Edge &edge = problem.edges[e];
  const Value &value = values[edge.from];
  const Node &consumer = problem.nodes[edge.to];
  int delay = int(std::min(overlay.operandDelay, 256u)) - 1;
  // By port, because each read port has an index input of its own.
  unsigned ports = consumer.kind == NodeKind::VrfRead ? mrrg.numReadPorts() : 1;
  std::vector<Literal> &sample = samples[e];
  sample.assign(value.presence.size() * ports, 0);
  auto sampled = [&](unsigned pe, int time, unsigned port) {
    size_t at = size_t(time - value.first) * mrrg.numPes() + pe;
    Literal &literal = sample[at * ports + port];
    if (literal == 0) {
      literal = cnf.variable();
      cnf.clause({-literal, value.presence[at].at});
      Input input = inputOf(consumer, edge.operand, port);
      cells[mrrg.input(pe, input, mrrg.slotOf(time))].push_back(literal);
    }
    return literal;
  };
  for (const Spots::Choice &choice : spots.of(edge.to)) {
    int death = deathOf(edge, choice.spot.time);
    std::vector<Literal> some{-choice.literal};
    for (int time = std::max(value.first, death - delay); time <= std::min(value.last, death);
         ++time)
      some.push_back(sampled(choice.spot.pe, time, choice.spot.port));
    cnf.clause(some);
  }
}

/// Follows the value back from where the edge samples it.
std::vector<Step> Formula::routeOf(unsigned e, unsigned &delay) const {
  const Edge &edge = problem.edges[e];
  const Value &value = values[edge.from];
  Spot from = spots.chosen(edge.from), to = spots.chosen(edge.to);
  int death = deathOf(edge, to.time);
  int birth = from.time + int(latencyOf(problem.nodes[edge.from], overlay));
  unsigned ports = problem.nodes[edge.to].kind == NodeKind::VrfRead ? mrrg.numReadPorts() : 1;
  int longest = int(std::min(overlay.operandDelay, 256u)) - 1;
  int time = std::max(birth, death - longest);
  for (; time < std::min(value.last, death); ++time) {
    size_t at = size_t(time - value.first) * mrrg.numPes() + to.pe;
    Literal literal = samples[e][at * ports + to.port];
    if (literal != 0 && cnf.value(literal))
      break;
  }
  delay = unsigned(death - time);
  bool everywhere = problem.nodes[edge.from].kind == NodeKind::StreamIn;
  std::vector<Step> steps;
  unsigned pe = to.pe;
  while (time > birth || (!everywhere && pe != from.pe)) {
    if (time <= birth)
      return {}; // the solver's answer does not trace: verify() refuses the mapping
    const Presence &here = presence(edge.from, pe, time);
    if (here.held != 0 && cnf.value(here.held)) {
      steps.push_back({pe, unsigned(time), Step::Place::Reg, 0});
    } else {
      bool found = false;
      for (const Link &link : overlay.links) {
        if (link.to != pe || found)
          continue;
        for (const auto &[id, sent] : presence(edge.from, link.from, time - 1).sent)
          if (overlay.links[id].to == pe && overlay.links[id].inPort == link.inPort &&
              cnf.value(sent)) {
            steps.push_back({pe, unsigned(time), Step::Place::Link, link.inPort});
            pe = link.from;
            found = true;
            break;
          }
      }
      if (!found)
        return {};
    }
    --time;
  }
  steps.push_back({pe, unsigned(time), Step::Place::Bus, 0});
  std::reverse(steps.begin(), steps.end());
  return steps;
}

Mapping Formula::mapping() const {
  Mapping mapping;
  mapping.ii = mrrg.ii();
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    Spot spot = spots.chosen(node);
    mapping.places.push_back({spot.pe, unsigned(spot.time), spot.port});
  }
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    unsigned delay = 0;
    mapping.routes.push_back(problem.edges[e].order ? std::vector<Step>() : routeOf(e, delay));
    mapping.delays.push_back(uint8_t(delay));
  }
  return mapping;
}

} // namespace

Answer findMapping(const Problem &problem, const Overlay &overlay, unsigned ii, const Reach &reach,
                   Deadline deadline, Mapping &mapping) {
  Formula formula(problem, overlay, ii, reach);
  Answer answer = formula.solve(deadline);
  if (answer == Answer::Yes)
    mapping = formula.mapping();
  return answer;
}

} // namespace acis::map::exact
