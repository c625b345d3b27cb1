// A mapped graph to the words of a context: what each node does in its slot, what the
// routes do in theirs. Fields that two routes share must agree.
#include "backend/codegen/SelectInternal.h"

#include "passes/mapper/Problem.h"

namespace acis::codegen {
namespace {

using isa::Operand;
using isa::Slot;
using isa::Source;
using Place = map::Step::Place;

class ContextBuilder {
public:
  ContextBuilder(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                 ScalarBuilder &scalars, unsigned number, isa::LoopContext &loop, MNest &nest,
                 std::vector<ElementLine> &lines)
      : graph(graph), arrays(arrays), overlay(overlay), scalars(scalars), loop(loop), nest(nest),
        lines(lines), args(nest.launch.args), number(number), ii(loop.ii) {}

  llvm::Error run();

private:
  // Places
  llvm::Expected<dfg::PlaceAttr> placeOf(mlir::Operation *op) const;
  Slot &slotOf(dfg::PlaceAttr place) { return loop.pes[place.getPe()].slots[place.getTime() % ii]; }
  uint8_t stageOf(dfg::PlaceAttr place) const { return place.getTime() / ii; }
  void noteLine(mlir::Operation *op, dfg::PlaceAttr place);

  // Nodes
  llvm::Error node(mlir::Operation &op);
  llvm::Error compute(dfg::ComputeOp op, dfg::PlaceAttr place);
  llvm::Error reduce(dfg::ReduceOp op, dfg::PlaceAttr place);
  llvm::Error streamRead(dfg::StreamReadOp op, dfg::PlaceAttr place);
  llvm::Error streamWrite(dfg::StreamWriteOp op, dfg::PlaceAttr place);
  llvm::Error memRead(dfg::MemReadOp op, dfg::PlaceAttr place);
  llvm::Error memWrite(dfg::MemWriteOp op, dfg::PlaceAttr place);
  llvm::Error vrfRead(dfg::VrfReadOp op, dfg::PlaceAttr place);
  llvm::Error vrfWrite(dfg::VrfWriteOp op, dfg::PlaceAttr place);
  llvm::Error unitOperands(mlir::Operation *op, mlir::OperandRange inputs,
                           llvm::ArrayRef<int32_t> distances, dfg::PlaceAttr place);
  llvm::Error memoryPort(mlir::Operation *op, const dfg::Position &position,
                         isa::ElementFormat format, isa::MemAddress &port);
  struct StreamUse {
    mlir::Operation *op;
    dfg::Position position;
    unsigned time;
  };
  llvm::Error finishStream(std::vector<StreamUse> &uses, isa::StreamPort &port);
  bool isGuardedPair(dfg::VrfWriteOp write);
  template <typename OpTy>
  llvm::Expected<uint8_t> generator(OpTy op, bool guarded, isa::PeContext &pe);

  // Operands
  llvm::Expected<Operand> operand(mlir::OpOperand &use, dfg::PlaceAttr place, unsigned distance);
  llvm::Expected<Operand> immediate(mlir::OpOperand &use, dfg::PlaceAttr place);
  llvm::Expected<unsigned> argument(mlir::OpOperand &use, Slot &slot, unsigned node);
  llvm::Expected<Source> setImmediate(mlir::Operation *op, Slot &slot, uint64_t value,
                                      unsigned arg);
  llvm::Expected<Operand> follow(mlir::OpOperand &use, dfg::PlaceAttr place, unsigned distance);
  llvm::Error step(mlir::Operation *op, const map::Step &from, const map::Step &to, Source source);
  static Source busSource(mlir::Operation *producer);

