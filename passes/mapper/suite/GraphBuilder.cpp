// See GraphBuilder.h.
#include "passes/mapper/suite/GraphBuilder.h"

#include <algorithm>

namespace acis::map::suite {

unsigned GraphBuilder::node(NodeKind kind, std::string name, std::optional<unsigned> pe,
                            UnitClass unit) {
  problem.nodes.push_back({kind, unit, pe, std::move(name)});
  return unsigned(problem.nodes.size() - 1);
}

unsigned GraphBuilder::op(const std::string &name, std::initializer_list<unsigned> values,
                          UnitClass unit) {
  unsigned id = node(NodeKind::Compute, name, {}, unit), operand = 0;
  for (unsigned from : values)
    value(from, id, operand++);
  return id;
}

unsigned GraphBuilder::load(const std::string &name) { return node(NodeKind::VrfRead, name); }

unsigned GraphBuilder::load(const std::string &name, unsigned index) {
  unsigned id = load(name);
  value(index, id, 0);
  return id;
}

unsigned GraphBuilder::store(const std::string &name, unsigned data) {
  unsigned id = node(NodeKind::VrfWrite, name);
  value(data, id, 0);
  return id;
}

unsigned GraphBuilder::store(const std::string &name, unsigned data, unsigned index) {
  unsigned id = store(name, data);
  value(index, id, 1);
  return id;
}

unsigned GraphBuilder::streamOut(unsigned data) {
  unsigned id = node(NodeKind::StreamOut, "out");
  value(data, id, 0);
  return id;
}

void GraphBuilder::value(unsigned from, unsigned to, unsigned operand, unsigned distance) {
  problem.edges.push_back({from, to, operand, distance});
}

void GraphBuilder::order(unsigned from, unsigned to, unsigned latency, unsigned distance) {
  problem.edges.push_back({from, to, 0, distance, /*order=*/true, latency});
}

void GraphBuilder::carry(unsigned from, unsigned to, unsigned distance) {
  unsigned operand = 0;
  for (const Edge &edge : problem.edges)
    if (edge.to == to && !edge.order)
      operand = std::max(operand, edge.operand + 1);
  value(from, to, operand, distance);
}

} // namespace acis::map::suite
