// See Placement.h.
#include "passes/mapper/exact/Placement.h"
#include "passes/mapper/Timing.h"
#include "passes/mapper/exact/Cycles.h"
#include "passes/mapper/exact/Spots.h"

namespace acis::map::exact {
namespace {

class Formula {
public:
  Formula(const Problem &problem, const Overlay &overlay, unsigned ii,
          const std::vector<bool> &isOutside)
      : problem(problem), overlay(overlay), isOutside(isOutside), mrrg(overlay, ii),
        cycles(findCycles(problem, overlay, ii)), first(firstTimes()), last(lastTimes()),
        spots(cnf, problem, overlay, mrrg, first, last) {
    for (const Edge &edge : problem.edges)
      if (edge.from != edge.to && cycles.component[edge.from] >= 0 &&
          cycles.component[edge.from] == cycles.component[edge.to])
        keepTime(edge);
    for (unsigned node = 0; node < problem.nodes.size(); ++node)
      carry(node);
  }

  Answer solve(Deadline deadline) { return cnf.solve(deadline); }

private:
  /// All slots for most nodes; on a cycle, relative to its root, that has any slot. Only
  /// differences count, so the first root is in slot 0.
  std::vector<int> firstTimes() const {
    std::vector<int> times(problem.nodes.size(), 0);
    for (unsigned node = 0; node < times.size(); ++node)
      if (cycles.component[node] >= 0)
        times[node] = cycles.first[node];
    return times;
  }
  std::vector<int> lastTimes() const {
    std::vector<int> times(problem.nodes.size(), int(mrrg.ii()) - 1);
    for (unsigned node = 0; node < times.size(); ++node)
      if (int component = cycles.component[node]; component >= 0)
        times[node] = cycles.last[node] + (component == 0 ? 0 : int(mrrg.ii()) - 1);
    return times;
  }

  /// Each spot of one end needs a spot of the other end that is far enough away in time.
  void keepTime(const Edge &edge) {
    int cycles = minCycles(problem, overlay, edge, mrrg.ii());
    bool hops = !edge.order && problem.nodes[edge.from].kind != NodeKind::StreamIn;
    auto fits = [&](const Spot &from, const Spot &to) {
      int way = hops ? int(mrrg.hops(from.pe, to.pe)) : 0;
      return to.time >= from.time + cycles + way;
    };
    for (const Spots::Choice &from : spots.of(edge.from)) {
      std::vector<Literal> some{-from.literal};
      for (const Spots::Choice &to : spots.of(edge.to))
        if (fits(from.spot, to.spot))
          some.push_back(to.literal);
      cnf.clause(some);
    }
    for (const Spots::Choice &to : spots.of(edge.to)) {
      std::vector<Literal> some{-to.literal};
      for (const Spots::Choice &from : spots.of(edge.from))
        if (fits(from.spot, to.spot))
          some.push_back(from.literal);
      cnf.clause(some);
    }
  }

  /// The value is on the PE of its producer and of every consumer; elsewhere than at its
  /// producer it comes over a link, in some slot.
  void carry(unsigned node) {
    if (!hasValue(problem.nodes[node].kind) || problem.nodes[node].kind == NodeKind::StreamIn)
      return;
    std::vector<unsigned> consumers;
    for (const Edge &edge : problem.edges)
      if (edge.from == node && edge.to != node && !edge.order)
        consumers.push_back(edge.to);
    if (consumers.empty())
      return;
    unsigned pes = mrrg.numPes(), ii = mrrg.ii();
    std::vector<Literal> present(pes), taken;
    for (Literal &literal : present)
      literal = cnf.variable();
    for (unsigned consumer : consumers)
      for (unsigned pe = 0; pe < pes; ++pe)
        if (Literal there = spots.on(consumer, pe); there != 0)
          cnf.clause({-there, present[pe]});
    users.resize(overlay.links.size() * ii);
    std::vector<std::vector<Literal>> arrivals(pes);
    for (unsigned id = 0; id < overlay.links.size(); ++id)
      for (unsigned slot = 0; slot < ii; ++slot) {
        Literal sent = cnf.variable();
        cnf.clause({-sent, present[overlay.links[id].from]});
        arrivals[overlay.links[id].to].push_back(sent);
        users[id * ii + slot].push_back(sent);
      }
    for (unsigned pe = 0; pe < pes; ++pe) {
      if (!isOutside.empty() && isOutside[pe])
        continue;
      std::vector<Literal> ways = arrivals[pe];
      ways.push_back(-present[pe]);
      if (Literal here = spots.on(node, pe); here != 0)
        ways.push_back(here);
      cnf.clause(ways);
    }
  }

public:
  void shareLinks() {
    for (const std::vector<Literal> &link : users)
      cnf.atMostOne(link);
  }

private:
  const Problem &problem;
  const Overlay &overlay;
  const std::vector<bool> &isOutside;
  Mrrg mrrg;
  Cnf cnf;
  Cycles cycles;
  std::vector<int> first, last;
  Spots spots;
  std::vector<std::vector<Literal>> users; ///< by link and slot
};

} // namespace

Answer mayBePlaced(const Problem &problem, const Overlay &overlay, unsigned ii, Deadline deadline,
                   const std::vector<bool> &isOutside) {
  Formula formula(problem, overlay, ii, isOutside);
  formula.shareLinks();
  return formula.solve(deadline);
}

} // namespace acis::map::exact
