// A mapped graph to the words of a context: its nodes one by one, functional units first.
#include "backend/codegen/ContextBuilder.h"

namespace acis::codegen {

using isa::Operand;
using isa::Slot;

llvm::Expected<dfg::PlaceAttr> ContextBuilder::placeOf(mlir::Operation *op) const {
  auto place = op->getAttrOfType<dfg::PlaceAttr>("place");
  if (!place)
    return faultAt(op, "'" + op->getName().getStringRef() +
                           "' has no place; run dfg-map before code generation");
  if (place.getPe() >= overlay.numPes() || place.getTime() / ii >= overlay.stages)
    return faultAt(op, "a node is placed on PE " + llvm::Twine(place.getPe()) + " at time " +
                           llvm::Twine(place.getTime()) + "; the overlay has " +
                           llvm::Twine(overlay.numPes()) + " PEs, a context " +
                           llvm::Twine(overlay.stages) + " stages");
  return place;
}

void ContextBuilder::noteLine(mlir::Operation *op, dfg::PlaceAttr place) {
  ElementLine line{number, llvm::isa<dfg::StreamReadOp>(op) ? 0 : place.getPe(),
                   place.getTime() % ii, "", 0};
  unsigned column = 0;
  if (sourceLine(op->getLoc(), line.file, line.line, column) && line.line)
    lines.push_back(line);
}

llvm::Error ContextBuilder::unitOperands(mlir::Operation *op, mlir::OperandRange inputs,
                                         llvm::ArrayRef<int32_t> distances, dfg::PlaceAttr place) {
  Slot &slot = slotOf(place);
  Operand *fields[] = {&slot.a, &slot.b, &slot.c};
  for (unsigned i = 0; i < inputs.size() && i < 3; ++i) {
    mlir::OpOperand &use = op->getOpOperand(inputs.getBeginOperandIndex() + i);
    auto value = operand(use, place, i < distances.size() ? distances[i] : 0);
    if (!value)
      return value.takeError();
    *fields[i] = *value;
  }
  return llvm::Error::success();
}

llvm::Error ContextBuilder::compute(dfg::ComputeOp op, dfg::PlaceAttr place) {
  Slot &slot = slotOf(place);
  if (slot.op != isa::Op::Nop)
    return faultAt(op, "two operations in one slot of PE " + llvm::Twine(place.getPe()));
  slot.op = static_cast<isa::Op>(op.getOp());
  slot.stage = stageOf(place);
  mlir::Type own = dfg::elementOf(op.getType());
  mlir::Type input = op.getInputs().empty() ? own : dfg::elementOf(op.getInputs()[0].getType());
  bool takesBit = slot.op == isa::Op::Mov && own.isInteger(1) && !input.isInteger(1);
  slot.type = typeOf(takesBit || dfg::isCompare(op.getOp()) ? input : own);
  slot.from = typeOf(input);
  for (mlir::Operation *user : op->getUsers())
    if (auto last = llvm::dyn_cast<dfg::LastOp>(user))
      for (mlir::OpOperand &use : last.getResult().getUses())
        if (llvm::isa<dfg::YieldOp>(use.getOwner())) {
          slot.result = use.getOperandNumber();
          nest.results[slot.result] = {typeOf(own), 0};
        }
  uint8_t &taken = immTaken[place.getPe() * ii + place.getTime() % ii];
  if (std::optional<uint32_t> number = op.getImmediate()) {
    // Lane and slide find their number in imm0.
    if (taken & 1 && (slot.immArg[0] != isa::NoArg || slot.imm[0] != *number))
      return failAt(op, Refusal(Why::ConstantTaken, 0));
    slot.imm[0] = *number;
    taken |= 1;
  }
  llvm::ArrayRef<int32_t> distances;
  if (op.getDistances())
    distances = *op.getDistances();
  if (llvm::Error error = unitOperands(op, op.getInputs(), distances, place))
    return error;
  // The unit has no 1-bit types; what depends on the width is done in another way.
  auto constant = [&](uint64_t value) -> llvm::Expected<Operand> {
    auto source = setImmediate(op, slot, value, isa::NoArg);
    if (!source)
      return source.takeError();
    return Operand{*source, 0};
  };
  if (slot.op == isa::Op::Sext && input.isInteger(1)) {
    auto ones = constant(~uint64_t(0) >> (64 - isa::bitsOf(slot.type))), zero = constant(0);
    if (!ones || !zero)
      return llvm::joinErrors(ones.takeError(), zero.takeError());
    slot.op = isa::Op::Select;
    slot.b = *ones;
    slot.c = *zero;
  } else if (takesBit) {
    auto one = constant(1);
    if (!one)
      return one.takeError();
    slot.op = isa::Op::And;
    slot.b = *one;
  } else if (slot.op == isa::Op::Sitofp && input.isInteger(1)) {
    return failAt(op, Refusal(Why::BitToFloat));
  }
  return llvm::Error::success();
}

llvm::Error ContextBuilder::reduce(dfg::ReduceOp op, dfg::PlaceAttr place) {
  Slot &slot = slotOf(place);
  if (slot.op != isa::Op::Nop)
    return faultAt(op, "two operations in one slot of PE " + llvm::Twine(place.getPe()));
  slot.op = static_cast<isa::Op>(op.getOp());
  slot.stage = stageOf(place);
  slot.type = slot.from = typeOf(op.getType());
  slot.accumulate = true;
  uint8_t &taken = immTaken[place.getPe() * ii + place.getTime() % ii];
  uint64_t identity = bitsOfConstant(op.getIdentity());
  if (taken & 2 && (slot.immArg[1] != isa::NoArg || slot.imm[1] != identity))
    return failAt(op, Refusal(Why::ConstantTaken, 1));
  slot.imm[1] = identity;
  taken |= 2;
  for (mlir::OpOperand &use : op.getResult().getUses())
    if (llvm::isa<dfg::YieldOp>(use.getOwner()) && slot.result == isa::NoArg) {
      slot.result = use.getOperandNumber();
      nest.results[slot.result] = {slot.type, identity};
    }
  return unitOperands(op, op.getInputs(), {}, place);
}

llvm::Error ContextBuilder::node(mlir::Operation &op) {
  if (llvm::isa<dfg::ConstOp, dfg::YieldOp, dfg::CarryOp, dfg::LastOp>(op))
    return llvm::Error::success();
  auto place = placeOf(&op);
  if (!place)
    return place.takeError();
  noteLine(&op, *place);
  if (auto node = llvm::dyn_cast<dfg::ComputeOp>(op))
    return compute(node, *place);
  if (auto node = llvm::dyn_cast<dfg::ReduceOp>(op))
    return reduce(node, *place);
  if (auto node = llvm::dyn_cast<dfg::StreamReadOp>(op))
    return streamRead(node, *place);
  if (auto node = llvm::dyn_cast<dfg::StreamWriteOp>(op))
    return streamWrite(node, *place);
  if (auto node = llvm::dyn_cast<dfg::MemReadOp>(op))
    return memRead(node, *place);
  if (auto node = llvm::dyn_cast<dfg::MemWriteOp>(op))
    return memWrite(node, *place);
  if (auto node = llvm::dyn_cast<dfg::VrfReadOp>(op))
    return vrfRead(node, *place);
  if (auto node = llvm::dyn_cast<dfg::VrfWriteOp>(op))
    return vrfWrite(node, *place);
  return faultAt(&op, "'" + op.getName().getStringRef() + "' in a mapped graph");
}

llvm::Error ContextBuilder::run() {
  immTaken.assign(overlay.numPes() * ii, 0);
  loop.pes.resize(overlay.numPes());
  for (isa::PeContext &pe : loop.pes)
    pe.slots.resize(ii);
  loop.streamInSlots.resize(ii);
  // Units first: lane numbers and identities have a fixed constant, ports take any.
  auto isUnit = [](mlir::Operation &op) { return llvm::isa<dfg::ComputeOp, dfg::ReduceOp>(op); };
  for (bool units : {true, false})
    for (mlir::Operation &op : *graph.getBlock())
      if (isUnit(op) == units)
        if (llvm::Error error = node(op))
          return error;
  if (llvm::Error error = finishStream(pops, loop.streamIn))
    return error;
  if (llvm::Error error = finishStream(pushes, loop.streamOut))
    return error;
  finishContext(loop, overlay);
  return llvm::Error::success();
}

llvm::Error buildContext(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                         ScalarBuilder &scalars, unsigned contextNumber, isa::LoopContext &loop,
                         MNest &nest, std::vector<ElementLine> &lines) {
  return ContextBuilder(graph, arrays, overlay, scalars, contextNumber, loop, nest, lines).run();
}

} // namespace acis::codegen
