// Loops whose II a recurrence sets, when operations take one cycle.
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

namespace acis::map::suite {
namespace {

/// One byte of a CRC, two bits a step: a chain of seven operations from crc to crc.
Problem crc() {
  GraphBuilder b;
  unsigned byte = b.load("byte");
  unsigned x = b.op("xor", {byte}), bit0 = b.op("and", {x});
  unsigned mask0 = b.op("neg", {bit0}), poly0 = b.op("and", {mask0});
  unsigned half = b.op("shr", {x}), once = b.op("xor", {half, poly0});
  unsigned bit1 = b.op("and", {once}), poly1 = b.op("select", {bit1});
  unsigned quarter = b.op("shr", {once}), twice = b.op("xor", {quarter, poly1});
  b.carry(twice, x);
  b.store("crc", twice);
  return b.problem;
}

/// y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y'', saturated.
Problem iir() {
  GraphBuilder b;
  unsigned x = b.load("x");
  unsigned m0 = b.op("mul", {x}), m1 = b.op("mul", {}), m2 = b.op("mul", {});
  b.carry(x, m1, 1);
  b.carry(x, m2, 2);
  unsigned feed = b.op("add", {b.op("add", {m0, m1}), m2});
  unsigned old = b.op("mul", {}), older = b.op("mul", {});
  unsigned part = b.op("sub", {feed, older});
  unsigned sum = b.op("sub", {part, old}), scaled = b.op("shr", {sum});
  unsigned y = b.op("min", {scaled});
  b.carry(y, old, 1);
  b.carry(y, older, 2);
  b.store("y", y);
  return b.problem;
}

/// A Feistel round with two table look-ups; the halves go round.
Problem cipher() {
  GraphBuilder b;
  unsigned key = b.load("key"), right = b.op("mov", {}), mixed = b.op("xor", {right, key});
  unsigned sum = 0;
  for (unsigned box = 0; box < 4; ++box) {
    unsigned byte = b.op("shr", {mixed}), index = b.op("and", {byte});
    unsigned wide = b.op("mov", {b.load("sbox", index)});
    sum = box == 0 ? wide : b.op(box == 2 ? "xor" : "add", {sum, wide});
  }
  unsigned turned = b.op("rotl", {sum}), left = b.op("mov", {});
  unsigned next = b.op("xor", {turned, left});
  unsigned whitened = b.op("xor", {next});
  b.carry(right, left);
  b.carry(whitened, right);
  b.store("state", next);
  return b.problem;
}

/// Corner detector: brightness differences of eight neighbours and a running maximum.
Problem corner() {
  GraphBuilder b;
  unsigned centre = b.load("centre"), sum = b.op("mov", {});
  unsigned weight = b.op("sub", {sum, centre});
  unsigned total = weight;
  for (unsigned i = 0; i < 6; ++i) {
    unsigned pixel = b.load("pixel" + std::to_string(i));
    unsigned difference = b.op("sub", {pixel, centre});
    unsigned near = b.op("lut", {b.op("abs", {difference})});
    total = b.op("add", {total, b.op("mul", {near, pixel})});
  }
  unsigned threshold = b.op("min", {total}), better = b.op("max", {threshold});
  b.carry(better, sum);
  b.store("corner", better);
  return b.problem;
}

/// ADPCM coder: sign, three bits of quotient, prediction, index and step, saturated.
Problem adpcm() {
  GraphBuilder b;
  unsigned sample = b.load("sample"), predicted = b.op("mov", {}), index = b.op("mov", {});
  unsigned step = b.load("step", index), difference = b.op("sub", {sample, predicted});
  unsigned sign = b.op("slt", {difference}), negated = b.op("neg", {difference});
  unsigned rest = b.op("select", {sign, negated, difference});
  unsigned code = b.op("mov", {sign}), change = b.op("shr", {step});
  for (unsigned bit = 0; bit < 3; ++bit) {
    std::string name = std::to_string(bit);
    unsigned above = b.op("sge" + name, {rest, step});
    unsigned less = b.op("sub" + name, {rest, step});
    rest = b.op("rest" + name, {above, less, rest});
    unsigned more = b.op("add" + name, {change, step});
    change = b.op("change" + name, {above, more, change});
    code = b.op("code" + name, {code, above});
    step = b.op("half" + name, {step});
  }
  unsigned back = b.op("neg", {change}), signedChange = b.op("select", {sign, back, change});
  unsigned value = b.op("add", {predicted, signedChange});
  unsigned low = b.op("max", {value}), high = b.op("min", {low});
  for (unsigned i = 0; i < 14; ++i) // the vocoder's smoothing of the prediction
    high = b.op(i % 2 ? "add" : "shr", {high});
  b.carry(high, predicted);
  unsigned shift = b.load("table", code), moved = b.op("add", {index, shift});
  unsigned floor = b.op("max", {moved}), top = b.op("min", {floor});
  b.carry(top, index);
  b.store("code", code);
  return b.problem;
}

/// Normalised lattice of four stages; every stage keeps its backward value.
Problem lattice() {
  GraphBuilder b;
  unsigned forward = b.load("x");
  for (unsigned stage = 0; stage < 4; ++stage) {
    std::string name = std::to_string(stage);
    unsigned kept = b.fop("kept" + name, {});
    unsigned up = b.fop("fmac" + name, {forward, kept});
    unsigned down = b.fop("fmacb" + name, {kept, forward});
    b.carry(down, kept);
    forward = up;
  }
  b.store("y", forward);
  return b.problem;
}

/// A running sum with a reset: select and add go round.
Problem prefixSum() {
  GraphBuilder b;
  unsigned x = b.load("x"), flag = b.load("flag");
  unsigned base = b.op("select", {flag}), sum = b.op("add", {x, base});
  b.carry(sum, base);
  b.store("sum", sum);
  return b.problem;
}

/// Largest value and its place; both go round through one comparison.
Problem argmax() {
  GraphBuilder b;
  unsigned x = b.load("x"), above = b.op("sgt", {x});
  unsigned best = b.op("select", {above, x}), i = b.op("add", {});
  unsigned where = b.op("select", {above, i});
  b.carry(best, above);
  b.carry(best, best);
  b.carry(i, i);
  b.carry(where, where);
  b.store("where", where);
  return b.problem;
}

/// count[key[i]]++: the count of this iteration may be the next one's.
Problem histogram() {
  GraphBuilder b;
  unsigned key = b.load("key"), bin = b.op("and", {key});
  unsigned old = b.load("count", bin), add = b.op("add", {old});
  unsigned store = b.store("count'", add, bin);
  b.order(store, old, 1, 1);
  return b.problem;
}

/// Four interleaved generators of pseudo-random numbers, each a recurrence of three.
Problem xorshift() {
  GraphBuilder b;
  unsigned all = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    unsigned start = b.op("shl13", {}), a = b.op("xor", {start});
    unsigned right = b.op("shr17", {a}), c = b.op("xor", {a, right});
    b.carry(c, start);
    b.carry(c, a);
    all = lane == 0 ? c : b.op("add", {all, c});
  }
  b.store("random", all);
  return b.problem;
}

/// A byte classifier: state = table[state][class[byte]], with flags on the side.
Problem automaton() {
  GraphBuilder b;
  unsigned byte = b.load("byte"), kind = b.load("class", byte);
  unsigned row = b.op("shl", {}), at = b.op("or", {row, kind});
  unsigned state = b.op("mov", {b.load("table", at)});
  b.carry(state, row);
  unsigned accept = b.op("seq", {state}), count = b.op("add", {accept});
  b.carry(count, count);
  b.store("state", state);
  b.store("count", count);
  return b.problem;
}

} // namespace

std::vector<Loop> recurrenceLoops() {
  return {{"crc", crc()},
          {"iir", iir()},
          {"cipher", cipher()},
          {"corner", corner()},
          {"adpcm", adpcm()},
          {"lattice", lattice()},
          {"prefix-sum", prefixSum()},
          {"argmax", argmax()},
          {"histogram", histogram()},
          {"xorshift", xorshift()},
          {"automaton", automaton()}};
}

} // namespace acis::map::suite
