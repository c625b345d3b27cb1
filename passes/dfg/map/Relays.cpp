// Values that are wanted later than a delay line holds them. A `mov` on their way has a delay
// line of its own.
#include "passes/dfg/map/MapGraph.h"
#include "passes/mapper/Timing.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace acis::dfg {
namespace {

constexpr long Unreached = -(1L << 40); ///< by no way; less than any sum of latencies

/// Longest ways from a node at an interval at which no cycle is too long.
std::vector<long> waysFrom(unsigned start, const map::Problem &problem,
                           const std::vector<long> &weight) {
  std::vector<long> way(problem.nodes.size(), Unreached);
  way[start] = 0;
  for (size_t round = 0, changed = 1; changed && round <= way.size(); ++round) {
    changed = 0;
    for (auto [e, edge] : llvm::enumerate(problem.edges))
      if (way[edge.from] != Unreached && way[edge.from] + weight[e] > way[edge.to]) {
        way[edge.to] = way[edge.from] + weight[e];
        changed = 1;
      }
  }
  return way;
}

} // namespace

SmallVector<Operation *> addRelays(GraphOp graph, const GraphProblem &graphProblem,
                                   const Overlay &overlay, unsigned interval) {
  const map::Problem &problem = graphProblem.problem;
  std::vector<long> weight;
  for (const map::Edge &edge : problem.edges)
    weight.push_back(long(map::cyclesOf(problem, edge, overlay)) - long(edge.distance) * interval);
  // A register holds a value for up to an interval; two on the way are always to be had.
  long line = long(std::min(overlay.operandDelay, 256u)) - 1;
  long most = line + 2 * std::min<long>(interval - 1, line);
  long step = line + long(overlay.latencyOf(unitOf(OpKind::Mov)));

  SmallVector<Operation *> relays;
  for (unsigned from = 0; from < problem.nodes.size(); ++from) {
    Operation *producer = graphProblem.nodes[from];
    if (producer->getNumResults() == 0)
      continue;
    std::vector<long> way;
    SmallVector<Value> chain{producer->getResult(0)}; // the value, and later ones of it
    for (auto [e, edge] : llvm::enumerate(problem.edges)) {
      Operation *consumer = graphProblem.nodes[edge.to];
      unsigned operand = graphProblem.operands[e];
      if (edge.from != from || edge.order || edge.to == from ||
          consumer->getOperand(operand) != chain.front())
        continue; // what is carried over iterations keeps its initial value
      if (way.empty())
        way = waysFrom(from, problem, weight);
      long wait = way[edge.to] - long(map::cyclesOf(problem, edge, overlay));
      size_t needed = wait > most ? size_t((wait - most + step - 1) / step) : 0;
      while (chain.size() <= needed) {
        OpBuilder builder(graph.getContext());
        builder.setInsertionPointAfter(producer);
        relays.push_back(ComputeOp::create(builder, producer->getLoc(), chain.back().getType(),
                                           OpKind::Mov, chain.back()));
        chain.push_back(relays.back()->getResult(0));
      }
      consumer->setOperand(operand, chain[needed]);
    }
  }
  return relays;
}

void removeRelays(ArrayRef<Operation *> relays) {
  for (Operation *relay : llvm::reverse(relays)) {
    relay->getResult(0).replaceAllUsesWith(relay->getOperand(0));
    relay->erase();
  }
}

} // namespace acis::dfg
