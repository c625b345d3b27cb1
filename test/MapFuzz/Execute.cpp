// See Execute.h.
#include "test/MapFuzz/Execute.h"

#include "passes/mapper/Random.h"
#include "runtime/engine/device/Device.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/engine/loader/Image.h"

#include <cstring>

namespace acis::map::fuzz {
namespace {

using isa::Op;
using isa::Source;
using isa::Type;

/// What operation number `node` computes, and the constant of its missing operands.
struct Operation {
  Op op;
  Type type = Type::I32, from = Type::I32;
  uint32_t constant;
};

Operation operationOf(const Problem &problem, unsigned node) {
  static constexpr Op one[] = {Op::Mov, Op::Add, Op::Xor}, two[] = {Op::Sub, Op::Mul, Op::Smin};
  uint32_t constant = 0x9e3779b9u * (node + 1);
  unsigned operands = 0;
  for (const Edge &edge : problem.edges)
    operands += edge.to == node && !edge.order;
  switch (problem.nodes[node].unit) {
  case UnitClass::Convert:
    return {Op::Sitofp, Type::F32, Type::I32, constant};
  case UnitClass::Float:
    return {node % 2 ? Op::Fneg : Op::Fabs, Type::F32, Type::I32, constant};
  case UnitClass::Divide:
    return {node % 2 ? Op::Udiv : Op::Urem, Type::I32, Type::I32, constant};
  case UnitClass::Integer:
    break;
  }
  return {operands == 3   ? Op::Select
          : operands == 2 ? two[node % 3]
                          : one[node % 3],
          Type::I32, Type::I32, constant};
}

uint32_t apply(Op op, uint32_t a, uint32_t b, uint32_t c) {
  switch (op) {
  case Op::Mov:
    return a;
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
    return a * b;
  case Op::Xor:
    return a ^ b;
  case Op::Smin:
    return int32_t(a) < int32_t(b) ? a : b;
  case Op::Select:
    return a != 0 ? b : c;
  case Op::Udiv:
    return b == 0 ? ~0u : a / b;
  case Op::Urem:
    return b == 0 ? a : a % b;
  case Op::Fneg:
    return a ^ 0x80000000u;
  case Op::Fabs:
    return a & 0x7fffffffu;
  case Op::Sitofp: {
    float value = float(int32_t(a));
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  default:
    return 0;
  }
}

/// Iteration by iteration, straight from the graph. Nodes are in topological order but
/// for operands of earlier iterations.
std::vector<uint32_t> interpret(const Problem &problem, const std::vector<uint32_t> &in,
                                unsigned iterations, unsigned lanes) {
  std::vector<uint32_t> values(problem.nodes.size() * iterations * lanes, 0), out;
  auto value = [&](unsigned node, unsigned iteration, unsigned lane) -> uint32_t & {
    return values[(size_t(node) * iterations + iteration) * lanes + lane];
  };
  for (unsigned i = 0; i < iterations; ++i)
    for (unsigned node = 0; node < problem.nodes.size(); ++node)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        uint32_t operands[3];
        Operation operation = operationOf(problem, node);
        for (uint32_t &operand : operands)
          operand = operation.constant;
        for (const Edge &edge : problem.edges)
          if (edge.to == node && !edge.order)
            operands[edge.operand] =
                i < edge.distance ? 0 : value(edge.from, i - edge.distance, lane);
        switch (problem.nodes[node].kind) {
        case NodeKind::StreamIn:
          value(node, i, lane) = in[i * lanes + lane];
          break;
        case NodeKind::StreamOut:
          out.push_back(operands[0]);
          break;
        default:
          value(node, i, lane) = apply(operation.op, operands[0], operands[1], operands[2]);
        }
      }
  return out;
}

class Context {
public:
  Context(const Problem &problem, const Overlay &overlay, const Mapping &mapping)
      : problem(problem), overlay(overlay), mapping(mapping),
        loop(cts::emptyContext(overlay, mapping.ii)) {}

  isa::LoopContext run() {
    loop.numArgs = 2;
    loop.streamIn = {true, {4, false, false}, 0};
    loop.streamOut = {true, {4, false, false}, 1};
    for (unsigned node = 0; node < problem.nodes.size(); ++node)
      addNode(node);
    for (unsigned e = 0; e < problem.edges.size(); ++e)
      if (!problem.edges[e].order)
        addRoute(e);
    cts::finishContext(loop, overlay);
    return loop;
  }

private:
  isa::Slot &word(unsigned pe, unsigned time) { return loop.pes[pe].slots[time % mapping.ii]; }

