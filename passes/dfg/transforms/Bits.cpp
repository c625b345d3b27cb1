// See Bits.h.
#include "passes/dfg/transforms/Bits.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace acis::dfg {

/// x of `x & 1`, or null.
static Value lastBitOf(Value value) {
  auto mask = value.getDefiningOp<ComputeOp>();
  if (!mask || mask.getOp() != OpKind::And || mask.getDistances())
    return {};
  for (unsigned side : {0u, 1u})
    if (constantOf(mask.getInputs()[side]) == 1 &&
        mlir::isa<VectorType>(mask.getInputs()[1 - side].getType()))
      return mask.getInputs()[1 - side];
  return {};
}

/// Whether every use of the flag is to choose between the two values of a select.
static bool onlySelects(Value flag) {
  return llvm::all_of(flag.getUses(), [](OpOperand &use) {
    auto select = dyn_cast<ComputeOp>(use.getOwner());
    return select && select.getOp() == OpKind::Select && use.getOperandNumber() == 0 &&
           !select.getDistances();
  });
}

void testBits(GraphOp graph) {
  for (ComputeOp test : llvm::to_vector(graph.getBlock()->getOps<ComputeOp>())) {
    bool equal = test.getOp() == OpKind::Eq;
    if ((!equal && test.getOp() != OpKind::Ne) || test.getDistances())
      continue;
    Value tested = lastBitOf(test.getInputs()[0]);
    std::optional<int64_t> with = constantOf(test.getInputs()[1]);
    if (!tested || (with != 0 && with != 1))
      continue;
    bool inverted = equal == (with == 0);
    if (inverted && !onlySelects(test.getResult()))
      continue;
    OpBuilder builder(test);
    auto bit = ComputeOp::create(builder, test.getLoc(), test.getType(), OpKind::Mov, tested);
    if (inverted)
      for (Operation *user : llvm::to_vector(test->getUsers())) {
        auto select = cast<ComputeOp>(user);
        SmallVector<Value> inputs(select.getInputs());
        std::swap(inputs[1], inputs[2]);
        select.getInputsMutable().assign(inputs);
      }
    Operation *mask = test.getInputs()[0].getDefiningOp();
    test.getResult().replaceAllUsesWith(bit.getResult());
    test.erase();
    if (mask->use_empty())
      mask->erase();
  }
}

} // namespace acis::dfg
