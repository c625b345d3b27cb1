// dfg-rebalance: chains of associative operations as trees, with recurrences near the root.
//
// (((a + b) + c) + d) becomes (a + b) + (c + d), which is ready earlier. Where a value comes
// round from an earlier iteration, it joins last: x = (x * a + b) + c becomes x * a + (b + c),
// one operation less on the cycle that bounds the initiation interval.
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/transforms/Bits.h"
#include "passes/dfg/transforms/LinearBits.h"
#include "passes/dfg/transforms/Reductions.h"
#include "passes/dfg/transforms/ShareBranches.h"
#include "passes/mapper/Timing.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <tuple>

namespace acis::dfg {
#define GEN_PASS_DEF_REBALANCEPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// When a value is ready: first how late it is after the root of its tree in the iteration
/// before (Early if it does not depend on the root), then how deep it is in its iteration.
struct Arrival {
  static constexpr long Early = -(1L << 40);
  long lag = Early, depth = 0;

  bool operator<(const Arrival &other) const {
    return std::tie(lag, depth) < std::tie(other.lag, other.depth);
  }
};
Arrival after(const Arrival &a, const Arrival &b, long cycles) {
  long lag = std::max(a.lag, b.lag);
  return {lag == Arrival::Early ? lag : lag + cycles, std::max(a.depth, b.depth) + cycles};
}

/// An operand of a tree, which is subtracted if it is negative.
struct Leaf {
  Value value;
  bool negative = false;
  Arrival arrival;
};

class Rebalancer {
public:
  Rebalancer(GraphOp graph, const Overlay &overlay) : graph(graph), overlay(overlay) {}

  void run() {
    analyse();
    SmallVector<ComputeOp> roots;
    for (auto op : graph.getBlock()->getOps<ComputeOp>())
      if (isMember(op, op) && !inner(op))
        roots.push_back(op);
    for (ComputeOp root : roots)
      rebalance(root);
  }

private:
  void analyse();
  void findLags(unsigned root);
  bool isMember(ComputeOp op, ComputeOp root) const;
  ComputeOp inner(ComputeOp op) const;
  Arrival collect(ComputeOp op, ComputeOp root, bool negative, SmallVectorImpl<Leaf> &leaves);
  Arrival arrivalOf(Value value) const;
  Leaf combine(ComputeOp root, const Leaf &a, const Leaf &b, OpBuilder &builder);
  void rebalance(ComputeOp root);
  long latencyOf(OpKind op) const { return overlay.latencyOf(unitOf(op)); }

