// Index fields, guards and interlocks.
#include "passes/dfg/transforms/FuseAddress.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace acis::dfg;

// The constant of an unsigned i32 and the like.
static std::optional<uint64_t> unsignedOf(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer ? std::optional(integer.getValue().getZExtValue()) : std::nullopt;
}

namespace {

/// `index` < `limit` when the flag is `when`.
struct Guard {
  Value index;
  uint64_t limit = 0;
  bool when = true;
};

std::optional<Guard> guardOf(ComputeOp compare) {
  bool strict = compare && compare.getOp() == OpKind::Ult;
  if (!strict && (!compare || compare.getOp() != OpKind::Ule))
    return std::nullopt;
  Value a = compare.getInputs()[0], b = compare.getInputs()[1];
  if (std::optional<uint64_t> k = unsignedOf(b)) // a < k, a <= k
    return Guard{a, strict ? *k : *k + 1, true};
  if (std::optional<uint64_t> k = unsignedOf(a)) // k < b, k <= b
    return Guard{b, strict ? *k + 1 : *k, false};
  return std::nullopt;
}

} // namespace

// The read of select(flag, read, 0), if the flag guards its index.
static void fuseGuard(ComputeOp select) {
  auto flag = select.getInputs()[0].getDefiningOp<ComputeOp>();
  std::optional<int32_t> lane;
  if (flag && flag.getOp() == OpKind::Lane) {
    lane = flag.getImmediate();
    flag = flag.getInputs()[0].getDefiningOp<ComputeOp>();
  }
  std::optional<Guard> guard = guardOf(flag);
  if (!guard)
    return;
  auto read = select.getInputs()[guard->when ? 1 : 2].getDefiningOp<VrfReadOp>();
  if (!read || !read.getGuarded() || !read->hasOneUse() || read.getIndex() != guard->index ||
      !isZero(select.getInputs()[guard->when ? 2 : 1]))
    return;
  // The limit is one for the whole offset, so nothing may be added to the index.
  Position position = read.getPosition();
  bool sameLane = !read.getLane() || !lane || int32_t(*read.getLane()) == *lane;
  if (!position.terms.empty() || position.offset != 0 || !sameLane)
    return;
  auto graph = cast<GraphOp>(read->getParentOp());
  uint64_t beats = llvm::divideCeil(arrayOf(read).getSliceElements(), uint64_t(graph.getVf()));
  if (guard->limit > beats)
    return;
  read.setZeroLimit(int32_t(guard->limit));
  read.setGuarded(false);
  select.replaceAllUsesWith(read.getResult());
  select.erase();
}

// The limit from which on a read gives 0, or nothing if it traps.
static std::optional<uint64_t> limitOf(VrfReadOp read, uint64_t beats) {
  if (std::optional<uint32_t> limit = read.getZeroLimit())
    return *limit;
  return read.getGuarded() ? std::optional(beats) : std::nullopt;
}

// if (idx < K) x[idx] = v: outside of the limit the write does nothing.
static void fuseGuard(VrfWriteOp write) {
  auto flag = write.getPredicate().getDefiningOp<ComputeOp>();
  std::optional<Guard> guard = guardOf(flag);
  Position position = write.getPosition();
  bool ownLane = !write.getLane();
  if (!guard || !guard->when || !ownLane || write.getIndex() != guard->index ||
      !position.terms.empty() || position.offset != 0)
    return;
  auto graph = cast<GraphOp>(write->getParentOp());
  uint64_t beats = llvm::divideCeil(arrayOf(write).getSliceElements(), uint64_t(graph.getVf()));
  // A larger K would hide an access outside of the array, which has to trap.
  if (guard->limit > beats)
    return;
  // A read-modify-write is kept in order if both halves have the same generator.
  for (auto read : graph.getBlock()->getOps<VrfReadOp>())
    if (sameAddress(read, write) && limitOf(read, beats) != guard->limit)
      return;
  write.setZeroLimit(int32_t(guard->limit));
  write.getPredicateMutable().clear();
}

void acis::dfg::fuseGuards(GraphOp graph) {
  for (auto write : graph.getBlock()->getOps<VrfWriteOp>())
    if (write.getPredicate() && write.getIndex())
      fuseGuard(write);
  for (auto op : llvm::make_early_inc_range(graph.getBlock()->getOps<ComputeOp>()))
    if (op.getOp() == OpKind::Select)
      fuseGuard(op);
}

template <typename OpT> static void fuseField(OpT access) {
  Value index = access.getIndex();
  uint64_t bits = 0;
  auto node = index.getDefiningOp<ComputeOp>();
  if (node && node.getOp() == OpKind::And) {
    std::optional<uint64_t> mask = unsignedOf(node.getInputs()[1]);
    if (!mask || !llvm::isMask_64(*mask))
      return;
    bits = llvm::countr_one(*mask);
    index = node.getInputs()[0];
    node = index.getDefiningOp<ComputeOp>();
  }
  uint64_t shift = 0, width = bitsOf(index.getType());
  if (node && node.getOp() == OpKind::Lshr)
    if (std::optional<uint64_t> amount = unsignedOf(node.getInputs()[1]);
        amount && *amount < width) {
      shift = *amount;
      bits = bits ? std::min(bits, width - shift) : width - shift;
      index = node.getInputs()[0];
    }
  if ((shift == 0 && bits == 0) || !mlir::isa<VectorType>(index.getType()))
    return;
  access.getIndexMutable().assign(index);
  if (shift)
    access.setShift(int32_t(shift));
  access.setBits(int32_t(bits));
}

void acis::dfg::fuseIndexFields(GraphOp graph) {
  graph.walk([](Operation *op) {
    if (auto read = dyn_cast<VrfReadOp>(op); read && read.getIndex())
      fuseField(read);
    else if (auto write = dyn_cast<VrfWriteOp>(op); write && write.getIndex())
      fuseField(write);
  });
}

static bool dependsOnRead(Value value, VrfWriteOp write, llvm::DenseSet<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return false;
  if (auto read = dyn_cast<VrfReadOp>(op))
    return sameAddress(read, write);
  auto node = dyn_cast<ComputeOp>(op);
  return node && llvm::any_of(node.getInputs(),
                              [&](Value input) { return dependsOnRead(input, write, seen); });
}

void acis::dfg::markInterlocks(GraphOp graph) {
  if (graph.getScalar())
    return; // ordered by their distance
  for (auto write : graph.getBlock()->getOps<VrfWriteOp>()) {
    llvm::DenseSet<Operation *> seen;
    if (write.getIndex() && dependsOnRead(write.getValue(), write, seen))
      write.setInterlock(true);
  }
}
