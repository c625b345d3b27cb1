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

/// Takes the values of the selects that ask for the flag the other way round.
static void invertSelects(ComputeOp flag) {
  for (Operation *user : llvm::to_vector(flag->getUsers())) {
    auto select = cast<ComputeOp>(user);
    SmallVector<Value> inputs(select.getInputs());
    std::swap(inputs[1], inputs[2]);
    select.getInputsMutable().assign(inputs);
  }
}

/// What a select may ask for in place of the flag: the computed value that is compared with 0.
static Value comparedWithZero(ComputeOp test) {
  auto value = test.getInputs()[0].getDefiningOp<ComputeOp>();
  bool cut = value && mlir::isa<IntegerType>(elementOf(value.getType()));
  return cut && isZero(test.getInputs()[1]) && onlySelects(test.getResult()) ? value.getResult()
                                                                             : Value();
}

void testBits(GraphOp graph) {
  for (ComputeOp test : llvm::to_vector(graph.getBlock()->getOps<ComputeOp>())) {
    bool equal = test.getOp() == OpKind::Eq;
    if ((!equal && test.getOp() != OpKind::Ne) || test.getDistances())
      continue;
    Value tested = lastBitOf(test.getInputs()[0]);
    std::optional<int64_t> with = constantOf(test.getInputs()[1]);
    bool inverted = equal == (with == 0);
    if (tested && (with == 0 || with == 1) && (!inverted || onlySelects(test.getResult()))) {
      OpBuilder builder(test);
      tested = ComputeOp::create(builder, test.getLoc(), test.getType(), OpKind::Mov, tested);
    } else {
      tested = comparedWithZero(test);
      inverted = equal;
    }
    if (!tested)
      continue;
    if (inverted)
      invertSelects(test);
    Operation *mask = test.getInputs()[0].getDefiningOp();
    test.getResult().replaceAllUsesWith(tested);
    test.erase();
    if (mask->use_empty())
      mask->erase();
  }
}

} // namespace acis::dfg
