// Loops whose II units, memory ports or the fan-out of values set.
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

namespace acis::map::suite {
namespace {

unsigned sumOf(GraphBuilder &b, std::vector<unsigned> terms, const char *name) {
  while (terms.size() > 1) {
    std::vector<unsigned> next;
    for (size_t i = 0; i + 1 < terms.size(); i += 2)
      next.push_back(b.fop(name, {terms[i], terms[i + 1]}));
    if (terms.size() % 2)
      next.push_back(terms.back());
    terms = next;
  }
  return terms[0];
}

/// Products of `points` loaded values with constants, added as a tree.
Problem stencil(unsigned points) {
  GraphBuilder b;
  std::vector<unsigned> terms;
  for (unsigned i = 0; i < points; ++i)
    terms.push_back(b.fop("fmul", {b.load("x" + std::to_string(i))}));
  b.store("y", sumOf(b, terms, "fadd"));
  return b.problem;
}

/// Taps that share one moving window: x of k iterations ago.
Problem fir(unsigned taps) {
  GraphBuilder b;
  unsigned x = b.load("x"), sum = b.fop("fmul", {x});
  for (unsigned k = 1; k < taps; ++k) {
    unsigned term = b.fop("fmul", {});
    b.carry(x, term, k);
    sum = b.fop("fadd", {sum, term});
  }
  b.store("y", sum);
  return b.problem;
}

/// A tile of rows x cols results: every loaded value goes to a row or a column.
Problem gemm(unsigned rows, unsigned cols) {
  GraphBuilder b;
  std::vector<unsigned> left, right;
  for (unsigned r = 0; r < rows; ++r)
    left.push_back(b.load("a" + std::to_string(r)));
  for (unsigned c = 0; c < cols; ++c)
    right.push_back(b.load("b" + std::to_string(c)));
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < cols; ++c) {
      unsigned sum = b.fop("fadd", {b.fop("fmul", {left[r], right[c]})});
      b.carry(sum, sum);
    }
  return b.problem;
}

/// A p and p' A at once: each matrix element feeds a row and a column.
Problem bicg(unsigned unroll) {
  GraphBuilder b;
  unsigned r = b.load("r"), last = 0;
  for (unsigned i = 0; i < unroll; ++i) {
    std::string n = std::to_string(i);
    unsigned a = b.load("a" + n), p = b.load("p" + n), s = b.load("s" + n);
    b.store("s'" + n, b.fop("fadd", {s, b.fop("fmul", {a, r})}));
    unsigned product = b.fop("fmul", {a, p});
    last = i == 0 ? product : b.fop("fadd", {last, product});
  }
  unsigned q = b.fop("fadd", {last});
  b.carry(q, q);
  return b.problem;
}

/// Two radix-2 butterflies on complex numbers.
Problem fft() {
  GraphBuilder b;
  for (unsigned i = 0; i < 2; ++i) {
    std::string n = std::to_string(i);
    unsigned ar = b.load("ar" + n), ai = b.load("ai" + n), br = b.load("br" + n),
             bi = b.load("bi" + n), wr = b.load("wr" + n), wi = b.load("wi" + n);
    unsigned re = b.fop("fsub", {b.fop("fmul", {br, wr}), b.fop("fmul", {bi, wi})});
    unsigned im = b.fop("fadd", {b.fop("fmul", {br, wi}), b.fop("fmul", {bi, wr})});
    b.store("cr" + n, b.fop("fadd", {ar, re}));
    b.store("ci" + n, b.fop("fadd", {ai, im}));
    b.store("dr" + n, b.fop("fsub", {ar, re}));
    b.store("di" + n, b.fop("fsub", {ai, im}));
  }
  return b.problem;
}

/// One value that many operations take, each with an own second operand.
Problem fanOut(unsigned uses) {
  GraphBuilder b;
  unsigned x = b.load("x"), scaled = b.op("mul", {x});
  std::vector<unsigned> found;
  for (unsigned i = 0; i < uses; ++i)
    found.push_back(b.op("slt" + std::to_string(i), {scaled, i % 2 ? x : scaled}));
  while (found.size() > 1) {
    found.push_back(b.op("add", {found[0], found[1]}));
    found.erase(found.begin(), found.begin() + 2);
  }
  b.store("rank", found[0]);
  return b.problem;
}

/// Row of a sparse matrix: value times x[column], summed.
Problem spmv(unsigned unroll) {
  GraphBuilder b;
  std::vector<unsigned> terms;
  for (unsigned i = 0; i < unroll; ++i) {
    std::string n = std::to_string(i);
    unsigned column = b.load("col" + n), x = b.load("x" + n, column);
    terms.push_back(b.fop("fmul", {b.load("val" + n), x}));
  }
  unsigned y = b.fop("fadd", {sumOf(b, terms, "fadd")});
  b.carry(y, y);
  return b.problem;
}

/// Squared distance to `centres` points in two dimensions, and the nearest.
Problem kmeans(unsigned centres) {
  GraphBuilder b;
  unsigned x = b.load("x"), y = b.load("y"), best = 0, where = 0;
  for (unsigned i = 0; i < centres; ++i) {
    unsigned dx = b.fop("fsub", {x}), dy = b.fop("fsub", {y});
    unsigned d = b.fop("fadd", {b.fop("fmul", {dx, dx}), b.fop("fmul", {dy, dy})});
    if (i == 0) {
      best = where = d;
      continue;
    }
    unsigned less = b.fop("flt", {d, best});
    best = b.op("select", {less, d, best});
    where = b.op("select", {less, where});
  }
  b.store("near", where);
  return b.problem;
}

/// out = clamp(round(x * scale)) packed from four values.
Problem quantise() {
  GraphBuilder b;
  unsigned packed = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned scaled = b.fop("fmul", {b.load("x" + std::to_string(i))});
    unsigned whole = b.op("cvt", {scaled}, UnitClass::Convert);
    unsigned clamped = b.op("min", {b.op("max", {whole})});
    unsigned byte = b.op("and", {clamped});
    packed = i == 0 ? byte : b.op("or", {b.op("shl", {packed}), byte});
  }
  b.store("packed", packed);
  return b.problem;
}

