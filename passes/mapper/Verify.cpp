// Independent check of a mapping. Shares no code with the search and no data
// structure: it replays the mapping against what backend/isa/Context.h says.
#include "passes/mapper/Problem.h"

#include <map>
#include <tuple>

namespace acis::map {
namespace {

class Verifier {
public:
  Verifier(const Problem &problem, const Overlay &overlay, const Mapping &mapping)
      : problem(problem), overlay(overlay), mapping(mapping) {}

  Status run() {
    if (Status status = sizes(); !status)
      return status;
    for (unsigned node = 0; node < problem.nodes.size(); ++node)
      if (Status status = place(node); !status)
        return status;
    for (unsigned e = 0; e < problem.edges.size(); ++e) {
      const Edge &edge = problem.edges[e];
      if (Status status = edge.order ? order(e) : route(e); !status)
        return status;
      if (edge.order)
        continue;
      for (size_t at = 1; at < mapping.routes[e].size(); ++at)
        if (Status status = move(e, at); !status)
          return status;
      if (Status status = sample(e); !status)
        return status;
    }
    return {};
  }

private:
  /// What is used once per slot: (kind, PE, index, slot).
  enum Kind {
    Unit,
    Result,
    ReadPort,
    WritePort,
    MemRead,
    MemWrite,
    Pop,
    Push,
    LinkOut,
    Reg,
    RegWrite,
    In,
    Busy
  };
  using Key = std::tuple<Kind, unsigned, unsigned, unsigned>;
  /// What uses it: (node or source, time, register).
  using User = std::tuple<unsigned, unsigned, unsigned>;

  Error fail(const std::string &text) const { return Error{"mapping", text}; }
  std::string name(unsigned node) const {
    const std::string &text = problem.nodes[node].name;
    return text.empty() ? "node " + std::to_string(node) : "'" + text + "'";
  }
  std::string edgeName(unsigned e) const {
    const Edge &edge = problem.edges[e];
    return "edge " + name(edge.from) + " -> " + name(edge.to);
  }

  bool use(Kind kind, unsigned pe, unsigned index, unsigned slot, User user) {
    auto [at, fresh] = used.insert({Key{kind, pe, index, slot}, user});
    return fresh || at->second == user;
  }

  Status sizes() const {
    if (mapping.ii < 1 || mapping.ii > overlay.contextSlots)
      return fail("initiation interval " + std::to_string(mapping.ii) + "; 1 to " +
                  std::to_string(overlay.contextSlots) + " is allowed");
    if (mapping.places.size() != problem.nodes.size())
      return fail(std::to_string(mapping.places.size()) + " places for " +
                  std::to_string(problem.nodes.size()) + " nodes");
    if (mapping.routes.size() != problem.edges.size() ||
        mapping.delays.size() != problem.edges.size())
      return fail(std::to_string(mapping.routes.size()) + " routes and " +
                  std::to_string(mapping.delays.size()) + " delays for " +
                  std::to_string(problem.edges.size()) + " edges");
    return {};
  }

