// The nodes and value edges of a graph.
#include "passes/dfg/map/MapGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace acis::dfg {
namespace {

std::optional<map::NodeKind> kindOf(Operation *op) {
  using Kind = std::optional<map::NodeKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<ComputeOp, ReduceOp>([](auto) { return map::NodeKind::Compute; })
      .Case<VrfReadOp>([](auto) { return map::NodeKind::VrfRead; })
      .Case<VrfWriteOp>([](auto) { return map::NodeKind::VrfWrite; })
      .Case<StreamReadOp>([](auto) { return map::NodeKind::StreamIn; })
      .Case<StreamWriteOp>([](auto) { return map::NodeKind::StreamOut; })
      .Case<MemReadOp>([](auto) { return map::NodeKind::MemRead; })
      .Case<MemWriteOp>([](auto) { return map::NodeKind::MemWrite; })
      .Default([](auto) { return Kind(); });
}

/// The operands that wires carry: SSA operand number and the mapper's number.
using Wires = SmallVector<std::pair<unsigned, unsigned>, 3>;

Wires wiresOf(Operation *op) {
  Wires wires;
  auto add = [&](Value value, OpOperand *operand, unsigned number) {
    if (value)
      wires.push_back({operand->getOperandNumber(), number});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<ComputeOp, ReduceOp>([&](auto node) {
        for (unsigned i = 0, e = node.getInputs().size(); i != e; ++i)
          wires.push_back({node.getInputsMutable().begin()->getOperandNumber() + i, i});
      })
      .Case<VrfReadOp>([&](VrfReadOp read) {
        if (read.getIndex())
          add(read.getIndex(), &*read.getIndexMutable().begin(), 0);
      })
      .Case<VrfWriteOp>([&](VrfWriteOp write) {
        add(write.getValue(), &write.getValueMutable(), 0);
        if (write.getIndex())
          add(write.getIndex(), &*write.getIndexMutable().begin(), 1);
        if (write.getPredicate())
          add(write.getPredicate(), &*write.getPredicateMutable().begin(), 2);
      })
      .Case<StreamWriteOp, MemWriteOp>([&](auto write) {
        add(write.getValue(), &write.getValueMutable(), 0);
        if (write.getPredicate())
          add(write.getPredicate(), &*write.getPredicateMutable().begin(), 1);
      });
  return wires;
}

std::string nameOfNode(Operation *op, unsigned id) {
  std::string name = op->getName().stripDialect().str();
  if (auto compute = dyn_cast<ComputeOp>(op))
    name = stringifyOpKind(compute.getOp()).str();
  return nameOf(op->getLoc(), name).str() + "#" + std::to_string(id);
}

std::optional<unsigned> fixedPe(Operation *op) {
  if (llvm::isa<StreamReadOp>(op))
    return {};
  if (auto pe = op->getAttrOfType<IntegerAttr>("pe"))
    return pe.getInt();
  if (llvm::isa<VrfReadOp, VrfWriteOp>(op))
    if (ArrayOp array = arrayOf(op))
      return array.getHome();
  return {};
}

/// What the unit or the register file of its PE has to be able to do.
Extras extrasOf(Operation *op) {
  auto graph = op->getParentOfType<GraphOp>();
  if (llvm::isa<VrfReadOp, VrfWriteOp>(op))
    return needsGather(op) ? extra::Gather : 0;
  if (!llvm::isa<ComputeOp, ReduceOp>(op))
    return 0;
  Extras extras = graph.getLaneBits() == 64 ? extra::Wide : 0;
  if (auto compute = dyn_cast<ComputeOp>(op))
    extras |= extrasOf(compute.getOp());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    extras |= extrasOf(reduce.getOp());
  return extras;
}

map::Node toNode(Operation *op, map::NodeKind kind, unsigned id) {
  map::Node node;
  node.kind = kind;
  if (auto compute = dyn_cast<ComputeOp>(op))
    node.unit = unitOf(compute.getOp());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    node.unit = unitOf(reduce.getOp());
  node.extras = extrasOf(op);
  node.pe = fixedPe(op);
  node.name = nameOfNode(op, id);
  return node;
}

unsigned distanceOf(Operation *op, unsigned input) {
  auto compute = dyn_cast<ComputeOp>(op);
  if (!compute || !compute.getDistances())
    return 0;
  return (*compute.getDistances())[input];
}

} // namespace

long cyclesOf(Operation *op, const Overlay &overlay) {
  if (auto compute = dyn_cast<ComputeOp>(op))
    return overlay.latencyOf(unitOf(compute.getOp()));
  return llvm::isa<VrfReadOp, StreamReadOp, MemReadOp>(op) ? overlay.inputLatency : 0;
}

SmallVector<unsigned, 3> wireOperands(Operation *op) {
  return llvm::map_to_vector<3>(wiresOf(op), [](auto wire) { return wire.first; });
}

GraphProblem toProblem(GraphOp graph, const Overlay &overlay) {
  GraphProblem result;
  llvm::DenseMap<Operation *, unsigned> ids;
  for (Operation &op : *graph.getBlock())
    if (auto kind = kindOf(&op)) {
      unsigned id = result.nodes.size();
      ids[&op] = id;
      result.nodes.push_back(&op);
      result.problem.nodes.push_back(toNode(&op, *kind, id));
    }
  for (auto [id, op] : llvm::enumerate(result.nodes)) {
    for (auto [ssa, number] : wiresOf(op)) {
      Carriage from = carriageOf(op->getOperand(ssa));
      auto producer = ids.find(from.value.getDefiningOp());
      if (producer == ids.end())
        continue;
      map::Edge edge;
      edge.from = producer->second;
      edge.to = id;
      edge.operand = number;
      edge.distance = distanceOf(op, number) + from.distance;
      result.problem.edges.push_back(edge);
      result.operands.push_back(ssa);
    }
  }
  for (auto [id, op] : llvm::enumerate(result.nodes))
    if (llvm::isa<ReduceOp>(op)) {
      map::Edge edge;
      edge.from = edge.to = id;
      edge.order = true;
      edge.distance = isa::AccPartials;
      edge.latency = overlay.latencyOf(result.problem.nodes[id].unit);
      result.problem.edges.push_back(edge);
      result.operands.push_back(0);
    }
  return result;
}

} // namespace acis::dfg
