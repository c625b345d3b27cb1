// Graphs that are one transfer between memory, an array and the output stream, or a
// fill with zeros, as vector instructions: they take no context, and loads and stores
// run beside loops.
#include "backend/codegen/SelectInternal.h"

#include "llvm/ADT/bit.h"

namespace acis::codegen {
namespace {

constexpr unsigned MaxGroup = 16;     ///< registers of the largest group
constexpr unsigned MaxPieces = 5;     ///< instructions of a sequence: any 31 registers
constexpr unsigned MaxMaskedPes = 32; ///< vpemask is a 32-bit register

class VectorMatcher {
public:
  VectorMatcher(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                ScalarBuilder &scalars)
      : graph(graph), arrays(arrays), overlay(overlay), scalars(scalars) {}

  llvm::Expected<std::optional<VectorSequence>> run();

private:
  bool collect();
  /// Does the access step through the array, or the bytes, without gaps?
  bool isContiguous(const SplitPosition &position, int64_t step);
  bool pieces(const ArrayPlace &array, const SplitPosition &position);
  bool maskOf(const ArrayPlace &array, mlir::Operation *access, uint32_t &mask);
  /// Whether each PE of the mask has a port to off-chip memory.
  bool havePorts() const;
  bool setElements();
  llvm::Expected<bool> arraySide(mlir::Operation *access, const dfg::Position &position,
                                 llvm::StringRef array);
  llvm::Expected<bool> bytesSide(mlir::Operation *access, const dfg::Position &position);

