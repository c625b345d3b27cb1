// See ShareBranches.h.
#include "passes/dfg/transforms/ShareBranches.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace acis::dfg {

/// Whether the operation's result comes back to it, over iterations.
static bool isOnCycle(ComputeOp op) {
  llvm::SmallPtrSet<Operation *, 32> seen;
  SmallVector<Operation *> open(op->getUsers());
  while (!open.empty()) {
    Operation *at = open.pop_back_val();
    if (at == op.getOperation())
      return true;
    if (seen.insert(at).second)
      open.append(at->user_begin(), at->user_end());
  }
  return false;
}

/// The operation behind one side of a choice, if nothing else needs it.
static ComputeOp branchOf(ComputeOp select, unsigned operand) {
  auto branch = select.getInputs()[operand].getDefiningOp<ComputeOp>();
  bool fits = branch && branch->hasOneUse() && !branch.getDistances() && !branch.getImmediate() &&
              branch.getInputs().size() == 2 && branch.getType() == select.getType();
  return fits ? branch : ComputeOp();
}

/// The operand in which the two differ, if it is one and may be chosen by a select.
static std::optional<unsigned> differenceOf(ComputeOp a, ComputeOp b) {
  if (a.getOp() != b.getOp() || a.getReassoc() != b.getReassoc())
    return {};
  for (unsigned side : {0u, 1u}) {
    Value left = a.getInputs()[side], right = b.getInputs()[side];
    Type type = elementOf(a.getType());
    if (a.getInputs()[1 - side] == b.getInputs()[1 - side] && elementOf(left.getType()) == type &&
        elementOf(right.getType()) == type)
      return side;
  }
  return {};
}

void shareBranches(GraphOp graph) {
  for (ComputeOp select : llvm::to_vector(graph.getBlock()->getOps<ComputeOp>())) {
    if (select.getOp() != OpKind::Select || select.getDistances())
      continue;
    ComputeOp yes = branchOf(select, 1), no = branchOf(select, 2);
    if (!yes || !no || yes == no || isOnCycle(select))
      continue;
    std::optional<unsigned> side = differenceOf(yes, no);
    if (!side)
      continue;
    OpBuilder builder(select);
    auto chosen = ComputeOp::create(
        builder, select.getLoc(), select.getType(), OpKind::Select,
        ValueRange{select.getInputs()[0], yes.getInputs()[*side], no.getInputs()[*side]});
    SmallVector<Value> inputs(yes.getInputs());
    inputs[*side] = chosen.getResult();
    auto shared = ComputeOp::create(builder, yes.getLoc(), select.getType(), yes.getOp(), inputs);
    shared.setReassoc(yes.getReassoc());
    select.getResult().replaceAllUsesWith(shared.getResult());
    select.erase();
    yes.erase();
    no.erase();
  }
}

} // namespace acis::dfg
