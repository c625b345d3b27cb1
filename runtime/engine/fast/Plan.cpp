#include "runtime/engine/fast/Plan.h"

#include "runtime/engine/device/Element.h"
#include "runtime/engine/loader/VrfOrders.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace acis::fast {

namespace {

using Kind = GraphOperand::Kind;

/// Strongly connected components (Tarjan), producers first, without recursion: graphs
/// come from untrusted binaries and may be deep.
class Components {
public:
  explicit Components(const std::vector<std::vector<uint32_t>> &successors)
      : successors(successors), index(successors.size(), 0), low(successors.size(), 0),
        onStack(successors.size(), false) {
    for (uint32_t n = 0; n < successors.size(); ++n)
      if (index[n] == 0)
        visit(n);
    std::reverse(found.begin(), found.end());
    for (std::vector<uint32_t> &component : found)
      std::sort(component.begin(), component.end()); // node order is topological
  }
  std::vector<std::vector<uint32_t>> found;

private:
  void enter(uint32_t n) {
    index[n] = low[n] = ++counter;
    stack.push_back(n);
    onStack[n] = true;
    path.push_back({n, 0});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!path.empty()) {
      const uint32_t n = path.back().first;
      if (path.back().second < successors[n].size()) {
        const uint32_t next = successors[n][path.back().second++];
        if (index[next] == 0)
          enter(next);
        else if (onStack[next])
          low[n] = std::min(low[n], index[next]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back().first] = std::min(low[path.back().first], low[n]);
      if (low[n] == index[n])
        close(n);
    }
  }

  void close(uint32_t root) {
    found.emplace_back();
    uint32_t n;
    do {
      n = stack.back();
      stack.pop_back();
      onStack[n] = false;
      found.back().push_back(n);
    } while (n != root);
  }

  const std::vector<std::vector<uint32_t>> &successors;
  std::vector<uint32_t> index, low, stack;
  std::vector<bool> onStack;
  std::vector<std::pair<uint32_t, size_t>> path;
  uint32_t counter = 0;
};

bool contains(const std::vector<uint32_t> &nodes, uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Whether a recurrence is { read, operation, write } of one address, so that it can
/// be executed on the register file itself.
bool isUpdate(const ContextGraph &graph, const isa::LoopContext &loop,
              const std::vector<uint32_t> &nodes) {
  if (nodes.size() != 3)
    return false;
  const GraphNode &read = graph.nodes[nodes[0]], &operation = graph.nodes[nodes[1]],
                  &write = graph.nodes[nodes[2]];
  if (read.kind != ElementKind::VrfRead || operation.kind != ElementKind::Compute ||
      write.kind != ElementKind::VrfWrite)
    return false;
  const isa::Slot &word = loop.pes[operation.pe].slots[operation.slot];
  const bool plain = word.op != isa::Op::Iota && word.op != isa::Op::Lane &&
                     word.op != isa::Op::Slide && !word.accumulate;
  auto isValue = [](const GraphOperand &operand, uint32_t node) {
    return operand.kind == Kind::Node && operand.node == node && operand.distance == 0;
  };
  // No other edges inside: the operands come from the read or from outside.
  for (const GraphOperand &operand : operation.operands)
    if (operand.kind == Kind::Node && contains(nodes, operand.node) && !isValue(operand, nodes[0]))
      return false;
  for (const GraphOperand &operand : read.operands)
    if (operand.kind == Kind::Node && contains(nodes, operand.node))
      return false;
  const GraphOperand &predicate = write.operands[2];
  return plain && isValue(write.operands[0], nodes[1]) && predicate.kind == Kind::None;
}

/// Producers before consumers within one cycle: a bus carries port reads in the cycle
/// of the access, and a read port may take its index from the other one's bus.
unsigned rankInCycle(const isa::LoopContext &loop, const GraphNode &node) {
  if (node.kind == ElementKind::StreamIn || node.kind == ElementKind::MemIn)
    return 0;
  if (node.kind != ElementKind::VrfRead)
    return 3;
  const isa::Operand &index = loop.pes[node.pe].slots[node.slot].read[node.port].index;
  const bool fromPort = index.source == isa::Source::Vrf0 || index.source == isa::Source::Vrf1;
  return addressOf(loop, node).indexed && fromPort && index.delay == 0 ? 2 : 1;
}

} // namespace

Plan::Plan(ImageContext context) : source(std::move(context)) {
  const ContextGraph &graph = source.graph;
  const size_t count = graph.nodes.size();
  std::vector<std::vector<uint32_t>> successors(count);
  history.assign(count, 0);
  used.assign(count, false);
  for (uint32_t n = 0; n < count; ++n)
    for (const GraphOperand &operand : graph.nodes[n].operands)
      if (operand.kind == Kind::Node) {
        successors[operand.node].push_back(n);
        history[operand.node] = std::max(history[operand.node], operand.distance);
      }
  auto indexed = [&](uint32_t n) { return addressOf(source.loop, graph.nodes[n]).indexed; };
  for (const VrfOrder &order : graph.orders) {
    if (order.interlock) {
      successors[order.write].push_back(order.access);
      successors[order.access].push_back(order.write);
    } else if (indexed(order.write) || indexed(order.access)) {
      timed = true;
    } else {
      const bool accessFirst = order.distance >= 1;
      successors[accessFirst ? order.access : order.write].push_back(accessFirst ? order.write
                                                                                 : order.access);
      hazards.push_back({order.write, order.access, order.distance, false});
    }
  }

  // Memory is read ahead: what an iteration writes is for later launches.
  for (uint32_t read = 0; read < count; ++read)
    for (uint32_t write = 0; write < count; ++write)
      if (graph.nodes[read].kind == ElementKind::MemIn &&
          graph.nodes[write].kind == ElementKind::MemOut)
        successors[read].push_back(write);

  for (std::vector<uint32_t> &nodes : Components(successors).found) {
    const bool itself = contains(successors[nodes[0]], nodes[0]);
    const StepKind kind = nodes.size() == 1 && !itself          ? StepKind::Block
                          : isUpdate(graph, source.loop, nodes) ? StepKind::Update
                                                                : StepKind::Loop;
    for (Hazard &hazard : hazards)
      hazard.sameLoop |= contains(nodes, hazard.write) && contains(nodes, hazard.access);
    for (uint32_t n : nodes)
      for (uint32_t user : successors[n])
        if (kind != StepKind::Update || !contains(nodes, user))
          used[n] = true;
    steps.push_back({kind, std::move(nodes)});
  }

  const bool mayBeTimed = timed || !hazards.empty();
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t behind = mayBeTimed ? source.loop.stages + 1u : 0;
    ringBeats.push_back(std::bit_ceil(std::max(
        history[n] ? BlockIterations + history[n] : BlockIterations, history[n] + behind)));
    cycleOrder.push_back(n);
  }
  std::sort(cycleOrder.begin(), cycleOrder.end(), [&](uint32_t l, uint32_t r) {
    const GraphNode &left = graph.nodes[l], &right = graph.nodes[r];
    return std::tuple(left.slot, rankInCycle(source.loop, left), l) <
           std::tuple(right.slot, rankInCycle(source.loop, right), r);
  });
}

} // namespace acis::fast