  dfg::GraphOp graph;
  const ArrayPlaces &arrays;
  const Overlay &overlay;
  ScalarBuilder &scalars;
  VectorSequence sequence;
  VectorStep::Kind kind = VectorStep::Kind::Load;
  llvm::SmallVector<mlir::Operation *, 4> nodes;
};

/// Nodes of the graph without constants.
bool VectorMatcher::collect() {
  for (mlir::Operation &op : *graph.getBlock())
    if (!llvm::isa<dfg::ConstOp, dfg::YieldOp>(op))
      nodes.push_back(&op);
  return !nodes.empty() && graph.getNumResults() == 0 &&
         graph.getVf() == overlay.lanes * 32 / graph.getLaneBits();
}

bool VectorMatcher::isContiguous(const SplitPosition &position, int64_t step) {
  bool inner = graph.getInner() == 1 || position.stride0 == step;
  return inner && position.stride1 == step * int64_t(graph.getInner());
}

/// The array's registers from the position on, as aligned groups.
bool VectorMatcher::pieces(const ArrayPlace &array, const SplitPosition &position) {
  unsigned vregBeats = overlay.vregBeats();
  if (position.base || position.offset < 0 || position.offset % vregBeats)
    return false;
  unsigned skipped = position.offset / vregBeats;
  unsigned vreg = array.vreg + skipped;
  unsigned all = (array.beats + vregBeats - 1) / vregBeats;
  if (skipped >= all)
    return false;
  // With a known length only the registers that it reaches count, and the last group may
  // be larger than what is left: the length keeps it from the registers behind.
  unsigned left = all - skipped, element = 0;
  uint64_t elements = 0;
  bool isKnown = scalars.code.isConstant(sequence.elements, elements);
  if (isKnown)
    left = std::min<uint64_t>(left, llvm::divideCeil(elements, vregBeats * array.vf));
  while (left) {
    unsigned aligned = vreg ? 1u << llvm::countr_zero(vreg) : MaxGroup;
    unsigned wanted = isKnown ? llvm::bit_ceil(left) : llvm::bit_floor(left);
    unsigned group = std::min({wanted, MaxGroup, aligned});
    sequence.steps.push_back({kind, vreg, group, element});
    element += group * vregBeats * array.vf;
    vreg += group;
    left -= std::min(left, group);
  }
  return sequence.steps.size() <= MaxPieces;
}

bool VectorMatcher::maskOf(const ArrayPlace &array, mlir::Operation *access, uint32_t &mask) {
  if (std::optional<uint32_t> vpes = graph.getVpes()) {
    mask = *vpes >= 32 ? ~0u : (1u << *vpes) - 1;
    return array.perVpe && *vpes <= MaxMaskedPes;
  }
  auto pe = access->getAttrOfType<mlir::IntegerAttr>("pe");
  unsigned number = pe ? pe.getInt() : array.pe;
  if (!pe && array.perVpe)
    return false;
  mask = number < MaxMaskedPes ? 1u << number : 0;
  return mask != 0;
}

bool VectorMatcher::havePorts() const {
  for (uint32_t left = sequence.mask; left; left &= left - 1)
    if (unsigned pe = llvm::countr_zero(left); pe >= overlay.numPes() || !overlay.pes[pe].memory)
      return false;
  return true;
}

bool VectorMatcher::setElements() {
  ScalarCode &code = scalars.code;
  unsigned perTrip = graph.getPer() == graph.getVf() && graph.getInner() == 1
                         ? 1
                         : graph.getInner() * graph.getVf();
  if (graph.getPer() != 1 && perTrip != 1)
    return false;
  unsigned trip = 0;
  if (std::optional<uint64_t> constant = graph.getConstantTrip()) {
    trip = code.constant(*constant);
  } else {
    llvm::Expected<unsigned> node = scalars.node(graph.getTrip());
    if (!node) {
      llvm::consumeError(node.takeError());
      return false;
    }
    trip = *node;
  }
  sequence.elements = code.product(trip, code.constant(perTrip));
  return true;
}

llvm::Expected<bool> VectorMatcher::arraySide(mlir::Operation *access,
                                              const dfg::Position &position, llvm::StringRef name) {
  const ArrayPlace &array = arrays.at(name);
  auto split = splitPosition(graph, access, position, array.vf, scalars);
  if (!split)
    return split.takeError();
  uint32_t mask = 0;
  if (array.vf != graph.getVf() || !isContiguous(*split, 1) || !maskOf(array, access, mask))
    return false;
  if (sequence.mask)
    return false;
  sequence.mask = mask;
  return pieces(array, *split);
}

llvm::Expected<bool> VectorMatcher::bytesSide(mlir::Operation *access,
                                              const dfg::Position &position) {
  auto split = splitPosition(graph, access, position, 1, scalars);
  if (!split)
    return split.takeError();
  unsigned perBeat = sequence.broadcast ? 1 : graph.getVf();
  if (!isContiguous(*split, int64_t(sequence.elementBytes) * perBeat))
    return false;
  ScalarCode &code = scalars.code;
  sequence.address = code.constant(split->offset);
  if (split->base)
    sequence.address = code.sum(*split->base, sequence.address);
  sequence.stride = split->vpeStride;
  return true;
}

llvm::Expected<std::optional<VectorSequence>> VectorMatcher::run() {
  std::optional<VectorSequence> none;
  if (!overlay.scalarVector || !collect() || !setElements())
    return none;
  sequence.elementBytes = graph.getLaneBits() / 8;
  sequence.perBeat = graph.getVf();
  sequence.address = sequence.stride = scalars.code.constant(0);
  auto isWhole = [&](mlir::Type type) { return dfg::bitsOf(type) == graph.getLaneBits(); };

  // Zeros to the same registers of one or more PEs.
  if (llvm::all_of(nodes, [](auto *op) { return llvm::isa<dfg::VrfWriteOp>(op); })) {
    kind = VectorStep::Kind::Zero;
    uint32_t mask = 0;
    VectorSequence first;
    for (mlir::Operation *op : nodes) {
      auto write = llvm::cast<dfg::VrfWriteOp>(op);
      auto constant = write.getValue().getDefiningOp<dfg::ConstOp>();
      if (!constant || bitsOfConstant(constant.getValue()) || write.getIndex() ||
          write.getPredicate())
        return none;
      sequence.mask = 0;
      sequence.steps.clear();
      auto fits = arraySide(op, write.getPosition(), write.getArray());
      if (!fits)
        return fits.takeError();
      if (!*fits || (mask & sequence.mask))
        return none;
      if (mask && sequence.steps != first.steps)
        return none;
      first = sequence;
      mask |= sequence.mask;
    }
    sequence.mask = mask;
    return std::optional(sequence);
  }

  if (nodes.size() != 2)
    return none;
  if (auto read = llvm::dyn_cast<dfg::MemReadOp>(nodes[0])) {
    auto write = llvm::dyn_cast<dfg::VrfWriteOp>(nodes[1]);
    if (!write || write.getValue() != read.getResult() || write.getIndex() ||
        write.getPredicate() || read.getElem() || !isWhole(read.getType()))
      return none;
    kind = VectorStep::Kind::Load;
    sequence.broadcast = read.getSplat();
    auto bytes = bytesSide(read, read.getPosition());
    if (!bytes || !*bytes)
      return bytes ? llvm::Expected<std::optional<VectorSequence>>(none) : bytes.takeError();
    auto fits = arraySide(write, write.getPosition(), write.getArray());
    if (!fits)
      return fits.takeError();
    return *fits && havePorts() ? std::optional(sequence) : none;
  }
  auto read = llvm::dyn_cast<dfg::VrfReadOp>(nodes[0]);
  if (!read || read.getIndex() || read.getGuarded() || !isWhole(read.getType()))
    return none;
  dfg::Position target;
  if (auto write = llvm::dyn_cast<dfg::MemWriteOp>(nodes[1])) {
    if (write.getValue() != read.getResult() || write.getPredicate() || write.getElem())
      return none;
    kind = VectorStep::Kind::Store;
    target = write.getPosition();
  } else if (auto send = llvm::dyn_cast<dfg::StreamWriteOp>(nodes[1])) {
    if (send.getValue() != read.getResult() || send.getElem())
      return none;
    kind = VectorStep::Kind::StreamOut;
    target = send.getPosition();
  } else {
    return none;
  }
  auto bytes = bytesSide(nodes[1], target);
  if (!bytes || !*bytes)
    return bytes ? llvm::Expected<std::optional<VectorSequence>>(none) : bytes.takeError();
  auto fits = arraySide(read, read.getPosition(), read.getArray());
  if (!fits)
    return fits.takeError();
  bool good = *fits && (kind == VectorStep::Kind::StreamOut || havePorts());
  return good ? std::optional(sequence) : none;
}

} // namespace

llvm::Expected<std::optional<VectorSequence>> matchVector(dfg::GraphOp graph,
                                                          const ArrayPlaces &arrays,
                                                          const Overlay &overlay,
                                                          ScalarBuilder &scalars) {
  return VectorMatcher(graph, arrays, overlay, scalars).run();
}

} // namespace acis::codegen