  Status place(unsigned id) {
    const Node &node = problem.nodes[id];
    const Placement &at = mapping.places[id];
    std::string where = name(id) + " on PE " + std::to_string(at.pe) + ": ";
    if (at.pe >= overlay.numPes())
      return fail(where + "the overlay has " + std::to_string(overlay.numPes()) + " PEs");
    if (node.pe && *node.pe != at.pe)
      return fail(where + "pinned to PE " + std::to_string(*node.pe));
    if (at.time / mapping.ii >= overlay.stages)
      return fail(where + "stage " + std::to_string(at.time / mapping.ii) +
                  " is too large; the overlay has " + std::to_string(overlay.stages));
    unsigned ports = node.kind == NodeKind::VrfRead ? overlay.vrfReadPorts : 1;
    if (at.port >= ports || at.port >= 2)
      return fail(where + "port " + std::to_string(at.port) + " does not exist");
    const PeKind &kind = overlay.pes[at.pe];
    unsigned slot = at.time % mapping.ii;
    bool equipped = true, fresh = true;
    User user{id, at.time, 0};
    switch (node.kind) {
    case NodeKind::Compute:
      equipped = kind.units[unsigned(node.unit)];
      fresh = use(Unit, at.pe, 0, slot, user);
      if (Status status = share(id, where); fresh && equipped && !status)
        return status;
      if (fresh && !use(Result, at.pe, 0, birth(id) % mapping.ii, user))
        return fail(where + "two results on the bus in slot " +
                    std::to_string(birth(id) % mapping.ii));
      break;
    case NodeKind::VrfRead:
      equipped = kind.vrf;
      fresh = use(ReadPort, at.pe, at.port, slot, user);
      break;
    case NodeKind::VrfWrite:
      equipped = kind.vrf;
      fresh = use(WritePort, at.pe, 0, slot, user);
      break;
    case NodeKind::MemRead: // one address generator per PE and loop
      equipped = kind.memory;
      fresh = use(MemRead, at.pe, 0, 0, user);
      break;
    case NodeKind::MemWrite:
      equipped = kind.memory;
      fresh = use(MemWrite, at.pe, 0, 0, user);
      break;
    case NodeKind::StreamIn:
      equipped = at.pe == 0;
      fresh = use(Pop, 0, 0, slot, user);
      break;
    case NodeKind::StreamOut:
      fresh = use(Push, 0, 0, slot, user);
      break;
    }
    if (!equipped || (node.extras & ~kind.extras) != 0)
      return fail(where + "the PE has not what it needs");
    if (!fresh)
      return fail(where + "its unit or port is used twice in slot " + std::to_string(slot));
    return {};
  }

  /// A unit that lanes share works on an operation for several slots.
  Status share(unsigned id, const std::string &where) {
    const Placement &at = mapping.places[id];
    const unsigned unit = unsigned(problem.nodes[id].unit), slots = overlay.pes[at.pe].every[unit];
    if (slots > mapping.ii)
      return fail(where + "its unit takes an operation in " + std::to_string(slots) +
                  " slots, the interval is " + std::to_string(mapping.ii));
    for (unsigned k = 0; k < slots; ++k)
      if (!use(Busy, at.pe, unit, (at.time + k) % mapping.ii, {id, at.time, 0}))
        return fail(where + "its unit is still busy with another operation in slot " +
                    std::to_string((at.time + k) % mapping.ii));
    return {};
  }

  unsigned birth(unsigned node) const {
    bool computes = problem.nodes[node].kind == NodeKind::Compute;
    unsigned latency =
        computes ? overlay.latency[unsigned(problem.nodes[node].unit)] : overlay.inputLatency;
    return mapping.places[node].time + latency;
  }
  uint64_t death(const Edge &edge) const {
    return mapping.places[edge.to].time + uint64_t(edge.distance) * mapping.ii;
  }
  /// The index of an access of the register file is taken earlier than the access.
  unsigned early(const Edge &edge) const {
    NodeKind kind = problem.nodes[edge.to].kind;
    bool isIndex = kind == NodeKind::VrfRead || (kind == NodeKind::VrfWrite && edge.operand == 1);
    return isIndex ? overlay.indexLatency : 0;
  }

  Status order(unsigned e) const {
    const Edge &edge = problem.edges[e];
    if (!mapping.routes[e].empty() || mapping.delays[e] != 0)
      return fail(edgeName(e) + " carries no value but has a route or a delay");
    if (death(edge) < uint64_t(mapping.places[edge.from].time) + edge.latency)
      return fail(edgeName(e) + " is out of order");
    return {};
  }

