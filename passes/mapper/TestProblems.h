// Problems and overlays that the mapper's tests share.
#pragma once

#include "passes/mapper/Problem.h"

#include <cstdlib>

namespace acis::map::test {

inline Overlay overlayNamed(const std::string &name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  auto overlay = Overlay::load(std::string(root ? root : ".") + "/backend/overlay/descriptions/" +
                               name + ".json");
  if (!overlay)
    std::abort(); // the shipped descriptions are there
  return *overlay;
}

/// Builds a problem node by node.
struct Builder {
  Problem problem;

  unsigned node(NodeKind kind, std::string name, std::optional<unsigned> pe = {},
                UnitClass unit = UnitClass::Integer) {
    problem.nodes.push_back({kind, unit, pe, std::move(name)});
    return unsigned(problem.nodes.size() - 1);
  }
  unsigned op(UnitClass unit, std::string name, std::vector<unsigned> operands,
              std::optional<unsigned> pe = {}) {
    unsigned id = node(NodeKind::Compute, std::move(name), pe, unit);
    for (unsigned i = 0; i < operands.size(); ++i)
      value(operands[i], id, i);
    return id;
  }
  unsigned streamIn() { return node(NodeKind::StreamIn, "in"); }
  unsigned streamOut(unsigned data) {
    unsigned id = node(NodeKind::StreamOut, "out");
    value(data, id, 0);
    return id;
  }
  unsigned vrfRead(std::string name, unsigned pe) {
    return node(NodeKind::VrfRead, std::move(name), pe);
  }
  void value(unsigned from, unsigned to, unsigned operand, unsigned distance = 0) {
    problem.edges.push_back({from, to, operand, distance});
  }
  void order(unsigned from, unsigned to, unsigned latency, unsigned distance = 0) {
    problem.edges.push_back({from, to, 0, distance, /*order=*/true, latency});
  }
};

/// out = in + c
inline Problem addConstant() {
  Builder b;
  b.streamOut(b.op(UnitClass::Integer, "add", {b.streamIn()}));
  return b.problem;
}

/// The gather-accumulate of GCN: on every VPE acc[row] += x[col].
inline Problem gcnAccumulate(unsigned vpes) {
  Builder b;
  unsigned beat = b.streamIn();
  for (unsigned p = 0; p < vpes; ++p) {
    std::string suffix = std::to_string(p);
    unsigned x = b.vrfRead("x" + suffix, p), acc = b.vrfRead("acc" + suffix, p);
    b.value(beat, x, 0);
    b.value(beat, acc, 0);
    unsigned sum = b.op(UnitClass::Float, "fadd" + suffix, {acc, x}, p);
    unsigned write = b.node(NodeKind::VrfWrite, "write" + suffix, p);
    b.value(sum, write, 0);
    b.value(beat, write, 1);
  }
  return b.problem;
}

/// The drain of GCN: a chain of adds along all VPEs; every accumulator is cleared.
inline Problem gcnDrain(unsigned vpes) {
  Builder b;
  unsigned sum = 0;
  for (unsigned p = 0; p < vpes; ++p) {
    std::string suffix = std::to_string(p);
    unsigned acc = b.vrfRead("acc" + suffix, p);
    b.order(acc, b.node(NodeKind::VrfWrite, "clear" + suffix, p), 0);
    sum = p == 0 ? acc : b.op(UnitClass::Float, "fadd" + suffix, {sum, acc}, p);
  }
  b.streamOut(sum);
  return b.problem;
}

/// y[i] = sum of w[k] * in[i-k]: slides and a chain of multiply-accumulates.
inline Problem fir(unsigned taps) {
  Builder b;
  unsigned in = b.streamIn();
  unsigned sum = b.op(UnitClass::Float, "fmul0", {in});
  for (unsigned k = 1; k < taps; ++k) {
    std::string suffix = std::to_string(k);
    unsigned slide = b.op(UnitClass::Integer, "slide" + suffix, {in});
    b.value(in, slide, 1, /*distance=*/1);
    unsigned mac = b.op(UnitClass::Float, "fmac" + suffix, {slide});
    b.value(sum, mac, 2);
    sum = mac;
  }
  b.streamOut(sum);
  return b.problem;
}

/// Stream times memory, accumulated in AccPartials partial sums.
inline Problem dotProduct() {
  Builder b;
  unsigned in = b.streamIn(), mem = b.node(NodeKind::MemRead, "w");
  unsigned sum = b.op(UnitClass::Float, "fmac", {in, mem});
  b.order(sum, sum, 8, isa::AccPartials);
  return b.problem;
}

/// int8 stream added to int32 accumulators in the register file.
inline Problem quantise(unsigned pe) {
  Builder b;
  unsigned in = b.streamIn(), acc = b.vrfRead("acc", pe);
  unsigned scaled = b.op(UnitClass::Integer, "mul", {in});
  unsigned sum = b.op(UnitClass::Integer, "add", {scaled, acc});
  b.value(sum, b.node(NodeKind::VrfWrite, "write", pe), 0);
  return b.problem;
}

/// out = in > c ? in * 2 : in - 1
inline Problem filter() {
  Builder b;
  unsigned in = b.streamIn();
  unsigned cmp = b.op(UnitClass::Integer, "slt", {in});
  unsigned mul = b.op(UnitClass::Integer, "mul", {in});
  unsigned sub = b.op(UnitClass::Integer, "sub", {in});
  b.streamOut(b.op(UnitClass::Integer, "select", {cmp, mul, sub}));
  return b.problem;
}

} // namespace acis::map::test