  dfg::GraphOp graph;
  const ArrayPlaces &arrays;
  const Overlay &overlay;
  ScalarBuilder &scalars;
  isa::LoopContext &loop;
  MNest &nest;
  std::vector<ElementLine> &lines;
  ArgTable args;
  unsigned number, ii;
  std::vector<StreamUse> pops, pushes;
  /// Constants of each slot, by pe * ii + slot: bit k, imm k is taken.
  std::vector<uint8_t> immTaken;
};

llvm::Expected<dfg::PlaceAttr> ContextBuilder::placeOf(mlir::Operation *op) const {
  auto place = op->getAttrOfType<dfg::PlaceAttr>("place");
  if (!place)
    return failAt(op, "'" + op->getName().getStringRef() +
                          "' has no place; run dfg-map before code generation");
  if (place.getPe() >= overlay.numPes() || place.getTime() / ii > 255)
    return failAt(op, "a node is placed on PE " + llvm::Twine(place.getPe()) + " at time " +
                          llvm::Twine(place.getTime()) + "; the overlay has " +
                          llvm::Twine(overlay.numPes()) + " PEs, a context 256 stages");
  return place;
}

void ContextBuilder::noteLine(mlir::Operation *op, dfg::PlaceAttr place) {
  ElementLine line{number, llvm::isa<dfg::StreamReadOp>(op) ? 0 : place.getPe(),
                   place.getTime() % ii, "", 0};
  unsigned column = 0;
  if (sourceLine(op->getLoc(), line.file, line.line, column) && line.line)
    lines.push_back(line);
}

//===- Operands ------------------------------------------------------------===//

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
  return failAt(op, "more than two constants in slot " + llvm::Twine(place.getTime() % ii) +
                        " of PE " + llvm::Twine(place.getPe()) +
                        "; a context word holds two; try a larger interval with --min-ii");
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
    return failAt(use.getOwner(), "a 64-bit value from outside of the loop in a slot that works "
                                  "on fewer bits; convert it before the loop");
  return args.word({node, false});
}

llvm::Expected<Operand> ContextBuilder::immediate(mlir::OpOperand &use, dfg::PlaceAttr place) {
  llvm::Expected<unsigned> node = scalars.node(use.get());
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
  auto fail = [&](const llvm::Twine &what) { return failAt(op, "route of an operand: " + what); };
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

llvm::Expected<Operand> ContextBuilder::follow(mlir::OpOperand &use, dfg::PlaceAttr place,
                                               unsigned distance) {
  mlir::Operation *op = use.getOwner();
  auto routes = op->getAttrOfType<mlir::ArrayAttr>("routes");
  auto route = routes && use.getOperandNumber() < routes.size()
                   ? llvm::dyn_cast<dfg::RouteAttr>(routes[use.getOperandNumber()])
                   : dfg::RouteAttr();
  if (!route || route.getWords().empty() || route.getWords().size() % 4)
    return failAt(op, "operand " + llvm::Twine(use.getOperandNumber()) +
                          " has no route; run dfg-map before code generation");
  std::vector<map::Step> steps;
  for (size_t i = 0; i < route.getWords().size(); i += 4) {
    llvm::ArrayRef<unsigned> words = route.getWords().slice(i, 4);
    steps.push_back({words[0], words[1], static_cast<Place>(words[2]), words[3]});
  }
  Source source = busSource(use.get().getDefiningOp());
  for (size_t i = 1; i < steps.size(); ++i) {
    if (llvm::Error error = step(op, steps[i - 1], steps[i], source))
      return error;
    source = steps[i].place == Place::Link ? isa::linkSource(steps[i].index)
                                           : isa::regSource(steps[i].index);
  }
  unsigned needed = place.getTime() + distance * ii, there = steps.back().time;
  if (steps.back().pe != place.getPe() || there + route.getDelay() != needed ||
      route.getDelay() >= overlay.operandDelay)
    return failAt(op, "route of operand " + llvm::Twine(use.getOperandNumber()) + " ends at PE " +
                          llvm::Twine(steps.back().pe) + " at " + llvm::Twine(there) +
                          " with a delay of " + llvm::Twine(route.getDelay()) +
                          "; it is needed at PE " + llvm::Twine(place.getPe()) + " at " +
                          llvm::Twine(needed) + ", delays are less than " +
                          llvm::Twine(overlay.operandDelay));
  return Operand{source, uint8_t(route.getDelay())};
}

llvm::Expected<Operand> ContextBuilder::operand(mlir::OpOperand &use, dfg::PlaceAttr place,
                                                unsigned distance) {
  mlir::Operation *producer = use.get().getDefiningOp();
  bool isInside =
      producer && producer->getParentOp() == graph && !llvm::isa<dfg::ConstOp>(producer);
  if (isInside)
    return follow(use, place, distance);
  return immediate(use, place);
}

//===- Nodes ---------------------------------------------------------------===//

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
    return failAt(op, "two operations in one slot of PE " + llvm::Twine(place.getPe()));
  slot.op = static_cast<isa::Op>(op.getOp());
  slot.stage = stageOf(place);
  mlir::Type own = dfg::elementOf(op.getType());
  mlir::Type input = op.getInputs().empty() ? own : dfg::elementOf(op.getInputs()[0].getType());
  slot.type = typeOf(dfg::isCompare(op.getOp()) ? input : own);
  slot.from = typeOf(input);
  uint8_t &taken = immTaken[place.getPe() * ii + place.getTime() % ii];
  if (std::optional<uint32_t> number = op.getImmediate()) {
    // Lane and slide find their number in imm0.
    if (taken & 1 && (slot.immArg[0] != isa::NoArg || slot.imm[0] != *number))
      return failAt(op, "constant 0 of a slot is taken by a port; try a larger interval with "
                        "--min-ii");
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
  } else if (slot.op == isa::Op::Mov && own.isInteger(1) && !input.isInteger(1)) {
    auto one = constant(1);
    if (!one)
      return one.takeError();
    slot.op = isa::Op::And;
    slot.type = typeOf(input);
    slot.b = *one;
  } else if (slot.op == isa::Op::Sitofp && input.isInteger(1)) {
    return failAt(op, "signed conversion of a 1-bit value to floating point; convert it to int "
                      "first");
  }
  return llvm::Error::success();
}

llvm::Error ContextBuilder::reduce(dfg::ReduceOp op, dfg::PlaceAttr place) {
  Slot &slot = slotOf(place);
  if (slot.op != isa::Op::Nop)
    return failAt(op, "two operations in one slot of PE " + llvm::Twine(place.getPe()));
  slot.op = static_cast<isa::Op>(op.getOp());
  slot.stage = stageOf(place);
  slot.type = slot.from = typeOf(op.getType());
  slot.accumulate = true;
  uint8_t &taken = immTaken[place.getPe() * ii + place.getTime() % ii];
  uint64_t identity = bitsOfConstant(op.getIdentity());
  if (taken & 2 && (slot.immArg[1] != isa::NoArg || slot.imm[1] != identity))
    return failAt(op, "constant 1 of a slot is taken by a port; try a larger interval with "
                      "--min-ii");
  slot.imm[1] = identity;
  taken |= 2;
  for (mlir::OpOperand &use : op.getResult().getUses())
    if (llvm::isa<dfg::YieldOp>(use.getOwner()) && slot.result == isa::NoArg) {
      slot.result = use.getOperandNumber();
      nest.results[slot.result] = {slot.type, identity};
    }
  return unitOperands(op, op.getInputs(), {}, place);
}

llvm::Error ContextBuilder::streamRead(dfg::StreamReadOp op, dfg::PlaceAttr place) {
  isa::PortRead &pop = loop.streamInSlots[place.getTime() % ii];
  isa::ElementFormat format = formatOf(op.getType(), op.getElem(), op.getIsSigned(), op.getSplat());
  if (pop.on || (!pops.empty() && format != loop.streamIn.format))
    return failAt(op, "the input stream is read twice in one cycle, or with two element types in "
                      "one loop; split the loop");
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
    return failAt(op, "the output stream is written twice in one cycle, or with two element types "
                      "in one loop; split the loop");
  loop.streamOut.format = format;
  push.on = true;
  push.stage = stageOf(place);
  pushes.push_back({op, op.getPosition(), place.getTime()});
  auto data = operand(op.getValueMutable(), place, 0);
  if (!data)
    return data.takeError();
  push.data = *data;
  return llvm::Error::success();
}

/// Accesses of an iteration follow each other without gaps, iterations too.
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
    unsigned start = scalars.code.constant(split->offset - int64_t(index) * bytes);
    if (split->base)
      start = scalars.code.sum(*split->base, start);
    bool steps = (graph.getInner() == 1 || split->stride0 == advance) &&
                 split->stride1 == advance * graph.getInner();
    if ((!steps && !isSingle) || (first && *first != start))
      return failAt(use.op, "a stream is not accessed one element after the other within the "
                            "loop (" +
                                llvm::Twine(advance) + " bytes an iteration, " +
                                llvm::Twine(uses.size()) + " accesses); read or write it in order");
    first = start;
  }
  port.on = true;
  port.arg = args.word({*first, false});
  return llvm::Error::success();
}

