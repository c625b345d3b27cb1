// Ports of a mapped graph: streams, memory, register files.
#include "backend/codegen/ContextBuilder.h"

namespace acis::codegen {

using isa::Operand;

llvm::Error ContextBuilder::streamRead(dfg::StreamReadOp op, dfg::PlaceAttr place) {
  isa::PortRead &pop = loop.streamInSlots[place.getTime() % ii];
  isa::ElementFormat format = formatOf(op.getType(), op.getElem(), op.getIsSigned(), op.getSplat());
  if (pop.on || (!pops.empty() && format != loop.streamIn.format))
    return failAt(op, Refusal(Why::TwoPopsInCycle));
  loop.streamIn.format = format;
  pop = {true, stageOf(place)};
  pops.push_back({op, op.getPosition(), place.getTime()});
  return llvm::Error::success();
}

llvm::Error ContextBuilder::streamWrite(dfg::StreamWriteOp op, dfg::PlaceAttr place) {
  isa::PortWrite &push = slotOf(place).streamOut;
  isa::ElementFormat format =
      formatOf(op.getValue().getType(), op.getElem(), /*isSigned=*/false, /*splat=*/false);
  if (push.on || (!pushes.empty() && format != loop.streamOut.format))
    return failAt(op, Refusal(Why::TwoPushesInCycle));
  loop.streamOut.format = format;
  push.on = true;
  push.stage = stageOf(place);
  pushes.push_back({op, op.getPosition(), place.getTime()});
  auto data = operand(op.getValueMutable(), place, 0);
  if (!data)
    return data.takeError();
  push.data = *data;
  if (op.getPredicate()) {
    auto predicate = operand(op->getOpOperand(op->getNumOperands() - 1), place, 0);
    if (!predicate)
      return predicate.takeError();
    push.predicate = *predicate;
  }
  return llvm::Error::success();
}

static bool appends(mlir::Operation *op) {
  auto write = llvm::dyn_cast<dfg::StreamWriteOp>(op);
  return write && write.getAppend();
}

/// Accesses of an iteration follow each other without gaps, iterations too. What is appended
/// gives the position of the loop's first element.
llvm::Error ContextBuilder::finishStream(std::vector<StreamUse> &uses, isa::StreamPort &port) {
  if (uses.empty())
    return llvm::Error::success();
  llvm::sort(uses, [](const StreamUse &a, const StreamUse &b) { return a.time < b.time; });
  unsigned elements = port.format.splat ? 1 : graph.getVf();
  int64_t bytes = int64_t(elements) * port.format.bytes, advance = bytes * uses.size();
  bool isSingle = nest.scalar.nodes[nest.launch.iterations].kind == ScalarNode::Kind::Const &&
                  nest.scalar.nodes[nest.launch.iterations].value <= 1;
  std::optional<unsigned> first;
  for (const auto &[index, use] : llvm::enumerate(uses)) {
    auto split = splitPosition(graph, use.op, use.position, 1, scalars);
    if (!split)
      return split.takeError();
    bool append = appends(use.op);
    unsigned start =
        scalars.code.constant(append ? split->offset : split->offset - int64_t(index) * bytes);
    if (split->base)
      start = scalars.code.sum(*split->base, start);
    bool steps = (graph.getInner() == 1 || split->stride0 == advance) &&
                 split->stride1 == advance * graph.getInner();
    if ((!steps && !isSingle && !append) || (first && *first != start))
      return failAt(use.op, Refusal(Why::StreamOutOfOrder, advance, uses.size()));
    first = start;
  }
  port.on = true;
  port.arg = args.word({*first, false});
  return llvm::Error::success();
}

llvm::Error ContextBuilder::memoryPort(mlir::Operation *op, const dfg::Position &position,
                                       isa::ElementFormat format, isa::MemAddress &port) {
  if (port.on)
    return failAt(op, Refusal(Why::MemoryPortTwice));
  auto split = splitPosition(graph, op, position, 1, scalars);
  if (!split)
    return split.takeError();
  port.on = true;
  port.format = format;
  port.arg = memoryArg(*split, scalars.code, args);
  port.offset = split->offset;
  port.stride0 = split->stride0;
  port.stride1 = split->stride1;
  return llvm::Error::success();
}

llvm::Error ContextBuilder::memRead(dfg::MemReadOp op, dfg::PlaceAttr place) {
  slotOf(place).memIn = {true, stageOf(place)};
  return memoryPort(op, op.getPosition(),
                    formatOf(op.getType(), op.getElem(), op.getIsSigned(), op.getSplat()),
                    loop.pes[place.getPe()].memIn);
}

llvm::Error ContextBuilder::memWrite(dfg::MemWriteOp op, dfg::PlaceAttr place) {
  isa::PortWrite &port = slotOf(place).memOut;
  port.on = true;
  port.stage = stageOf(place);
  auto data = operand(op.getValueMutable(), place, 0);
  if (!data)
    return data.takeError();
  port.data = *data;
  if (op.getPredicate()) {
    auto predicate = operand(op->getOpOperand(op->getNumOperands() - 1), place, 0);
    if (!predicate)
      return predicate.takeError();
    port.predicate = *predicate;
  }
  return memoryPort(op, op.getPosition(),
                    formatOf(op.getValue().getType(), op.getElem(), false, false),
                    loop.pes[place.getPe()].memOut);
}

template <typename OpTy>
llvm::Expected<uint8_t> ContextBuilder::generator(OpTy op, bool guarded, isa::PeContext &pe) {
  const ArrayPlace &array = arrays.at(op.getArray());
  bool scalar = graph.getScalar();
  auto split = splitPosition(graph, op, op.getPosition(), scalar ? 1 : array.vf, scalars);
  if (!split)
    return split.takeError();
  if (scalar && array.elements > 0xffff)
    return failAt(op, Refusal(Why::ArrayTooLong, op.getArray(), array.elements, 0xffff));
  VrfAccess access{*split,       bool(op.getIndex()), op.getLane(), op.getShift(),
                   op.getBits(), op.getZeroLimit(),   guarded,      scalar};
  isa::VrfAddress address = vrfAddress(access, array, overlay, scalars.code, args);
  if (split->stride0 != address.stride0 || split->stride1 != address.stride1)
    return failAt(op, Refusal(Why::StrideTooLarge, split->stride0, split->stride1));
  auto known = llvm::find(pe.addresses, address);
  if (known == pe.addresses.end())
    known = pe.addresses.insert(known, address);
  if (known - pe.addresses.begin() > 255)
    return failAt(op, Refusal(Why::TooManyAddresses, isa::MaxAddresses));
  return uint8_t(known - pe.addresses.begin());
}

llvm::Error ContextBuilder::vrfRead(dfg::VrfReadOp op, dfg::PlaceAttr place) {
  if (place.getPort() > 1 || slotOf(place).read[place.getPort()].on)
    return faultAt(op, "register file port " + llvm::Twine(place.getPort()) +
                           " is used twice in a slot or does not exist");
  auto address = generator(op, op.getGuarded(), loop.pes[place.getPe()]);
  if (!address)
    return address.takeError();
  isa::VrfRead &read = slotOf(place).read[place.getPort()];
  read.on = true;
  read.stage = stageOf(place);
  read.address = *address;
  if (op.getIndex()) {
    auto index = operand(op->getOpOperand(op.getODSOperandIndexAndLength(2).first), place, 0);
    if (!index)
      return index.takeError();
    read.index = *index;
  }
  return llvm::Error::success();
}

/// The hardware orders a read-modify-write whose two halves have one address. If the
/// read is guarded, the write's predicate is 0 where the address is outside; the
/// generator then has to do nothing there as well.
bool ContextBuilder::isGuardedPair(dfg::VrfWriteOp write) {
  if (!write.getInterlock() || !write.getPredicate())
    return false;
  return llvm::any_of(graph.getBlock()->getOps<dfg::VrfReadOp>(), [&](dfg::VrfReadOp read) {
    return read.getGuarded() && read.getArray() == write.getArray() &&
           read.getIndex() == write.getIndex() && read.getPosition() == write.getPosition() &&
           read.getPlaceAttr().getPe() == write.getPlaceAttr().getPe();
  });
}

llvm::Error ContextBuilder::vrfWrite(dfg::VrfWriteOp op, dfg::PlaceAttr place) {
  isa::VrfWrite &write = slotOf(place).write;
  if (write.on)
    return faultAt(op, "two register file writes in one slot of PE " + llvm::Twine(place.getPe()));
  auto address = generator(op, isGuardedPair(op), loop.pes[place.getPe()]);
  if (!address)
    return address.takeError();
  write.on = true;
  write.stage = stageOf(place);
  write.address = *address;
  write.interlock = op.getInterlock();
  auto set = [&](unsigned odsIndex, Operand &field) -> llvm::Error {
    auto [first, length] = op.getODSOperandIndexAndLength(odsIndex);
    if (!length)
      return llvm::Error::success();
    auto value = operand(op->getOpOperand(first), place, 0);
    if (!value)
      return value.takeError();
    field = *value;
    return llvm::Error::success();
  };
  if (llvm::Error error = set(0, write.data))
    return error;
  if (llvm::Error error = set(3, write.index))
    return error;
  return set(4, write.predicate);
}

} // namespace acis::codegen
