// See Spots.h.
#include "passes/mapper/exact/Spots.h"
#include "passes/mapper/Timing.h"

namespace acis::map::exact {

Spots::Spots(Cnf &cnf, const Problem &problem, const Overlay &overlay, const Mrrg &mrrg,
             const std::vector<int> &first, const std::vector<int> &last)
    : cnf(cnf), problem(problem), overlay(overlay), mrrg(mrrg), choices(problem.nodes.size()),
      places(problem.nodes.size() * mrrg.numPes(), 0) {
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    addNode(node, first[node], last[node]);
  addUnits();
}

void Spots::addNode(unsigned node, int first, int last) {
  const Node &n = problem.nodes[node];
  std::vector<Literal> all;
  unsigned ports = n.kind == NodeKind::VrfRead ? mrrg.numReadPorts() : 1;
  for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
    if (n.kind == NodeKind::StreamIn ? pe != 0 : n.pe && *n.pe != pe)
      continue;
    if (n.kind != NodeKind::StreamIn && !canRunEvery(overlay.pes[pe], n, mrrg.ii()))
      continue;
    Literal here = cnf.variable();
    places[node * mrrg.numPes() + pe] = here;
    std::vector<Literal> some{-here};
    for (unsigned port = 0; port < ports; ++port)
      for (int time = first; time <= last; ++time) {
        Literal at = cnf.variable();
        choices[node].push_back({{pe, time, port}, at});
        all.push_back(at);
        some.push_back(at);
        cnf.clause({-at, here});
      }
    cnf.clause(some);
  }
  cnf.exactlyOne(all);
}

void Spots::addUnits() {
  std::vector<std::vector<Literal>> users(mrrg.numCells());
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    for (const Choice &choice : choices[node]) {
      const Spot &spot = choice.spot;
      unsigned slot = mrrg.slotOf(spot.time), cell = 0;
      switch (problem.nodes[node].kind) {
      case NodeKind::Compute: {
        int end = spot.time + int(latencyOf(problem.nodes[node], overlay));
        users[mrrg.result(spot.pe, mrrg.slotOf(end))].push_back(choice.literal);
        cell = mrrg.unit(spot.pe, slot);
        const Node &n = problem.nodes[node];
        if (unsigned busy = busyOf(overlay.pes[spot.pe], n); busy > 1)
          for (unsigned k = 0; k < busy; ++k)
            users[mrrg.sharedUnit(spot.pe, n.unit, mrrg.slotOf(spot.time + int(k)))].push_back(
                choice.literal);
        break;
      }
      case NodeKind::VrfRead:
        cell = mrrg.vrfRead(spot.pe, spot.port, slot);
        break;
      case NodeKind::VrfWrite:
        cell = mrrg.vrfWrite(spot.pe, slot);
        break;
      case NodeKind::MemRead:
        cell = mrrg.memRead(spot.pe);
        break;
      case NodeKind::MemWrite:
        cell = mrrg.memWrite(spot.pe);
        break;
      case NodeKind::StreamIn:
        cell = mrrg.streamIn(slot);
        break;
      case NodeKind::StreamOut:
        cell = mrrg.streamOut(slot);
        break;
      }
      users[cell].push_back(choice.literal);
    }
  for (const std::vector<Literal> &cell : users)
    cnf.atMostOne(cell);
}

Spot Spots::chosen(unsigned node) const {
  for (const Choice &choice : choices[node])
    if (cnf.value(choice.literal))
      return choice.spot;
  return {};
}

} // namespace acis::map::exact
