// Loops of codecs and image processing: many memory accesses, saturation, fan-out.
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

namespace acis::map::suite {
namespace {

std::string numbered(const char *name, unsigned number) { return name + std::to_string(number); }

/// min(max(x, low), high).
unsigned saturate(GraphBuilder &b, unsigned x) { return b.op("min", {b.op("max", {x})}); }

/// |gx| + |gy| of a 3x3 window, clamped.
Problem sobel() {
  GraphBuilder b;
  std::vector<unsigned> p;
  for (unsigned i = 0; i < 8; ++i)
    p.push_back(b.load(numbered("p", i)));
  auto gradient = [&](std::initializer_list<unsigned> plus, std::initializer_list<unsigned> minus) {
    auto side = [&](std::initializer_list<unsigned> taps) {
      const unsigned *tap = taps.begin();
      unsigned middle = b.op("shl", {p[tap[1]]});
      return b.op("add", {b.op("add", {p[tap[0]], middle}), p[tap[2]]});
    };
    return b.op("abs", {b.op("sub", {side(plus), side(minus)})});
  };
  unsigned sum = b.op("add", {gradient({2, 4, 7}, {0, 3, 5}), gradient({5, 6, 7}, {0, 1, 2})});
  b.store("edge", b.op("min", {sum}));
  return b.problem;
}

/// One row of an 8-point DCT, after Loeffler: 29 additions, 11 products.
Problem dct() {
  GraphBuilder b;
  std::vector<unsigned> x, even, odd;
  for (unsigned i = 0; i < 8; ++i)
    x.push_back(b.load(numbered("x", i)));
  for (unsigned i = 0; i < 4; ++i) {
    even.push_back(b.op("add", {x[i], x[7 - i]}));
    odd.push_back(b.op("sub", {x[i], x[7 - i]}));
  }
  auto turn = [&](unsigned p, unsigned q) {
    unsigned both = b.op("mul", {b.op("add", {p, q})});
    unsigned left = b.op("add", {both, b.op("mul", {p})});
    return std::pair(left, b.op("sub", {both, b.op("mul", {q})}));
  };
  unsigned a = b.op("add", {even[0], even[3]}), c = b.op("add", {even[1], even[2]});
  auto [y2, y6] = turn(b.op("sub", {even[0], even[3]}), b.op("sub", {even[1], even[2]}));
  auto [o0, o3] = turn(odd[0], odd[3]);
  auto [o1, o2] = turn(odd[1], odd[2]);
  unsigned y[8] = {b.op("add", {a, c}),
                   b.op("add", {o0, o1}),
                   y2,
                   b.op("mul", {b.op("sub", {o0, o2})}),
                   b.op("sub", {a, c}),
                   b.op("mul", {b.op("sub", {o3, o1})}),
                   y6,
                   b.op("add", {o3, o2})};
  for (unsigned i = 0; i < 8; ++i)
    b.store(numbered("y", i), b.op("shr", {y[i]}));
  return b.problem;
}

/// Long-term prediction of GSM: rounded products, saturated, four at once.
Problem gsmFilter() {
  GraphBuilder b;
  unsigned gain = b.load("gain");
  for (unsigned i = 0; i < 4; ++i) {
    unsigned past = b.load(numbered("dp", i)), now = b.load(numbered("d", i));
    unsigned product = b.op("shr", {b.op("add", {b.op("mul", {gain, past})})});
    b.store(numbered("e", i), saturate(b, b.op("sub", {now, product})));
    b.store(numbered("dpp", i), saturate(b, product));
  }
  return b.problem;
}

/// Short-term synthesis of GSM: a lattice with saturation, two stages in one recurrence.
Problem gsmLattice() {
  GraphBuilder b;
  unsigned s = b.load("s");
  for (unsigned stage = 0; stage < 2; ++stage) {
    unsigned v = b.op(numbered("v", stage), {});
    s = saturate(b, b.op("sub", {s, b.op("shr", {b.op("mul", {v})})}));
    unsigned next = saturate(b, b.op("add", {v, b.op("shr", {b.op("mul", {s})})}));
    b.carry(next, v);
  }
  b.store("sr", s);
  return b.problem;
}

/// Brightness comparison of SUSAN with a table, nine pixels round the nucleus.
Problem susan() {
  GraphBuilder b;
  unsigned centre = b.load("centre"), area = 0, total = 0;
  for (unsigned i = 0; i < 6; ++i) {
    unsigned pixel = b.load(numbered("pixel", i));
    unsigned weight = b.load(numbered("bp", i), b.op("sub", {pixel, centre}));
    unsigned product = b.op("mul", {weight, pixel});
    area = i == 0 ? weight : b.op("add", {area, weight});
    total = i == 0 ? product : b.op("add", {total, product});
  }
  b.store("area", area);
  b.store("total", total);
  return b.problem;
}

/// Median of nine by a network of minima and maxima.
Problem median() {
  GraphBuilder b;
  std::vector<unsigned> p;
  for (unsigned i = 0; i < 9; ++i)
    p.push_back(b.load(numbered("p", i)));
  auto sort = [&](unsigned i, unsigned j) {
    unsigned low = b.op("min", {p[i], p[j]}), high = b.op("max", {p[i], p[j]});
    p[i] = low;
    p[j] = high;
  };
  for (unsigned row = 0; row < 9; row += 3) {
    sort(row + 1, row + 2);
    sort(row, row + 1);
    sort(row + 1, row + 2);
  }
  p[3] = b.op("max", {p[0], p[3]});
  p[5] = b.op("min", {p[5], p[8]});
  sort(4, 7);
  p[6] = b.op("max", {p[3], p[6]});
  p[4] = b.op("max", {p[1], p[4]});
  p[2] = b.op("min", {p[2], p[5]});
  p[4] = b.op("min", {p[4], p[7]});
  sort(4, 2);
  p[4] = b.op("max", {p[6], p[4]});
  b.store("median", b.op("min", {p[4], p[2]}));
  return b.problem;
}

/// RGB to YCbCr: a matrix of products that share three values.
Problem ycc() {
  GraphBuilder b;
  unsigned in[3] = {b.load("r"), b.load("g"), b.load("b")};
  for (const char *name : {"y", "cb", "cr"}) {
    unsigned sum = b.op("mul", {in[0]});
    sum = b.op("add", {sum, b.op("mul", {in[1]})});
    sum = b.op("add", {sum, b.op("mul", {in[2]})});
    b.store(name, b.op("shr", {b.op("add", {sum})}));
  }
  return b.problem;
}

/// Sum of absolute differences of eight pixels, for a motion vector, with the best so far.
Problem motion() {
  GraphBuilder b;
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned now = b.load(numbered("now", i)), then = b.load(numbered("then", i));
    unsigned difference = b.op("abs", {b.op("sub", {now, then})});
    sum = i == 0 ? difference : b.op("add", {sum, difference});
  }
  unsigned best = b.op("min", {sum});
  b.carry(best, best);
  b.store("best", best);
  return b.problem;
}

/// Bilinear interpolation between four pixels.
Problem bilinear() {
  GraphBuilder b;
  unsigned x = b.load("x"), y = b.load("y");
  unsigned fx = b.op("and", {x}), fy = b.op("and", {y}), at = b.op("shr", {x});
  auto mix = [&](unsigned from, unsigned to, unsigned part) {
    return b.op("add", {from, b.op("shr", {b.op("mul", {b.op("sub", {to, from}), part})})});
  };
  unsigned top = mix(b.load("p00", at), b.load("p01", b.op("add", {at})), fx);
  unsigned below = mix(b.load("p10", b.op("add", {at})), b.load("p11", b.op("add", {at})), fx);
  b.store("pixel", mix(top, below, fy));
  return b.problem;
}

/// The decoder to `adpcm` of the recurrence loops.
Problem adpcmDecoder() {
  GraphBuilder b;
  unsigned code = b.load("code"), index = b.op("mov", {}), predicted = b.op("mov", {});
  unsigned step = b.load("step", index), change = b.op("shr", {step});
  for (unsigned bit = 0; bit < 3; ++bit) {
    unsigned set = b.op(numbered("bit", bit), {code}), part = b.op("shr", {step});
    change = b.op("select", {set, b.op("add", {change, part}), change});
  }
  unsigned sign = b.op("and", {code});
  unsigned value =
      b.op("select", {sign, b.op("sub", {predicted, change}), b.op("add", {predicted, change})});
  unsigned clamped = saturate(b, value);
  b.carry(clamped, predicted);
  unsigned moved = saturate(b, b.op("add", {index, b.load("table", code)}));
  b.carry(moved, index);
  b.store("sample", clamped);
  return b.problem;
}

} // namespace

std::vector<Loop> mediaLoops() {
  return {{"sobel", sobel()},
          {"dct-8", dct()},
          {"gsm-filter", gsmFilter()},
          {"gsm-lattice", gsmLattice()},
          {"susan", susan()},
          {"median-9", median()},
          {"ycc", ycc()},
          {"motion", motion()},
          {"bilinear", bilinear()},
          {"adpcm-decoder", adpcmDecoder()}};
}

} // namespace acis::map::suite
