// Container widths of arrays, and the recognition of vector transfers.
#include "passes/dfg/transforms/Transfer.h"

#include "passes/dfg/transforms/DescribeNest.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

static bool has64Bits(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return bitsOf(type) == 64; });
}

unsigned acis::dfg::laneBitsOf(NestOp nest) {
  WalkResult result = nest.walk([](Operation *op) {
    bool wide = has64Bits(op->getResultTypes()) || has64Bits(op->getOperandTypes());
    if (ArrayOp array = mlir::isa<VrfReadOp, VrfWriteOp>(op) ? arrayOf(op) : ArrayOp())
      wide |= array.getLaneBits() == 64u;
    return wide ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ? 64 : 32;
}

void acis::dfg::chooseLaneBits(HandlerOp handler) {
  for (auto array : handler.getOps<ArrayOp>())
    array.setLaneBits(
        std::max(array.getLaneBits().value_or(32), bitsOf(array.getElement()) == 64 ? 64u : 32u));
  // A nest with 64-bit lanes widens its arrays, and they widen other nests.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto nest : handler.getOps<NestOp>()) {
      if (laneBitsOf(nest) == 32)
        continue;
      nest.walk([&](Operation *op) {
        ArrayOp array = mlir::isa<VrfReadOp, VrfWriteOp>(op) ? arrayOf(op) : ArrayOp();
        if (array && array.getLaneBits() == 32u) {
          array.setLaneBits(64);
          changed = true;
        }
      });
    }
  }
}

/// Whether the levels from `outermost` in step through the access from place to place without a
/// gap.
static bool isContiguous(const nest::LoopNest &form, const nest::Access &access,
                         unsigned outermost) {
  int64_t unit = access.size;
  for (unsigned level = access.level;; level = form.levels[level].around) {
    if (access.steps[level] != unit)
      return false;
    if (level == outermost)
      return true;
    unit *= int64_t(form.levels[level].trip.value_or(0));
  }
}

/// Whether an access of an array, without conditions, begins at the start of the slice of each VPE.
template <typename OpT>
static bool startsSlice(OpT op, LoopOp overVpes, const nest::Access &access) {
  if constexpr (std::is_same_v<OpT, VrfWriteOp>)
    if (op.getPredicate())
      return false;
  return !op.getIndex() && op.getVpe() == overVpes.getIndex() &&
         op.getVpeOffset().value_or(0) == 0 && arrayOf(op).getLaneBits() == bitsOf(valueType(op)) &&
         access.offset == 0 && access.alignment == 0 && access.step(0) == 0;
}

bool acis::dfg::isTransfer(LoopOp loop) {
  auto op = dyn_cast<NestOp>(loop->getParentOp());
  if (!op)
    return false;
  const DescribedNest about = describe(op);
  if (!isCopy(about) || about.loops.size() < 2)
    return false;
  const nest::LoopNest &form = about.form;
  const unsigned innermost = unsigned(form.levels.size() - 1);
  const nest::Access &from = form.accesses[0], &to = form.accesses[1];
  Operation *read = AccessOpInterface(about.accesses[0]);
  Operation *write = AccessOpInterface(about.accesses[1]);
  // Rows of lanes that each take one element are loaded outside of the lanes' loop.
  const bool isSplat =
      from.object == nest::Object::Memory && innermost >= 2 && from.level == innermost - 1;
  if (to.level != innermost || (from.level != innermost && !isSplat) || read->hasAttr("elem") ||
      write->hasAttr("elem"))
    return false;
  if (auto filled = dyn_cast<VrfWriteOp>(write))
    return from.object == nest::Object::Memory && startsSlice(filled, loop, to) &&
           isContiguous(form, to, 1) && isContiguous(form, from, 1);
  auto emptied = dyn_cast<VrfReadOp>(read);
  if (!emptied || !startsSlice(emptied, loop, from) || !isContiguous(form, from, 1))
    return false;
  // The stream takes the slices one after the other.
  if (auto store = dyn_cast<MemWriteOp>(write))
    return !store.getPredicate() && isContiguous(form, to, 1);
  return isContiguous(form, to, 0);
}