  void addNode(unsigned node) {
    const Placement &at = mapping.places[node];
    uint8_t stage = uint8_t(at.time / mapping.ii);
    isa::Slot &slot = word(at.pe, at.time);
    switch (problem.nodes[node].kind) {
    case NodeKind::StreamIn:
      loop.streamInSlots[at.time % mapping.ii] = {true, stage};
      return;
    case NodeKind::StreamOut:
      slot.streamOut.on = true;
      slot.streamOut.stage = stage;
      return;
    default:
      break;
    }
    Operation operation = operationOf(problem, node);
    slot.op = operation.op;
    slot.type = operation.type;
    slot.from = operation.from;
    slot.stage = stage;
    slot.imm[0] = operation.constant;
    isa::Operand *operands[] = {&slot.a, &slot.b, &slot.c};
    for (unsigned i = 0; i < isa::numOperands(operation.op); ++i)
      operands[i]->source = Source::Imm0; // addRoute() replaces those that have an edge
  }

  Source sourceOf(unsigned producer, const Step &step) const {
    if (step.place == Step::Place::Link)
      return isa::linkSource(step.index);
    if (step.place == Step::Place::Reg)
      return isa::regSource(step.index);
    return problem.nodes[producer].kind == NodeKind::StreamIn ? Source::StreamIn : Source::Res;
  }

  void addRoute(unsigned e) {
    const Edge &edge = problem.edges[e];
    const std::vector<Step> &steps = mapping.routes[e];
    for (size_t i = 1; i < steps.size(); ++i) {
      const Step &from = steps[i - 1], &to = steps[i];
      isa::Slot &slot = word(from.pe, from.time);
      if (to.place == Step::Place::Link) {
        for (const Link &link : overlay.links)
          if (link.from == from.pe && link.to == to.pe && link.inPort == to.index)
            slot.link[link.port] = sourceOf(edge.from, from);
      } else if (from.place != Step::Place::Reg || from.index != to.index) {
        slot.regWrite = true;
        slot.reg = uint8_t(to.index);
        slot.regData = sourceOf(edge.from, from);
      }
    }
    const Placement &at = mapping.places[edge.to];
    isa::Slot &slot = word(at.pe, at.time);
    isa::Operand operand{sourceOf(edge.from, steps.back()), mapping.delays[e]};
    if (problem.nodes[edge.to].kind == NodeKind::StreamOut) {
      slot.streamOut.data = operand;
      return;
    }
    (edge.operand == 0 ? slot.a : edge.operand == 1 ? slot.b : slot.c) = operand;
  }

  const Problem &problem;
  const Overlay &overlay;
  const Mapping &mapping;
  isa::LoopContext loop;
};

Status compareOn(Device &device, const char *name, const cts::TestBinary &binary,
                 const cts::Bytes &packet, const std::vector<uint32_t> &expected) {
  auto image = loadImage(binary.elf(), device.overlay());
  if (!image)
    return Error{name, "the loader refuses the context: " + image.error().str()};
  if (Status status = device.load(*image, ""); !status)
    return Error{name, status.error().str()};
  device.push(packet);
  if (Status status = device.run(); !status)
    return Error{name, status.error().str()};
  cts::Bytes got, wanted(expected.size() * 4);
  std::memcpy(wanted.data(), expected.data(), wanted.size());
  for (cts::Bytes part; device.pop(part);)
    got.insert(got.end(), part.begin(), part.end());
  if (got == wanted)
    return {};
  size_t at = 0;
  while (at < got.size() && at < wanted.size() && got[at] == wanted[at])
    ++at;
  return Error{name, std::to_string(got.size()) + " bytes came out, " +
                         std::to_string(wanted.size()) + " are right; they differ from byte " +
                         std::to_string(at) + " on"};
}

} // namespace

Status runAndCompare(const Problem &problem, const Overlay &overlay, const Mapping &mapping,
                     unsigned iterations, uint64_t seed) {
  using namespace cts::as;
  Random random(seed);
  std::vector<uint32_t> in(iterations * overlay.lanes);
  for (uint32_t &word : in)
    word = random.below(3) != 0 ? uint32_t(random.next()) : random.below(4);
  cts::Bytes packet(in.size() * 4);
  std::memcpy(packet.data(), in.data(), packet.size());

  cts::TestBinary binary(overlay);
  binary.contexts = {Context(problem, overlay, mapping).run()};
  cts::Words code;
  for (unsigned k = 0; k < 2; ++k) {
    li(code, t0, 0);
    code.push_back(arg(k, t0));
  }
  li(code, t0, iterations);
  li(code, t1, overlay.lanes);
  code.push_back(launch(0, t0, t1));
  code.push_back(wfi);
  binary.code = code;

  std::vector<uint32_t> expected = interpret(problem, in, iterations, overlay.lanes);
  if (Status status = compareOn(*makeFastDevice(overlay), "engine fast", binary, packet, expected);
      !status)
    return status;
  return compareOn(*makeModelDevice(overlay), "engine model", binary, packet, expected);
}

} // namespace acis::map::fuzz
