// Where operands come from: constants and arguments of the slot, or the end of a route.
// Fields that two routes share must agree.
#include "backend/codegen/ContextBuilder.h"

namespace acis::codegen {

using isa::Operand;
using isa::Slot;
using isa::Source;
using Place = map::Step::Place;

Source ContextBuilder::busSource(mlir::Operation *producer) {
  if (auto read = llvm::dyn_cast<dfg::VrfReadOp>(producer))
    return read.getPlaceAttr().getPort() ? Source::Vrf1 : Source::Vrf0;
  if (llvm::isa<dfg::StreamReadOp>(producer))
    return Source::StreamIn;
  return llvm::isa<dfg::MemReadOp>(producer) ? Source::MemIn : Source::Res;
}

/// `arg` NoArg: the constant `value`.
llvm::Expected<Source> ContextBuilder::setImmediate(mlir::Operation *op, Slot &slot, uint64_t value,
                                                    unsigned arg) {
  auto place = op->getAttrOfType<dfg::PlaceAttr>("place");
  uint8_t &taken = immTaken[place.getPe() * ii + place.getTime() % ii];
  for (unsigned k = 0; k < 2; ++k) {
    bool isSame =
        taken >> k & 1 && slot.immArg[k] == arg && (arg != isa::NoArg || slot.imm[k] == value);
    if (!isSame && taken >> k & 1)
      continue;
    taken |= 1 << k;
    slot.imm[k] = arg == isa::NoArg ? value : 0;
    slot.immArg[k] = arg;
    return k ? Source::Imm1 : Source::Imm0;
  }
  return failAt(op, Refusal(Why::ThreeConstants, place.getTime() % ii, place.getPe()));
}

/// An argument is two words wherever its slot works on 64 bits, also for the slot's
/// ports, and one word elsewhere.
llvm::Expected<unsigned> ContextBuilder::argument(mlir::OpOperand &use, Slot &slot, unsigned node) {
  if (slot.op == isa::Op::Nop && loop.laneBits == 64)
    slot.type = isa::Type::I64;
  unsigned bits = scalars.code.nodes[node].bits;
  if (loop.laneBits == 64 && isa::bitsOf(slot.type) == 64) {
    if (bits == 64)
      return args.wide(node);
    ScalarNode extended;
    extended.kind = ScalarNode::Kind::Compute;
    extended.bits = 64;
    extended.op = isa::Op::Mov;
    extended.operands = {node};
    return args.wide(scalars.code.add(extended));
  }
  if (bits == 64 && slot.op != isa::Op::Mov)
    return failAt(use.getOwner(), Refusal(Why::WideArgument));
  return args.word({node, false});
}

llvm::Expected<Operand> ContextBuilder::immediate(mlir::OpOperand &use, mlir::Value constant,
                                                  dfg::PlaceAttr place) {
  llvm::Expected<unsigned> node = scalars.node(constant);
  if (!node)
    return node.takeError();
  uint64_t value = 0;
  unsigned arg = isa::NoArg;
  if (!scalars.code.isConstant(*node, value)) {
    llvm::Expected<unsigned> made = argument(use, slotOf(place), *node);
    if (!made)
      return made.takeError();
    arg = *made;
  }
  auto source = setImmediate(use.getOwner(), slotOf(place), value, arg);
  if (!source)
    return source.takeError();
  return Operand{*source, 0};
}

/// One step of a route: the link or register that `from` is written to.
llvm::Error ContextBuilder::step(mlir::Operation *op, const map::Step &from, const map::Step &to,
                                 Source source) {
  auto fail = [&](const llvm::Twine &what) { return faultAt(op, "route of an operand: " + what); };
  if (from.pe >= overlay.numPes() || to.pe >= overlay.numPes() || to.time != from.time + 1)
    return fail("a step from PE " + llvm::Twine(from.pe) + " at " + llvm::Twine(from.time) +
                " to PE " + llvm::Twine(to.pe) + " at " + llvm::Twine(to.time));
  Slot &slot = loop.pes[from.pe].slots[from.time % ii];
  if (to.place == Place::Link) {
    for (const Link &link : overlay.links) {
      if (link.from != from.pe || link.to != to.pe || link.inPort != to.index)
        continue;
      Source &field = slot.link[link.port];
      if (field != Source::None && field != source)
        return fail("link " + llvm::Twine(link.port) + " of PE " + llvm::Twine(from.pe) +
                    " carries two values in slot " + llvm::Twine(from.time % ii));
      field = source;
      return llvm::Error::success();
    }
    return fail("no link from PE " + llvm::Twine(from.pe) + " to in-link " + llvm::Twine(to.index) +
                " of PE " + llvm::Twine(to.pe));
  }
  if (to.place != Place::Reg || from.pe != to.pe || to.index >= overlay.routeRegs)
    return fail("a step into register " + llvm::Twine(to.index) + " of PE " + llvm::Twine(to.pe) +
                " from PE " + llvm::Twine(from.pe));
  if (from.place == Place::Reg && from.index == to.index)
    return llvm::Error::success(); // it stays there
  if (slot.regWrite && (slot.reg != to.index || slot.regData != source))
    return fail("PE " + llvm::Twine(from.pe) + " writes two registers in slot " +
                llvm::Twine(from.time % ii));
  slot.regWrite = true;
  slot.reg = to.index;
  slot.regData = source;
  return llvm::Error::success();
}

/// Cycles before its time in which a node takes the operand: an index comes before its access.
unsigned ContextBuilder::leadOf(mlir::OpOperand &use) const {
  auto isIndexOf = [&](auto access) {
    return access && access.getIndex() && &*access.getIndexMutable().begin() == &use;
  };
  mlir::Operation *op = use.getOwner();
  bool isIndex = isIndexOf(llvm::dyn_cast<dfg::VrfReadOp>(op)) ||
                 isIndexOf(llvm::dyn_cast<dfg::VrfWriteOp>(op));
  return isIndex ? overlay.indexLatency : 0;
}

llvm::Expected<Operand> ContextBuilder::follow(mlir::OpOperand &use, mlir::Operation *producer,
                                               dfg::PlaceAttr place, unsigned distance) {
  mlir::Operation *op = use.getOwner();
  auto routes = op->getAttrOfType<mlir::ArrayAttr>("routes");
  auto route = routes && use.getOperandNumber() < routes.size()
                   ? llvm::dyn_cast<dfg::RouteAttr>(routes[use.getOperandNumber()])
                   : dfg::RouteAttr();
  if (!route || route.getWords().empty() || route.getWords().size() % 4)
    return faultAt(op, "operand " + llvm::Twine(use.getOperandNumber()) +
                           " has no route; run dfg-map before code generation");
  std::vector<map::Step> steps;
  for (size_t i = 0; i < route.getWords().size(); i += 4) {
    llvm::ArrayRef<unsigned> words = route.getWords().slice(i, 4);
    steps.push_back({words[0], words[1], static_cast<Place>(words[2]), words[3]});
  }
  Source source = busSource(producer);
  for (size_t i = 1; i < steps.size(); ++i) {
    if (llvm::Error error = step(op, steps[i - 1], steps[i], source))
      return error;
    source = steps[i].place == Place::Link ? isa::linkSource(steps[i].index)
                                           : isa::regSource(steps[i].index);
  }
  unsigned needed = place.getTime() + distance * ii - leadOf(use), there = steps.back().time;
  if (steps.back().pe != place.getPe() || there + route.getDelay() != needed ||
      route.getDelay() >= overlay.operandDelay)
    return faultAt(op, "route of operand " + llvm::Twine(use.getOperandNumber()) + " ends at PE " +
                           llvm::Twine(steps.back().pe) + " at " + llvm::Twine(there) +
                           " with a delay of " + llvm::Twine(route.getDelay()) +
                           "; it is needed at PE " + llvm::Twine(place.getPe()) + " at " +
                           llvm::Twine(needed) + ", delays are less than " +
                           llvm::Twine(overlay.operandDelay));
  return Operand{source, uint8_t(route.getDelay())};
}

llvm::Expected<Operand> ContextBuilder::operand(mlir::OpOperand &use, dfg::PlaceAttr place,
                                                unsigned distance) {
  dfg::Carriage from = dfg::carriageOf(use.get());
  mlir::Operation *producer = from.value.getDefiningOp();
  bool isInside =
      producer && producer->getParentOp() == graph && !llvm::isa<dfg::ConstOp>(producer);
  if (!isInside)
    return immediate(use, from.value, place);
  auto made = follow(use, producer, place, distance + from.distance);
  if (!made || !from.init)
    return made;
  auto initial = immediate(use, from.init, place);
  if (!initial)
    return initial;
  made->first = from.row ? isa::FirstOfRow : from.distance;
  made->init = initial->source == Source::Imm1;
  return made;
}

} // namespace acis::codegen