llvm::Error ContextBuilder::memoryPort(mlir::Operation *op, const dfg::Position &position,
                                       isa::ElementFormat format, isa::MemAddress &port) {
  if (port.on)
    return failAt(op, "two accesses of the memory port of one PE in a loop; the overlay has one "
                      "address generator per port");
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
  auto split = splitPosition(graph, op, op.getPosition(), array.vf, scalars);
  if (!split)
    return split.takeError();
  VrfAccess access{*split,       bool(op.getIndex()), op.getLane(), op.getShift(),
                   op.getBits(), op.getZeroLimit(),   guarded};
  isa::VrfAddress address = vrfAddress(access, array, overlay, scalars.code, args);
  if (split->stride0 != address.stride0 || split->stride1 != address.stride1)
    return failAt(op, "a step of " + llvm::Twine(split->stride0) + " or " +
                          llvm::Twine(split->stride1) +
                          " beats in an array; an address generator steps by -32768 to 32767");
  auto known = llvm::find(pe.addresses, address);
  if (known == pe.addresses.end())
    known = pe.addresses.insert(known, address);
  if (known - pe.addresses.begin() > 255)
    return failAt(op, "more than 256 different array addresses in one PE");
  return uint8_t(known - pe.addresses.begin());
}

llvm::Error ContextBuilder::vrfRead(dfg::VrfReadOp op, dfg::PlaceAttr place) {
  if (place.getPort() > 1 || slotOf(place).read[place.getPort()].on)
    return failAt(op, "register file port " + llvm::Twine(place.getPort()) +
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
    return failAt(op, "two register file writes in one slot of PE " + llvm::Twine(place.getPe()));
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

llvm::Error ContextBuilder::node(mlir::Operation &op) {
  if (llvm::isa<dfg::ConstOp, dfg::YieldOp>(op))
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
  return failAt(&op, "'" + op.getName().getStringRef() + "' in a mapped graph");
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

} // namespace

llvm::Error buildContext(dfg::GraphOp graph, const ArrayPlaces &arrays, const Overlay &overlay,
                         ScalarBuilder &scalars, unsigned contextNumber, isa::LoopContext &loop,
                         MNest &nest, std::vector<ElementLine> &lines) {
  return ContextBuilder(graph, arrays, overlay, scalars, contextNumber, loop, nest, lines).run();
}

} // namespace acis::codegen