/// exp by a polynomial, its sum on the side: one step of a softmax.
Problem softmax() {
  GraphBuilder b;
  unsigned x = b.load("x"), shifted = b.fop("fsub", {x}), scaled = b.fop("fmul", {shifted});
  unsigned whole = b.op("cvt", {scaled}, UnitClass::Convert);
  unsigned back = b.op("cvtf", {whole}, UnitClass::Convert);
  unsigned part = b.fop("fsub", {scaled, back}), poly = b.fop("fmul", {part});
  for (unsigned i = 0; i < 4; ++i)
    poly = b.fop("fmul", {b.fop("fadd", {poly}), part});
  unsigned bits = b.op("shl", {b.op("add", {whole})});
  unsigned e = b.fop("fmul", {poly, bits}), sum = b.fop("fadd", {e});
  b.carry(sum, sum);
  b.store("e", e);
  return b.problem;
}

/// Distance and angle: square root and two divisions beside each other.
Problem normalise() {
  GraphBuilder b;
  unsigned x = b.load("x"), y = b.load("y");
  unsigned n = b.fop("fadd", {b.fop("fmul", {x, x}), b.fop("fmul", {y, y})});
  unsigned root = b.op("sqrt", {n}, UnitClass::Divide);
  b.store("x'", b.op("div", {x, root}, UnitClass::Divide));
  b.store("y'", b.op("div", {y, root}, UnitClass::Divide));
  return b.problem;
}

/// y[i] = x > t ? x - t : x < -t ? x + t : 0, four at a time.
Problem softThreshold() {
  GraphBuilder b;
  for (unsigned i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    unsigned x = b.load("x" + n);
    unsigned above = b.fop("fgt", {x}), below = b.fop("flt", {x});
    unsigned down = b.fop("fsub", {x}), up = b.fop("fadd", {x});
    unsigned inner = b.op("select", {below, up});
    b.store("y" + n, b.op("select", {above, down, inner}));
  }
  return b.problem;
}

} // namespace

std::vector<Loop> resourceLoops() {
  return {
      {"stencil-5", stencil(5)},  {"stencil-9", stencil(9)},  {"stencil-25", stencil(25)},
      {"fir-8", fir(8)},          {"fir-16", fir(16)},        {"gemm-2x2", gemm(2, 2)},
      {"gemm-4x4", gemm(4, 4)},   {"bicg-4", bicg(4)},        {"fft", fft()},
      {"fan-out-12", fanOut(12)}, {"fan-out-24", fanOut(24)}, {"spmv-4", spmv(4)},
      {"kmeans-4", kmeans(4)},    {"kmeans-8", kmeans(8)},    {"quantise", quantise()},
      {"softmax", softmax()},     {"normalise", normalise()}, {"soft-threshold", softThreshold()}};
}

std::vector<Loop> loops() {
  std::vector<Loop> all = recurrenceLoops();
  for (const auto &more : {resourceLoops(), mediaLoops(), codingLoops()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace acis::map::suite
