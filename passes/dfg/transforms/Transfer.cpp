// Container widths of arrays, and the recognition of vector transfers.
#include "passes/dfg/transforms/Transfer.h"

using namespace mlir;
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

// Loops from the outside in; false unless each holds the next one alone.
static bool perfectNest(LoopOp loop, SmallVectorImpl<LoopOp> &inner) {
  while (loop.getInits().empty() && ++loop.getBlock()->begin() != loop.getBlock()->end()) {
    auto next = dyn_cast<LoopOp>(loop.getBlock()->front());
    if (!next)
      return true;
    if (&*++loop.getBlock()->begin() != loop.getBlock()->getTerminator())
      return false;
    inner.push_back(next);
    loop = next;
  }
  return false;
}

// Steps of `unit` through the loops, innermost first, without gaps.
static bool isContiguous(const Position &position, ArrayRef<LoopOp> loops, int64_t unit) {
  for (LoopOp loop : llvm::reverse(loops)) {
    if (position.coefficient(loop.getIndex()) != unit || position.productWith(loop.getIndex()))
      return false;
    // Only the outermost loop may lack a constant; its step is the last that is needed.
    unit *= loop.getConstantTrip().value_or(0);
  }
  return true;
}

// The array side: whole elements, from the start of the slice of this VPE.
template <typename OpT>
static bool fillsSlice(OpT access, Type type, LoopOp loop, ArrayRef<LoopOp> loops) {
  if (access.getIndex() || access.getVpe() != loop.getIndex() ||
      access.getVpeOffset().value_or(0) != 0 || arrayOf(access).getLaneBits() != bitsOf(type))
    return false;
  Position position = access.getPosition();
  return position.offset == 0 && position.terms.size() == loops.size() &&
         isContiguous(position, loops, 1);
}

// The stream takes the slices one after the other.
static bool sendsInTurn(StreamWriteOp write, LoopOp loop, SmallVector<LoopOp> loops) {
  loops.insert(loops.begin(), loop);
  return !write.getElem() &&
         isContiguous(write.getPosition(), loops, bitsOf(write.getValue().getType()) / 8);
}

// Rows of lanes that each take one element: the loads stand outside the lanes' loop.
static bool isBroadcast(LoopOp loop) {
  SmallVector<LoopOp> loops;
  MemReadOp load;
  while (!load) {
    auto ops = loop.getBlock()->without_terminator();
    auto size = std::distance(ops.begin(), ops.end());
    auto next = ops.empty() ? LoopOp() : dyn_cast<LoopOp>(*std::prev(ops.end()));
    load = ops.empty() ? MemReadOp() : dyn_cast<MemReadOp>(*ops.begin());
    if (!loop.getInits().empty() || !next || size != (load ? 2 : 1))
      return false;
    loops.push_back(next);
    loop = next;
  }
  auto ops = loop.getBlock()->without_terminator();
  auto write = std::distance(ops.begin(), ops.end()) == 1 ? dyn_cast<VrfWriteOp>(*ops.begin())
                                                          : VrfWriteOp();
  if (!write || loops.size() < 2 || !loop.getInits().empty() ||
      write.getValue() != load.getResult() || write.getPredicate() || load.getElem())
    return false;
  auto outermost = cast<LoopOp>(loops.front()->getParentOp());
  Type type = load.getType();
  return fillsSlice(write, type, outermost, loops) &&
         isContiguous(load.getPosition(), ArrayRef(loops).drop_back(), bitsOf(type) / 8);
}

bool acis::dfg::isTransfer(LoopOp loop) {
  if (isBroadcast(loop))
    return !mlir::isa<LoopOp>(loop->getParentOp());
  SmallVector<LoopOp> loops;
  if (!perfectNest(loop, loops) || loops.empty() || mlir::isa<LoopOp>(loop->getParentOp()))
    return false;
  Block *body = loops.back().getBlock();
  auto ops = body->without_terminator();
  if (std::distance(ops.begin(), ops.end()) != 2)
    return false;
  Operation *first = &body->front(), *second = first->getNextNode();
  if (second->getNumOperands() == 0 || first->getNumResults() != 1 ||
      second->getOperand(0) != first->getResult(0))
    return false;
  Type type = first->getResult(0).getType();
  int64_t bytes = bitsOf(type) / 8;
  auto read = dyn_cast<VrfReadOp>(first);
  if (auto load = dyn_cast<MemReadOp>(first)) {
    auto write = dyn_cast<VrfWriteOp>(second);
    return write && !load.getElem() && !write.getPredicate() &&
           fillsSlice(write, type, loop, loops) && isContiguous(load.getPosition(), loops, bytes);
  }
  if (!read || !fillsSlice(read, type, loop, loops))
    return false;
  if (auto store = dyn_cast<MemWriteOp>(second))
    return !store.getElem() && !store.getPredicate() &&
           isContiguous(store.getPosition(), loops, bytes);
  auto send = dyn_cast<StreamWriteOp>(second);
  return send && sendsInTurn(send, loop, loops);
}
