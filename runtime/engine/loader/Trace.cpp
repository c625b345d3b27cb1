#include "runtime/engine/loader/Trace.h"

#include "runtime/engine/device/Element.h"
#include "runtime/engine/device/KernelTable.h"
#include "runtime/engine/loader/ContextCheck.h"
#include "runtime/engine/loader/VrfOrders.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace acis {

using isa::LoopContext;
using isa::Op;
using isa::Slot;
using isa::Source;

namespace {

/// History that engines have to keep for one value.
constexpr int64_t MaxDistance = 1024;

class Tracer {
public:
  Tracer(const LoopContext &loop, const Overlay &overlay) : loop(loop), overlay(overlay) {
    for (unsigned i = 0; i < overlay.links.size(); ++i)
      inLinks[{overlay.links[i].to, overlay.links[i].inPort}] = i;
  }

  Result<ContextGraph> trace() {
    collect();
    if (Status s = order(); !s)
      return s.error();
    for (GraphNode &node : graph.nodes)
      if (Status s = traceNode(node); !s)
        return s.error();
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      if (graph.nodes[n].kind == ElementKind::StreamIn)
        graph.pops.push_back(n);
      if (graph.nodes[n].kind == ElementKind::StreamOut)
        graph.pushes.push_back(n);
    }
    return std::move(graph);
  }

private:
  using Key = std::tuple<ElementKind, unsigned, unsigned, unsigned>; // kind, pe, slot, port

  void add(ElementKind kind, unsigned pe, unsigned slot, unsigned stage, unsigned port = 0) {
    GraphNode node;
    node.kind = kind;
    node.pe = uint16_t(pe);
    node.slot = uint16_t(slot);
    node.port = uint8_t(port);
    node.time = stage * loop.ii + slot;
    graph.nodes.push_back(node);
  }

  void collect() {
    for (unsigned slot = 0; slot < loop.ii; ++slot) {
      if (loop.streamInSlots[slot].on)
        add(ElementKind::StreamIn, 0, slot, loop.streamInSlots[slot].stage);
      for (unsigned pe = 0; pe < loop.pes.size(); ++pe) {
        const Slot &word = loop.pes[pe].slots[slot];
        if (word.op != Op::Nop)
          add(ElementKind::Compute, pe, slot, word.stage);
        for (unsigned port = 0; port < 2; ++port)
          if (word.read[port].on)
            add(ElementKind::VrfRead, pe, slot, word.read[port].stage, port);
        if (word.write.on)
          add(ElementKind::VrfWrite, pe, slot, word.write.stage);
        if (word.memIn.on)
          add(ElementKind::MemIn, pe, slot, word.memIn.stage);
        if (word.memOut.on)
          add(ElementKind::MemOut, pe, slot, word.memOut.stage);
        if (word.streamOut.on)
          add(ElementKind::StreamOut, pe, slot, word.streamOut.stage);
      }
    }
  }

  /// Whether a read port takes its index from what the other one reads in the same cycle.
  bool indexedByOther(const GraphNode &node) const {
    if (overlay.inputLatency != 0)
      return false;
    const isa::VrfRead &read = loop.pes[node.pe].slots[node.slot].read[node.port];
    return loop.pes[node.pe].addresses[read.address].indexed && read.index.delay == 0 &&
           read.index.source == (node.port == 0 ? Source::Vrf1 : Source::Vrf0);
  }

  /// Producers come before consumers by time; in one cycle only port reads are
  /// producers, if their values take none, and only read ports consume them as producers.
  Status order() {
    auto rank = [&](const GraphNode &node) {
      switch (node.kind) {
      case ElementKind::StreamIn:
      case ElementKind::MemIn:
        return 0;
      case ElementKind::VrfRead:
        return indexedByOther(node) ? 2 : 1;
      default:
        return 3;
      }
    };
    std::sort(graph.nodes.begin(), graph.nodes.end(), [&](const auto &l, const auto &r) {
      return std::tuple(l.time, rank(l), l.pe, l.kind, l.port) <
             std::tuple(r.time, rank(r), r.pe, r.kind, r.port);
    });
    for (unsigned n = 0; n < graph.nodes.size(); ++n) {
      const GraphNode &node = graph.nodes[n];
      ids[{node.kind, node.pe, node.slot, node.port}] = n;
      if (node.kind != ElementKind::VrfRead || !indexedByOther(node))
        continue;
      GraphNode other = node;
      other.port = 1 - node.port;
      if (loop.pes[node.pe].slots[node.slot].read[other.port].on && indexedByOther(other))
        return slotError(node.pe, node.slot, "two reads that are each other's index");
    }
    return {};
  }

