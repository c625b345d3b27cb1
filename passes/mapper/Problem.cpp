// Well-formedness of a mapping problem, before any search.
#include "passes/mapper/Problem.h"
#include "passes/mapper/Timing.h"

#include <set>

namespace acis::map {

std::string nameOf(const Problem &problem, unsigned node) {
  const std::string &name = problem.nodes[node].name;
  return name.empty() ? "node " + std::to_string(node) : "'" + name + "'";
}

static const char *partOf(const Node &node) {
  static const char *const units[] = {"integer unit", "conversion unit", "float unit",
                                      "divide unit"};
  switch (node.kind) {
  case NodeKind::Compute:
    return units[unsigned(node.unit)];
  case NodeKind::VrfRead:
  case NodeKind::VrfWrite:
    return "vector register file";
  case NodeKind::MemRead:
  case NodeKind::MemWrite:
    return "port to off-chip memory";
  case NodeKind::StreamIn:
  case NodeKind::StreamOut:
    break;
  }
  return "stream port";
}

std::string equipmentOf(const Node &node) {
  return partOf(node) + (node.extras ? " with " + namesOf(node.extras) : std::string());
}

static unsigned maxOperands(NodeKind kind) {
  switch (kind) {
  case NodeKind::Compute:
  case NodeKind::VrfWrite:
    return 3;
  case NodeKind::MemWrite:
  case NodeKind::StreamOut:
    return 2;
  case NodeKind::VrfRead:
    return 1;
  case NodeKind::StreamIn:
  case NodeKind::MemRead:
    break;
  }
  return 0;
}

static StatusOf<Unmapped> checkNode(const Problem &problem, unsigned id, const Overlay &overlay) {
  const Node &node = problem.nodes[id];
  std::string name = nameOf(problem, id);
  if (unsigned(node.kind) > unsigned(NodeKind::MemWrite) || unsigned(node.unit) >= NumUnitClasses)
    return Unmapped{fault(name + " has an unknown kind or unit class"), id};
  if (node.kind == NodeKind::StreamIn)
    return node.pe
               ? StatusOf<Unmapped>(Unmapped{fault("stream input " + name + " is pinned to PE " +
                                                   std::to_string(*node.pe) + "; it has no PE"),
                                             id})
               : StatusOf<Unmapped>::ok();
  if (node.pe && *node.pe >= overlay.numPes())
    return Unmapped{fault(name + " is pinned to PE " + std::to_string(*node.pe) +
                          "; the overlay has " + std::to_string(overlay.numPes()) + " PEs"),
                    id};
  const std::string equipment = equipmentOf(node);
  if (std::none_of(overlay.pes.begin(), overlay.pes.end(),
                   [&](const PeKind &kind) { return canRun(kind, node); }))
    return Unmapped{
        Refusal(Why::MissingEquipment, name, (equipment[0] == 'i' ? "an " : "a ") + equipment), id};
  if (node.pe && !canRun(overlay.pes[*node.pe], node))
    return Unmapped{Refusal(Why::EquipmentElsewhere, name, *node.pe, equipment), id};
  return {};
}

static StatusOf<Unmapped> checkEdge(const Problem &problem, const Edge &edge) {
  if (edge.from >= problem.nodes.size() || edge.to >= problem.nodes.size())
    return Unmapped{fault("edge from node " + std::to_string(edge.from) + " to node " +
                          std::to_string(edge.to) + "; there are " +
                          std::to_string(problem.nodes.size()) + " nodes")};
  if (edge.order)
    return {};
  if (!hasValue(problem.nodes[edge.from].kind))
    return Unmapped{fault(nameOf(problem, edge.from) + " has no value, but is operand " +
                          std::to_string(edge.operand) + " of " + nameOf(problem, edge.to)),
                    edge.from};
  unsigned max = maxOperands(problem.nodes[edge.to].kind);
  if (edge.operand >= max)
    return Unmapped{fault(nameOf(problem, edge.to) + " is given operand " +
                          std::to_string(edge.operand) + "; nodes of its kind have " +
                          std::to_string(max)),
                    edge.to};
  return {};
}

/// Nodes that cannot be sorted along edges of distance 0 lie on a cycle of one
/// iteration, or behind one; walking backwards from any of them enters it.
static StatusOf<Unmapped> checkCycles(const Problem &problem) {
  unsigned size = unsigned(problem.nodes.size());
  std::vector<unsigned> waiting(size, 0), ready;
  std::vector<std::vector<unsigned>> next(size);
  for (const Edge &edge : problem.edges)
    if (edge.distance == 0) {
      ++waiting[edge.to];
      next[edge.from].push_back(edge.to);
    }
  for (unsigned node = 0; node < size; ++node)
    if (waiting[node] == 0)
      ready.push_back(node);
  for (size_t head = 0; head < ready.size(); ++head)
    for (unsigned to : next[ready[head]])
      if (--waiting[to] == 0)
        ready.push_back(to);
  if (ready.size() == size)
    return {};
  unsigned node = 0;
  while (waiting[node] == 0)
    ++node;
  for (unsigned step = 0; step < size; ++step)
    for (const Edge &edge : problem.edges)
      if (edge.distance == 0 && edge.to == node && waiting[edge.from] != 0) {
        node = edge.from;
        break;
      }
  return Unmapped{fault(nameOf(problem, node) +
                        " depends on itself within one iteration; the dependence must have a "
                        "distance of at least 1"),
                  node};
}

/// A memory port has one address generator, so it serves one access of a loop.
static StatusOf<Unmapped> checkMemory(const Problem &problem, NodeKind kind,
                                      const Overlay &overlay) {
  const char *what = kind == NodeKind::MemRead ? "read" : "write";
  unsigned uses = 0;
  std::vector<bool> taken(overlay.numPes(), false);
  for (unsigned id = 0; id < problem.nodes.size(); ++id) {
    const Node &node = problem.nodes[id];
    if (node.kind != kind)
      continue;
    ++uses;
    if (node.pe && taken[*node.pe])
      return Unmapped{Refusal(Why::SecondMemoryAccess, nameOf(problem, id), what, *node.pe), id};
    if (node.pe)
      taken[*node.pe] = true;
  }
  if (uses > overlay.memoryPorts())
    return Unmapped{Refusal(Why::MemoryAccesses, uses, what, overlay.memoryPorts())};
  return {};
}

StatusOf<Unmapped> Problem::check(const Overlay &overlay) const {
  for (unsigned id = 0; id < nodes.size(); ++id)
    if (StatusOf<Unmapped> status = checkNode(*this, id, overlay); !status)
      return status;
  for (NodeKind kind : {NodeKind::MemRead, NodeKind::MemWrite})
    if (StatusOf<Unmapped> status = checkMemory(*this, kind, overlay); !status)
      return status;
  std::set<std::pair<unsigned, unsigned>> given;
  for (const Edge &edge : edges) {
    if (StatusOf<Unmapped> status = checkEdge(*this, edge); !status)
      return status;
    if (!edge.order && !given.insert({edge.to, edge.operand}).second)
      return Unmapped{fault("operand " + std::to_string(edge.operand) + " of " +
                            nameOf(*this, edge.to) + " is given twice"),
                      edge.to};
  }
  return checkCycles(*this);
}

} // namespace acis::map
