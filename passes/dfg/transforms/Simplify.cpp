// dfg-simplify: strength reduction on imported nests.
#include "passes/dfg/Passes.h"

#include "mlir/IR/Builders.h"

namespace acis::dfg {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis::dfg;

namespace {

/// k if the value is the constant 2^k of its type.
std::optional<unsigned> log2Of(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  if (!integer || !integer.getValue().isPowerOf2())
    return std::nullopt;
  return integer.getValue().logBase2();
}

/// The cheap operation and its constant: x * 2^k, x / 2^k, x % 2^k.
void reduceStrength(ComputeOp op) {
  OpKind kind = op.getOp();
  if (kind != OpKind::Mul && kind != OpKind::Udiv && kind != OpKind::Urem)
    return;
  if (kind == OpKind::Mul && log2Of(op.getInputs()[0]))
    op.getInputsMutable().assign({op.getInputs()[1], op.getInputs()[0]});
  std::optional<unsigned> log2 = log2Of(op.getInputs()[1]);
  if (!log2)
    return;
  OpBuilder builder(op);
  Type type = op.getType();
  int64_t constant = kind == OpKind::Urem ? (int64_t(1) << *log2) - 1 : *log2;
  OpKind cheap = kind == OpKind::Mul    ? OpKind::Shl
                 : kind == OpKind::Udiv ? OpKind::Lshr
                                        : OpKind::And;
  Value amount = ConstOp::create(builder, op.getLoc(), builder.getIntegerAttr(type, constant));
  op.setOp(cheap);
  op.getInputsMutable().assign({op.getInputs()[0], amount});
}

class Simplify : public acis::dfg::impl::SimplifyPassBase<Simplify> {
  void runOnOperation() override {
    for (auto nest : getOperation().getOps<NestOp>()) {
      GraphSize size = currentSize(nest);
      Builder builder(&getContext());
      nest->setAttr("initial_size",
                    builder.getDenseI32ArrayAttr({int32_t(size.nodes), int32_t(size.edges)}));
      nest.walk([](ComputeOp op) { reduceStrength(op); });
    }
  }
};

} // namespace
