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

/// x / 2^k and x % 2^k with a sign: shifts round down, so 2^k - 1 is added to a negative x.
void reduceSigned(ComputeOp op) {
  Value x = op.getInputs()[0];
  const std::optional<unsigned> log2 = log2Of(op.getInputs()[1]);
  const unsigned bits = op.getType().getIntOrFloatBitWidth();
  if (!log2 || *log2 == 0 || *log2 == bits - 1)
    return;
  OpBuilder builder(op);
  auto constant = [&](int64_t value) -> Value {
    return ConstOp::create(builder, op.getLoc(), builder.getIntegerAttr(op.getType(), value));
  };
  auto compute = [&](OpKind kind, Value a, Value b) -> Value {
    return ComputeOp::create(builder, op.getLoc(), op.getType(), kind, ValueRange{a, b});
  };
  Value sign = *log2 == 1 ? x : compute(OpKind::Ashr, x, constant(bits - 1));
  Value moved = compute(OpKind::Add, x, compute(OpKind::Lshr, sign, constant(bits - *log2)));
  const bool divides = op.getOp() == OpKind::Sdiv;
  op.setOp(divides ? OpKind::Ashr : OpKind::Sub);
  if (divides)
    op.getInputsMutable().assign({moved, constant(*log2)});
  else
    op.getInputsMutable().assign(
        {x, compute(OpKind::And, moved, constant(-(int64_t(1) << *log2)))});
}

/// The cheap operation and its constant: x * 2^k, x / 2^k, x % 2^k.
void reduceStrength(ComputeOp op) {
  OpKind kind = op.getOp();
  if (kind == OpKind::Sdiv || kind == OpKind::Srem)
    return reduceSigned(op);
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