  Status traceNode(GraphNode &node) {
    if (node.kind == ElementKind::StreamIn || node.kind == ElementKind::MemIn)
      return {};
    const Slot &word = loop.pes[node.pe].slots[node.slot];
    auto indexed = [&](unsigned address) { return loop.pes[node.pe].addresses[address].indexed; };
    const isa::Operand none;
    std::array<isa::Operand, 3> from{};
    switch (node.kind) {
    case ElementKind::Compute: {
      const std::array<isa::Operand, 3> operands{word.a, word.b, word.c};
      const unsigned count = element::operandsOf(word.op);
      std::copy_n(operands.begin(), count, from.begin());
      if (word.accumulate) {
        from[count - 1] = none;
        node.operands[count - 1].kind = GraphOperand::Kind::Partial;
      }
      break;
    }
    case ElementKind::VrfRead:
      if (indexed(word.read[node.port].address))
        from[0] = word.read[node.port].index;
      break;
    case ElementKind::VrfWrite:
      from = {word.write.data, indexed(word.write.address) ? word.write.index : none,
              word.write.predicate};
      break;
    case ElementKind::MemOut:
      from = {word.memOut.data, word.memOut.predicate, none};
      break;
    default:
      from = {word.streamOut.data, word.streamOut.predicate, none};
    }
    for (unsigned i = 0; i < 3; ++i) {
      if (from[i].source == Source::None)
        continue;
      // Operand 0 of a read, 1 of a write.
      const bool isIndex =
          i == 0 ? node.kind == ElementKind::VrfRead : i == 1 && node.kind == ElementKind::VrfWrite;
      Result<GraphOperand> operand =
          traceOperand(node, from[i], isIndex ? overlay.indexLatency : 0);
      if (!operand)
        return operand.error();
      node.operands[i] = *operand;
      node.operands[i].first = from[i].first;
      node.operands[i].init = from[i].init;
    }
    return {};
  }

  unsigned slotAt(int64_t time) const {
    const int64_t ii = loop.ii;
    return unsigned(((time % ii) + ii) % ii);
  }

  /// Follows a source back in time from its use by `node` in iteration 0, which takes what it gives
  /// `lead` cycles before. A constant is that of the node's own slot.
  Result<GraphOperand> traceOperand(const GraphNode &node, const isa::Operand &operand,
                                    unsigned lead) {
    Source source = operand.source;
    unsigned pe = node.pe;
    const bool isConstant = source == Source::Imm0 || source == Source::Imm1;
    int64_t time = int64_t(node.time) - operand.delay - (isConstant ? 0 : lead);
    // Longer than all places in all slots: the value goes round and round.
    const size_t most = size_t(loop.pes.size()) * loop.ii * 32 + 1;
    for (size_t step = 0; step < most; ++step) {
      if (source == Source::Imm0 || source == Source::Imm1)
        return constant(node, source, pe, time, step > 0);
      if (source >= Source::Reg0) {
        const auto before = lastWrite(pe, unsigned(source) - unsigned(Source::Reg0), time);
        if (before < 0)
          return slotError(node.pe, node.slot,
                           "register " + std::to_string(unsigned(source) - 16) + " of pe " +
                               std::to_string(pe) + " is read and never written");
        time -= before;
        source = loop.pes[pe].slots[slotAt(time)].regData;
      } else if (source >= Source::Link0) {
        const auto link = inLinks.find({pe, unsigned(source) - unsigned(Source::Link0)});
        if (link == inLinks.end())
          return slotError(node.pe, node.slot,
                           "in-link " + std::to_string(unsigned(source) - 8) + " of pe " +
                               std::to_string(pe) + " does not exist");
        time -= 1;
        pe = overlay.links[link->second].from;
        source = loop.pes[pe].slots[slotAt(time)].link[overlay.links[link->second].port];
      } else if (source == Source::None) {
        return slotError(node.pe, node.slot,
                         "a value that pe " + std::to_string(pe) + " does not send in slot " +
                             std::to_string(slotAt(time)));
      } else {
        return producer(node, source, pe, time);
      }
    }
    return slotError(node.pe, node.slot, "a value that only goes round and has no producer");
  }