  GraphOp graph;
  const Overlay &overlay;
  GraphProblem problem;
  llvm::DenseMap<Operation *, unsigned> ids;
  llvm::DenseMap<Value, long> fresh; ///< depth of what was made since analyse()
  std::vector<long> weight;          ///< by edge
  std::vector<long> depth, lag;      ///< by node: when it starts
  long interval = 1;
};

/// The kind that a tree of this operation has: sums contain differences.
OpKind kindOf(ComputeOp op) { return op.getOp() == OpKind::Sub ? OpKind::Add : op.getOp(); }

void Rebalancer::analyse() {
  problem = toProblem(graph, overlay);
  (void)addDependences(graph, overlay, problem); // dfg-map refuses
  ids.clear();
  fresh.clear();
  for (auto [id, op] : llvm::enumerate(problem.nodes))
    ids[op] = unsigned(id);
  interval = map::bounds(problem.problem, overlay).recMii;
  const std::vector<map::Edge> &edges = problem.problem.edges;
  weight.clear();
  for (const map::Edge &edge : edges)
    weight.push_back(map::cyclesOf(problem.problem, edge, overlay));
  depth.assign(problem.nodes.size(), 0);
  for (size_t round = 0, changed = 1; changed && round <= depth.size(); ++round) {
    changed = 0;
    for (auto [e, edge] : llvm::enumerate(edges))
      if (edge.distance == 0 && depth[edge.from] + weight[e] > depth[edge.to]) {
        depth[edge.to] = depth[edge.from] + weight[e];
        changed = 1;
      }
  }
}

/// Longest ways from the root; a cycle back to it is not longer than its iterations.
void Rebalancer::findLags(unsigned root) {
  lag.assign(problem.nodes.size(), Arrival::Early);
  lag[root] = 0;
  for (size_t round = 0, changed = 1; changed && round <= lag.size(); ++round) {
    changed = 0;
    for (auto [e, edge] : llvm::enumerate(problem.problem.edges)) {
      if (lag[edge.from] == Arrival::Early)
        continue;
      long reach = lag[edge.from] + weight[e] - long(edge.distance) * interval;
      if (reach > lag[edge.to]) {
        lag[edge.to] = reach;
        changed = 1;
      }
    }
  }
}

/// Whether the operation may be part of the root's tree.
bool Rebalancer::isMember(ComputeOp op, ComputeOp root) const {
  if (kindOf(op) != kindOf(root) || op.getType() != root.getType() || op.getDistances())
    return false;
  if (op.getOp() == OpKind::Fadd)
    return op.getReassoc();
  return mlir::isa<IntegerType>(elementOf(op.getType())) &&
         (op.getOp() == OpKind::Sub || isAssociative(op.getOp()));
}

/// The operation of the same tree that alone uses this one, or null.
ComputeOp Rebalancer::inner(ComputeOp op) const {
  if (!op->hasOneUse())
    return {};
  auto user = dyn_cast<ComputeOp>(*op->user_begin());
  return user && isMember(user, op) && isMember(op, user) ? user : ComputeOp();
}

Arrival Rebalancer::arrivalOf(Value value) const {
  if (auto made = fresh.find(value); made != fresh.end())
    return {Arrival::Early, made->second};
  Carriage from = carriageOf(value);
  auto id = ids.find(from.value.getDefiningOp());
  if (id == ids.end())
    return {};
  long cycles = cyclesOf(problem.nodes[id->second], overlay);
  Arrival arrival;
  if (long start = lag[id->second]; start != Arrival::Early)
    arrival.lag = start + cycles - long(from.distance) * interval;
  arrival.depth = from.distance == 0 ? depth[id->second] + cycles : 0;
  return arrival;
}

/// The leaves below an operation; when its result is ready as it is now.
Arrival Rebalancer::collect(ComputeOp op, ComputeOp root, bool negative,
                            SmallVectorImpl<Leaf> &leaves) {
  Arrival arrivals[2];
  for (unsigned side : {0u, 1u}) {
    Value value = op.getInputs()[side];
    bool minus = negative != (side == 1 && op.getOp() == OpKind::Sub);
    auto below = value.getDefiningOp<ComputeOp>();
    if (below && below->hasOneUse() && below->getBlock() == root->getBlock() &&
        isMember(below, root)) {
      arrivals[side] = collect(below, root, minus, leaves);
      continue;
    }
    arrivals[side] = arrivalOf(value);
    leaves.push_back({value, minus, arrivals[side]});
  }
  return after(arrivals[0], arrivals[1], latencyOf(root.getOp()));
}

/// a + b, a - b, b - a or -(a + b).
Leaf Rebalancer::combine(ComputeOp root, const Leaf &a, const Leaf &b, OpBuilder &builder) {
  bool differ = a.negative != b.negative;
  OpKind kind = differ ? OpKind::Sub : kindOf(root);
  SmallVector<Value, 2> inputs{a.value, b.value};
  if (differ && a.negative)
    std::swap(inputs[0], inputs[1]);
  auto made = ComputeOp::create(builder, root.getLoc(), root.getType(), kind, inputs);
  made.setReassoc(root.getReassoc());
  Leaf leaf{made.getResult(), a.negative && b.negative,
            after(a.arrival, b.arrival, latencyOf(kind))};
  fresh[leaf.value] = leaf.arrival.depth;
  return leaf;
}

Leaf takeEarliest(SmallVectorImpl<Leaf> &leaves) {
  auto *first = std::min_element(leaves.begin(), leaves.end(), [](const Leaf &a, const Leaf &b) {
    return a.arrival < b.arrival;
  });
  Leaf leaf = *first;
  leaves.erase(first);
  return leaf;
}

void Rebalancer::rebalance(ComputeOp root) {
  auto id = ids.find(root);
  if (id == ids.end())
    return;
  findLags(id->second);
  SmallVector<Leaf> leaves;
  Arrival before = collect(root, root, /*negative=*/false, leaves);
  if (leaves.size() < 3)
    return;
  // The two that are ready first, again and again: the smallest time of the last one.
  SmallVector<Leaf> trial(leaves);
  while (trial.size() > 1) {
    Leaf first = takeEarliest(trial), second = takeEarliest(trial);
    trial.push_back({{}, false, after(first.arrival, second.arrival, latencyOf(root.getOp()))});
  }
  if (!(trial[0].arrival < before))
    return;
  OpBuilder builder(root);
  while (leaves.size() > 1) {
    Leaf first = takeEarliest(leaves), second = takeEarliest(leaves);
    leaves.push_back(combine(root, first, second, builder));
  }
  root.getResult().replaceAllUsesWith(leaves[0].value);
  SmallVector<Operation *> dead{root};
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    SmallVector<Value> operands(op->getOperands());
    ids.erase(op);
    op->erase();
    for (Value operand : operands)
      if (auto below = operand.getDefiningOp<ComputeOp>(); below && below->use_empty())
        dead.push_back(below);
  }
  if (before.lag != Arrival::Early)
    analyse();
}

class Rebalance : public OverlayPass<acis::dfg::impl::RebalancePassBase<Rebalance>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &overlay) override {
    for (auto nest : getOperation().getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>()) {
        if (graph.getVpes())
          continue;
        testBits(graph);
        shareBranches(graph);
        flatten(graph, overlay);
        Rebalancer(graph, overlay).run();
      }
    return success();
  }

  static unsigned boundOf(GraphOp graph, const Overlay &overlay) {
    GraphProblem problem = toProblem(graph, overlay);
    (void)addDependences(graph, overlay, problem); // dfg-map refuses
    return map::bounds(problem.problem, overlay).mii();
  }

  /// Sums of bits that are computed at once, where this lowers the bound after rebalancing.
  static void flatten(GraphOp graph, const Overlay &overlay) {
    std::optional<unsigned> bound;
    auto carryOf = [](GraphOp of, size_t number) {
      return llvm::to_vector(of.getBlock()->getOps<CarryOp>())[number];
    };
    size_t carries = llvm::range_size(graph.getBlock()->getOps<CarryOp>());
    for (size_t number = 0; graph.getScalar() && number < carries; ++number) {
      auto trial = cast<GraphOp>(OpBuilder(graph).clone(*graph));
      if (flattenLinear(carryOf(trial, number))) {
        if (!bound)
          bound = rebalancedBound(graph, overlay);
        Rebalancer(trial, overlay).run();
        if (unsigned lower = boundOf(trial, overlay); lower < *bound) {
          bound = lower;
          flattenLinear(carryOf(graph, number));
        }
      }
      trial.erase();
    }
  }

  static unsigned rebalancedBound(GraphOp graph, const Overlay &overlay) {
    auto trial = cast<GraphOp>(OpBuilder(graph).clone(*graph));
    Rebalancer(trial, overlay).run();
    unsigned bound = boundOf(trial, overlay);
    trial.erase();
    return bound;
  }
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createRebalancePass(const Overlay &overlay) {
  return createWith<Rebalance>(overlay);
}
