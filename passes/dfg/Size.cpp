// Node and edge counts of nests, for --report.
#include "passes/dfg/Passes.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace acis::dfg;

GraphSize acis::dfg::initialSize(NestOp nest) {
  auto size = nest->getAttrOfType<DenseI32ArrayAttr>("initial_size");
  if (!size || size.size() != 2)
    return currentSize(nest);
  return {unsigned(size[0]), unsigned(size[1])};
}

// A node that was copied for each VPE carries the number of its original.
static bool isCopy(Operation *op, llvm::DenseSet<int64_t> &seen) {
  auto origin = op->getAttrOfType<IntegerAttr>("origin");
  return origin && !seen.insert(origin.getInt()).second;
}

static bool isNode(Operation *op) {
  return mlir::isa<ComputeOp, ReduceOp, StreamReadOp, StreamWriteOp, MemReadOp, MemWriteOp,
                   VrfReadOp, VrfWriteOp>(op);
}

// Edges: operands that another node, a loop index or a carried value gives. A position
// counts as the arithmetic of the source: an addition, and a multiplication, per term.
GraphSize acis::dfg::currentSize(NestOp nest) {
  GraphSize size;
  llvm::DenseSet<int64_t> seen;
  nest.walk([&](Operation *op) {
    if (!isNode(op) || isCopy(op, seen))
      return;
    ++size.nodes;
    bool inLoops = mlir::isa<LoopOp>(op->getParentOp());
    for (Value operand : op->getOperands()) {
      if (Operation *from = operand.getDefiningOp())
        size.edges += isNode(from);
      else if (!mlir::isa<NestOp>(operand.getParentBlock()->getParentOp()) && inLoops)
        ++size.edges;
    }
    auto access = dyn_cast<AccessOpInterface>(op);
    if (!access || !inLoops)
      return;
    for (const Term &term : access.getPosition().terms) {
      size.nodes += 1 + (term.scale != 1);
      size.edges += 1 + (term.scale != 1);
    }
  });
  // A loop is its index: increment, compare and branch.
  nest.walk([&](LoopOp) {
    size.nodes += 3;
    size.edges += 4;
  });
  return size;
}