  /// Cycles since the last write of a register before `time`, -1 if there is none.
  int lastWrite(unsigned pe, unsigned reg, int64_t time) const {
    for (unsigned back = 1; back <= loop.ii; ++back) {
      const Slot &word = loop.pes[pe].slots[slotAt(time - back)];
      if (word.regWrite && word.reg == reg)
        return int(back);
    }
    return -1;
  }

  Result<GraphOperand> constant(const GraphNode &node, Source source, unsigned pe, int64_t time,
                                bool routed) const {
    if (routed && time < 0)
      return slotError(node.pe, node.slot, "a constant that is on its way before the loop starts");
    GraphOperand result;
    result.kind = GraphOperand::Kind::Imm;
    result.imm = source == Source::Imm1;
    result.pe = uint16_t(pe);
    result.slot = uint16_t(slotAt(time));
    return result;
  }

  /// The element whose value is on bus `source` of `pe` at `time`.
  Result<GraphOperand> producer(const GraphNode &node, Source source, unsigned pe,
                                int64_t time) const {
    for (unsigned slot = 0; slot < loop.ii; ++slot) {
      const Slot &word = loop.pes[pe].slots[slot];
      int64_t issued = time - overlay.inputLatency;
      Key key;
      if (source == Source::Res && word.op != Op::Nop) {
        issued = time - latencyOf(word.op, overlay);
        key = {ElementKind::Compute, pe, slot, 0};
      } else if (source == Source::Vrf0 && word.read[0].on) {
        key = {ElementKind::VrfRead, pe, slot, 0};
      } else if (source == Source::Vrf1 && word.read[1].on) {
        key = {ElementKind::VrfRead, pe, slot, 1};
      } else if (source == Source::MemIn && word.memIn.on) {
        key = {ElementKind::MemIn, pe, slot, 0};
      } else if (source == Source::StreamIn && loop.streamInSlots[slot].on) {
        key = {ElementKind::StreamIn, 0, slot, 0};
      } else {
        continue;
      }
      if (slotAt(issued) != slot)
        continue;
      GraphOperand result;
      result.kind = GraphOperand::Kind::Node;
      result.node = ids.at(key);
      const int64_t distance = (int64_t(graph.nodes[result.node].time) - issued) / loop.ii;
      if (distance < 0 || distance > MaxDistance)
        return slotError(node.pe, node.slot,
                         "a value " + std::to_string(distance) + " iterations old; 0 to " +
                             std::to_string(MaxDistance) + " are possible");
      result.distance = uint32_t(distance);
      return result;
    }
    return slotError(node.pe, node.slot,
                     "bus " + std::to_string(unsigned(source)) + " of pe " + std::to_string(pe) +
                         " carries nothing in slot " + std::to_string(slotAt(time)));
  }

  const LoopContext &loop;
  const Overlay &overlay;
  ContextGraph graph;
  std::map<Key, uint32_t> ids;
  std::map<std::pair<unsigned, unsigned>, unsigned> inLinks; ///< (pe, in-port) to link
};

} // namespace

Result<ContextGraph> traceContext(const LoopContext &context, const Overlay &overlay) {
  if (Status s = checkContext(context, overlay); !s)
    return s.error();
  Result<ContextGraph> graph = Tracer(context, overlay).trace();
  if (!graph)
    return graph;
  if (Status s = orderVrfAccesses(context, overlay, *graph); !s)
    return s.error();
  return graph;
}

} // namespace acis
