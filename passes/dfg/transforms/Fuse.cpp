// dfg-fuse: fewer nodes for the same values.
#include "passes/dfg/Passes.h"
#include "passes/dfg/transforms/FuseAddress.h"

#include "mlir/IR/Builders.h"

namespace acis::dfg {
#define GEN_PASS_DEF_FUSEPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis::dfg;

namespace {

// The product that only this sum uses.
ComputeOp productFor(Value value) {
  auto product = value.getDefiningOp<ComputeOp>();
  return product && product.getOp() == OpKind::Fmul && product->hasOneUse() ? product : ComputeOp();
}

/// Not a constant or an argument of the nest, which is the same in each lane.
bool isBeat(Value value) { return mlir::isa<VectorType>(value.getType()); }

// Whether `value` is computed from `from`, also over iterations.
bool isReached(Value value, Operation *from, llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return op && op == from;
  return op == from || llvm::any_of(op->getOperands(),
                                    [&](Value operand) { return isReached(operand, from, seen); });
}

// An addition in a cycle takes longer as a multiply-add, unless the product is in the
// cycle as well.
bool lengthensCycle(ComputeOp sum, ComputeOp product, Value other) {
  auto graph = dyn_cast<GraphOp>(sum->getParentOp());
  if (!graph || !graph.getScalar())
    return false;
  llvm::SmallPtrSet<Operation *, 16> seen, seenProduct;
  return isReached(other, sum, seen) && !isReached(product.getResult(), sum, seenProduct);
}

// a * b + c and c + a * b: the sum of two numbers does not depend on their order, and a
// NaN result is the canonical one.
void fuseMac(ComputeOp sum) {
  if (sum.getOp() != OpKind::Fadd || sum.getDistances())
    return;
  for (unsigned side : {0u, 1u}) {
    ComputeOp product = productFor(sum.getInputs()[side]);
    if (!product || product.getDistances())
      continue;
    // A slot holds two constants; three would need another operation anyway.
    Value other = sum.getInputs()[1 - side];
    if (lengthensCycle(sum, product, other))
      continue;
    if (!isBeat(product.getInputs()[0]) && !isBeat(product.getInputs()[1]) && !isBeat(other))
      continue;
    sum.getInputsMutable().assign({product.getInputs()[0], product.getInputs()[1], other});
    sum.setOp(OpKind::Fmac);
    product.erase();
    return;
  }
}

void fuseMac(ReduceOp sum) {
  if (sum.getOp() != OpKind::Fadd)
    return;
  ComputeOp product = productFor(sum.getInputs()[0]);
  if (!product || product.getDistances())
    return;
  sum.getInputsMutable().assign(product.getInputs());
  sum.setOp(OpKind::Fmac);
  product.erase();
}

// The first of the uses of a read, if every use widens its elements in one way.
template <typename OpT> ComputeOp extensionOf(OpT read) {
  Type narrow = elementOf(read.getType());
  if (read.getElem() || !mlir::isa<IntegerType>(narrow))
    return nullptr;
  ComputeOp first;
  for (Operation *user : read->getUsers()) {
    auto node = dyn_cast<ComputeOp>(user);
    if (!node || node.getDistances() ||
        (node.getOp() != OpKind::Sext && node.getOp() != OpKind::Mov) ||
        !elementOf(node.getType()).isInteger() || bitsOf(node.getType()) <= bitsOf(narrow))
      return nullptr;
    if (first && (first.getOp() != node.getOp() || first.getType() != node.getType()))
      return nullptr;
    first = node;
  }
  return first;
}

// The port extends elements itself.
template <typename OpT> void fuseExtension(OpT read, OpKind extension, Type wide) {
  read.setElem(elementOf(read.getType()));
  read.setIsSigned(extension == OpKind::Sext);
  read.getResult().setType(wide);
  for (Operation *user : llvm::make_early_inc_range(read->getUsers())) {
    user->getResult(0).replaceAllUsesWith(read.getResult());
    user->erase();
  }
}

// The port of a stream does one thing in a loop: all elements are widened alike, or none.
void fuseExtensions(ArrayRef<StreamReadOp> reads) {
  ComputeOp first;
  for (StreamReadOp read : reads) {
    if (read->use_empty() && !read.getElem())
      continue;
    ComputeOp extension = extensionOf(read);
    if (!extension ||
        (first && (first.getOp() != extension.getOp() || first.getType() != extension.getType())))
      return;
    first = extension;
  }
  if (!first)
    return;
  const OpKind extension = first.getOp();
  const Type wide = first.getType();
  for (StreamReadOp read : reads)
    fuseExtension(read, extension, wide);
}

// The port truncates.
template <typename OpT> void fuseTruncation(OpT write) {
  auto node = write.getValue().template getDefiningOp<ComputeOp>();
  Type narrow = elementOf(write.getValue().getType());
  if (!node || node.getOp() != OpKind::Mov || node.getDistances() || write.getElem() ||
      !elementOf(node.getInputs()[0].getType()).isInteger() || !narrow.isInteger() ||
      bitsOf(node.getInputs()[0].getType()) <= bitsOf(narrow))
    return;
  write.setElem(narrow);
  write.getValueMutable().assign(node.getInputs()[0]);
}

class Fuse : public acis::dfg::impl::FusePassBase<Fuse> {
  void runOnOperation() override {
    for (auto nest : getOperation().getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        fuse(graph);
  }

  static void fuse(GraphOp graph) {
    for (Operation &op : llvm::make_early_inc_range(graph.getBlock()->without_terminator())) {
      if (auto sum = dyn_cast<ComputeOp>(op))
        fuseMac(sum);
      else if (auto sum = dyn_cast<ReduceOp>(op))
        fuseMac(sum);
      else if (auto write = dyn_cast<StreamWriteOp>(op))
        fuseTruncation(write);
      else if (auto write = dyn_cast<MemWriteOp>(op))
        fuseTruncation(write);
    }
    fuseExtensions(llvm::to_vector(graph.getBlock()->getOps<StreamReadOp>()));
    for (auto read : llvm::to_vector(graph.getBlock()->getOps<MemReadOp>()))
      if (ComputeOp first = extensionOf(read))
        fuseExtension(read, first.getOp(), first.getType());
    fuseGuards(graph);
    fuseIndexFields(graph);
    markInterlocks(graph);
  }
};

} // namespace
