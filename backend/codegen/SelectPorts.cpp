// Ports of a context: address generators, formats, masks, and the one-slot context of a
// transfer that is rolled up over VPEs.
#include "backend/codegen/SelectInternal.h"

#include <algorithm>

namespace acis::codegen {

isa::ElementFormat formatOf(mlir::Type value, std::optional<mlir::Type> narrow, bool isSigned,
                            bool splat) {
  isa::ElementFormat format;
  format.bytes = std::max(1u, dfg::bitsOf(narrow.value_or(value)) / 8);
  format.isSigned = isSigned;
  format.splat = splat;
  return format;
}

isa::VrfAddress vrfAddress(const VrfAccess &access, const ArrayPlace &array, const Overlay &overlay,
                           ScalarCode &code, ArgTable &args) {
  const SplitPosition &position = access.position;
  isa::VrfAddress address;
  address.base = array.vreg * overlay.vregBeats();
  int64_t size = access.scalar ? array.elements : array.beats;
  address.limit = size;
  address.stride0 = position.stride0;
  address.stride1 = position.stride1;
  address.indexed = access.indexed;
  address.uniform = access.lane.has_value();
  address.lane = access.lane.value_or(0);
  address.shift = access.shift.value_or(0);
  address.bits = access.bits.value_or(0);
  address.zeroOutside = access.guarded || access.zeroLimit.has_value();

  // A constant offset goes into the base when all the rest counts up from it, as an index of few
  // bits does; an offset that a launch argument adds is checked against the whole array.
  int64_t offset = position.offset;
  const bool isIndexUp =
      !access.indexed || access.zeroLimit || (address.bits != 0 && address.bits < 32);
  bool countsUp = position.stride0 >= 0 && position.stride1 >= 0 && !position.base && isIndexUp &&
                  offset >= 0 && offset <= size;
  if (countsUp && access.scalar) {
    address.base += offset / array.vf;
    address.lane = offset % array.vf;
    address.limit -= offset;
  } else if (countsUp) {
    address.base += offset;
    address.limit -= offset;
  } else if (position.base || offset) {
    unsigned start = code.constant(offset);
    if (position.base)
      start = code.sum(*position.base, start);
    address.arg = args.word({start, false});
  }
  if (access.zeroLimit)
    address.limit = std::min<unsigned>(address.limit, *access.zeroLimit);
  return address;
}

unsigned memoryArg(const SplitPosition &position, ScalarCode &code, ArgTable &args) {
  return args.word({position.base ? *position.base : code.constant(0), false});
}

void finishContext(isa::LoopContext &loop, const Overlay &overlay) {
  unsigned last = 0;
  auto saw = [&](bool on, unsigned stage) { last = on ? std::max(last, stage) : last; };
  unsigned perBeat = loop.scalar ? overlay.lanes * 32 / loop.laneBits : 1;
  auto registers = [&](const isa::VrfAddress &address) {
    uint32_t mask = 0;
    unsigned first = loop.scalar ? address.lane : 0;
    unsigned beats = address.limit ? (first + address.limit + perBeat - 1) / perBeat : 0;
    for (unsigned beat = address.base, end = beat + beats; beat < end;
         beat += overlay.vregBeats() - beat % overlay.vregBeats())
      mask |= uint32_t(1) << beat / overlay.vregBeats();
    return mask;
  };
  for (const isa::PortRead &pop : loop.streamInSlots)
    saw(pop.on, pop.stage);
  for (const isa::PeContext &pe : loop.pes)
    for (const isa::Slot &slot : pe.slots) {
      saw(slot.op != isa::Op::Nop, slot.stage);
      saw(slot.memIn.on, slot.memIn.stage);
      saw(slot.memOut.on, slot.memOut.stage);
      saw(slot.streamOut.on, slot.streamOut.stage);
      saw(slot.write.on, slot.write.stage);
      if (slot.write.on)
        loop.vregsWritten |= registers(pe.addresses[slot.write.address]);
      for (const isa::VrfRead &read : slot.read) {
        saw(read.on, read.stage);
        if (read.on)
          loop.vregsRead |= registers(pe.addresses[read.address]);
      }
    }
  loop.stages = last + 1;
}

llvm::Error buildTransfer(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                          ScalarBuilder &scalars, isa::LoopContext &loop, MNest &nest) {
  dfg::MemReadOp read;
  dfg::VrfWriteOp write;
  for (mlir::Operation &op : *graph.getBlock()) {
    if (auto found = llvm::dyn_cast<dfg::MemReadOp>(op); found && !read)
      read = found;
    else if (auto found = llvm::dyn_cast<dfg::VrfWriteOp>(op); found && !write)
      write = found;
    else if (!llvm::isa<dfg::YieldOp>(op))
      return faultAt(&op, "'" + op.getName().getStringRef() +
                              "' in a transfer that is rolled up over VPEs; it can only copy from "
                              "memory to one array");
  }
  if (!read || !write || write.getValue() != read.getResult() || write.getIndex() ||
      write.getPredicate())
    return faultAt(graph, "a graph that is rolled up over VPEs has to copy one array from memory");
  unsigned vpes = *graph.getVpes();
  const ArrayPlace &array = arrays.at(write.getArray());
  auto from = splitPosition(graph, read, read.getPosition(), 1, scalars);
  auto to = splitPosition(graph, write, write.getPosition(), array.vf, scalars);
  if (!from || !to)
    return llvm::joinErrors(from.takeError(), to.takeError());

  ArgTable args(nest.launch.args);
  loop.pes.resize(overlay.numPes());
  loop.streamInSlots.resize(1);
  for (isa::PeContext &pe : loop.pes)
    pe.slots.resize(1);
  isa::ElementFormat format =
      formatOf(read.getType(), read.getElem(), read.getIsSigned(), read.getSplat());
  VrfAccess access;
  access.position = *to;
  for (unsigned p = 0; p < vpes; ++p) {
    isa::PeContext &pe = loop.pes[p];
    SplitPosition start = *from;
    unsigned step = scalars.code.product(scalars.code.constant(p), from->vpeStride);
    start.base = start.base ? scalars.code.sum(*start.base, step) : step;
    pe.memIn = {
        true, format, 0, int32_t(from->offset), int32_t(from->stride0), int32_t(from->stride1)};
    pe.memIn.arg = memoryArg(start, scalars.code, args);
    pe.addresses.push_back(vrfAddress(access, array, overlay, scalars.code, args));
    pe.slots[0].memIn.on = true;
    pe.slots[0].write.on = true;
    pe.slots[0].write.stage = overlay.inputLatency; // of one cycle each
    pe.slots[0].write.data.source = isa::Source::MemIn;
  }
  if (nest.launch.args.size() > overlay.arguments)
    return failAt(
        graph, Refusal(Why::TransferArguments, vpes, nest.launch.args.size(), overlay.arguments));
  finishContext(loop, overlay);
  return llvm::Error::success();
}

} // namespace acis::codegen
