// Follows operations for a few steps.
#include "passes/dfg/Ranges.h"

using namespace mlir;
using namespace acis::dfg;

constexpr unsigned MaxDepth = 6; ///< operations behind a value that are looked at

static uint64_t greatestAt(Value value, unsigned depth);

static uint64_t greatestOf(ComputeOp op, uint64_t all, unsigned depth) {
  auto input = [&](unsigned number) { return greatestAt(op.getInputs()[number], depth + 1); };
  auto constant = [&](unsigned number) -> std::optional<uint64_t> {
    auto from = op.getInputs()[number].getDefiningOp<ConstOp>();
    auto integer = from ? dyn_cast<IntegerAttr>(from.getValue()) : IntegerAttr();
    return integer ? std::optional(integer.getValue().getZExtValue()) : std::nullopt;
  };
  switch (op.getOp()) {
  case OpKind::And:
  case OpKind::Umin:
    return std::min(input(0), input(1));
  case OpKind::Or:
  case OpKind::Xor:
    return llvm::maskTrailingOnes<uint64_t>(llvm::bit_width(input(0) | input(1)));
  case OpKind::Umax:
    return std::max(input(0), input(1));
  case OpKind::Select:
    return std::max(input(1), input(2));
  case OpKind::Mov:
    return input(0);
  case OpKind::Lshr:
    if (std::optional<uint64_t> amount = constant(1); amount && *amount < 64)
      return input(0) >> *amount;
    return input(0);
  case OpKind::Urem: // by 0 it is what is divided
    if (std::optional<uint64_t> divisor = constant(1); divisor && *divisor)
      return std::min(input(0), *divisor - 1);
    return all;
  case OpKind::Udiv: // by 0 it is all ones
    if (std::optional<uint64_t> divisor = constant(1); divisor && *divisor)
      return input(0) / *divisor;
    return all;
  case OpKind::Add:
    if (uint64_t sum; !__builtin_add_overflow(input(0), input(1), &sum))
      return sum;
    return all;
  default:
    return all;
  }
}

static uint64_t greatestAt(Value value, unsigned depth) {
  const uint64_t all = llvm::maskTrailingOnes<uint64_t>(bitsOf(value.getType()));
  Operation *op = value.getDefiningOp();
  if (!op || depth > MaxDepth)
    return all;
  if (auto constant = dyn_cast<ConstOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return integer.getValue().getZExtValue();
  if (auto compute = dyn_cast<ComputeOp>(op))
    if (uint64_t most = greatestOf(compute, all, depth); most <= all)
      return most;
  return all;
}

uint64_t acis::dfg::greatest(Value value) { return greatestAt(value, 0); }

bool acis::dfg::needsSign(Value index, unsigned laneBits) {
  unsigned bits = bitsOf(index.getType());
  return bits < laneBits && greatest(index) > llvm::maskTrailingOnes<uint64_t>(bits - 1);
}