  Status route(unsigned e) const {
    const Edge &edge = problem.edges[e];
    const std::vector<Step> &steps = mapping.routes[e];
    if (steps.empty())
      return fail(edgeName(e) + " has no route");
    const Step &first = steps.front(), &last = steps.back();
    bool everywhere = problem.nodes[edge.from].kind == NodeKind::StreamIn;
    if (first.place != Step::Place::Bus || first.index != 0 || first.time != birth(edge.from) ||
        (!everywhere && first.pe != mapping.places[edge.from].pe) || first.pe >= overlay.numPes())
      return fail(edgeName(e) + " does not begin on its producer's bus in cycle " +
                  std::to_string(birth(edge.from)));
    if (mapping.delays[e] >= overlay.operandDelay)
      return fail(edgeName(e) + " has a delay of " + std::to_string(mapping.delays[e]) +
                  "; delay lines have " + std::to_string(overlay.operandDelay) + " cycles");
    if (last.pe != mapping.places[edge.to].pe ||
        uint64_t(last.time) + mapping.delays[e] + early(edge) != death(edge))
      return fail(edgeName(e) + " ends on PE " + std::to_string(last.pe) + " in cycle " +
                  std::to_string(last.time) + " with a delay of " +
                  std::to_string(mapping.delays[e]) + ", not at its consumer in cycle " +
                  std::to_string(int64_t(death(edge)) - early(edge)));
    return {};
  }

  /// Step `at` of a route, against the one before it.
  Status move(unsigned e, size_t at) {
    const Step &from = mapping.routes[e][at - 1], &to = mapping.routes[e][at];
    unsigned value = problem.edges[e].from;
    std::string where = edgeName(e) + " in cycle " + std::to_string(to.time) + ": ";
    if (to.time != from.time + 1)
      return fail(where + "steps are not one cycle apart");
    if (to.place == Step::Place::Bus)
      return fail(where + "a value cannot return to a bus");
    if (to.place == Step::Place::Link) {
      const Link *link = nullptr;
      for (const Link &l : overlay.links)
        if (l.from == from.pe && l.to == to.pe && l.inPort == to.index)
          link = &l;
      if (!link)
        return fail(where + "no link from PE " + std::to_string(from.pe) + " to in-link " +
                    std::to_string(to.index) + " of PE " + std::to_string(to.pe));
      if (!use(LinkOut, from.pe, link->port, from.time % mapping.ii, {value, from.time, 0}))
        return fail(where + "the link is used twice");
      return {};
    }
    if (to.pe != from.pe || to.index >= overlay.routeRegs)
      return fail(where + "register " + std::to_string(to.index) + " is not one of PE " +
                  std::to_string(from.pe));
    if (!use(Reg, to.pe, to.index, to.time % mapping.ii, {value, to.time, 0}))
      return fail(where + "register " + std::to_string(to.index) + " of PE " +
                  std::to_string(to.pe) + " is overwritten while it is needed");
    bool held = from.place == Step::Place::Reg && from.index == to.index;
    if (!held && !use(RegWrite, to.pe, 0, from.time % mapping.ii, {value, from.time, to.index}))
      return fail(where + "PE " + std::to_string(to.pe) + " writes two registers at once");
    return {};
  }

  /// The last step against the other uses of the operand input.
  Status sample(unsigned e) {
    const Edge &edge = problem.edges[e];
    const Step &last = mapping.routes[e].back();
    isa::Source source = isa::Source::Res;
    if (last.place == Step::Place::Link)
      source = isa::linkSource(last.index);
    else if (last.place == Step::Place::Reg)
      source = isa::regSource(last.index);
    else if (problem.nodes[edge.from].kind == NodeKind::StreamIn)
      source = isa::Source::StreamIn;
    else if (problem.nodes[edge.from].kind == NodeKind::MemRead)
      source = isa::Source::MemIn;
    else if (problem.nodes[edge.from].kind == NodeKind::VrfRead)
      source = isa::Source(unsigned(isa::Source::Vrf0) + mapping.places[edge.from].port);
    // An input is named by the kind of its consumer, the port and the operand.
    unsigned input = unsigned(problem.nodes[edge.to].kind) * 64 + mapping.places[edge.to].port * 8 +
                     edge.operand;
    if (!use(In, last.pe, input, last.time % mapping.ii, {unsigned(source), 0, 0}))
      return fail(edgeName(e) + ": the operand input has to select two sources in slot " +
                  std::to_string(last.time % mapping.ii));
    return {};
  }

  const Problem &problem;
  const Overlay &overlay;
  const Mapping &mapping;
  std::map<Key, User> used;
};

} // namespace

Status verify(const Problem &problem, const Overlay &overlay, const Mapping &mapping) {
  return Verifier(problem, overlay, mapping).run();
}

} // namespace acis::map
