// Loops of cryptography, channel and source coding, and dense algebra: long recurrences with
// branches beside them, or many products of few values.
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

namespace acis::map::suite {
namespace {

std::string numbered(const char *name, unsigned number) { return name + std::to_string(number); }

unsigned rotate(GraphBuilder &b, unsigned x) {
  return b.op("or", {b.op("shl", {x}), b.op("shr", {x})});
}

/// A round of SHA-1: five words move on, one is computed.
Problem sha1() {
  GraphBuilder b;
  unsigned w = b.load("w"), a = b.op("mov", {}), f = b.op("and", {});
  unsigned g = b.op("andn", {}), choose = b.op("or", {f, g});
  unsigned c = b.op("or", {b.op("shl", {}), b.op("shr", {})});
  unsigned sum = b.op("add", {b.op("add", {b.op("add", {w}), choose})});
  unsigned next = b.op("add", {sum, rotate(b, a)});
  b.carry(next, a, 1);
  b.carry(a, f, 1); // b
  b.carry(c, f, 1);
  b.carry(a, g, 1);
  b.carry(c, g, 2); // d
  b.carry(a, c - 2, 1);
  b.carry(a, c - 1, 1);
  b.carry(c, sum, 2); // e
  b.store("a", next);
  return b.problem;
}

/// A round of SHA-256, with both sums and both choices.
Problem sha256() {
  GraphBuilder b;
  unsigned w = b.load("w"), k = b.load("k"), e = b.op("mov", {}), a = b.op("mov", {});
  unsigned choose = b.op("xor", {b.op("and", {e}), b.op("andn", {e})});
  unsigned s1 = b.op("xor", {b.op("xor", {rotate(b, e), rotate(b, e)}), rotate(b, e)});
  unsigned h = b.op("add", {w, k}), t1 = b.op("add", {b.op("add", {h, choose}), s1});
  unsigned s0 = b.op("xor", {b.op("xor", {rotate(b, a), rotate(b, a)}), rotate(b, a)});
  unsigned majority = b.op("or", {b.op("and", {a}), b.op("and", {a})});
  unsigned t2 = b.op("add", {s0, majority});
  unsigned nextE = b.op("add", {t1}), nextA = b.op("add", {t1, t2});
  b.carry(a, nextE, 3);
  b.carry(nextE, e);
  b.carry(nextA, a);
  b.store("a", nextA);
  return b.problem;
}

/// MD5: one step, a chain of six operations.
Problem md5() {
  GraphBuilder b;
  unsigned m = b.load("m"), f = b.op("and", {}), g = b.op("andn", {});
  unsigned sum = b.op("add", {b.op("add", {m}), b.op("or", {f, g})});
  unsigned next = b.op("add", {rotate(b, sum)});
  for (unsigned use : {f, g, next})
    b.carry(next, use, 1);
  b.carry(next, f, 2);
  b.carry(next, g, 3);
  b.carry(next, m + 3, 4);
  b.store("b", next);
  return b.problem;
}

/// Blowfish: four look-ups of one half, which change places.
Problem blowfish() {
  GraphBuilder b;
  unsigned left = b.op("xor", {b.load("p")}), boxes[4];
  for (unsigned i = 0; i < 4; ++i)
    boxes[i] = b.load(numbered("s", i), b.op("and", {i == 3 ? left : b.op("shr", {left})}));
  unsigned f = b.op("add", {b.op("xor", {b.op("add", {boxes[0], boxes[1]}), boxes[2]}), boxes[3]});
  unsigned right = b.op("xor", {f});
  b.carry(right, left);
  b.carry(left, right);
  b.store("out", right);
  return b.problem;
}

/// A column of AES by tables: four look-ups, a round key.
Problem aes() {
  GraphBuilder b;
  unsigned words[4], sum = b.load("key");
  for (unsigned i = 0; i < 4; ++i)
    words[i] = b.load(numbered("s", i));
  for (unsigned i = 0; i < 4; ++i) {
    unsigned byte = b.op("and", {b.op("shr", {words[i]})});
    sum = b.op("xor", {sum, b.load(numbered("t", i), byte)});
  }
  b.store("word", sum);
  return b.problem;
}

/// A byte of a CRC, bit by bit: a shift, its polynomial and a choice, eight times.
Problem crcByte() {
  GraphBuilder b;
  unsigned crc = b.op("xor", {b.load("byte")}), first = crc;
  for (unsigned bit = 0; bit < 8; ++bit) {
    unsigned half = b.op("shr", {crc}), other = b.op("xor", {half}), test = b.op("bit", {crc});
    crc = b.op("select", {test, other, half});
  }
  b.carry(crc, first);
  return b.problem;
}

/// Viterbi: add, compare and select for two states, whose metrics go round.
Problem viterbi() {
  GraphBuilder b;
  unsigned x = b.load("x"), y = b.load("y"), branch = b.op("xor", {x, y}),
           other = b.op("sub", {branch});
  unsigned even = b.op("mov", {}), odd = b.op("mov", {}), states[2], decisions[2];
  for (unsigned i = 0; i < 2; ++i) {
    unsigned p = b.op("add", {even, i ? other : branch}),
             q = b.op("add", {odd, i ? branch : other});
    decisions[i] = b.op("slt", {p, q});
    states[i] = b.op("select", {decisions[i], p, q});
  }
  unsigned least = b.op("min", {states[0], states[1]});
  b.carry(b.op("sub", {states[0], least}), even);
  b.carry(b.op("sub", {states[1], least}), odd);
  b.store("path", b.op("or", {b.op("shl", {decisions[0]}), decisions[1]}));
  return b.problem;
}

/// Huffman: a window of bits, a table of lengths and symbols, refilled by bytes.
Problem huffman() {
  GraphBuilder b;
  unsigned window = b.op("mov", {}), count = b.op("mov", {});
  unsigned index = b.op("shr", {window}), entry = b.load("table", index);
  unsigned length = b.op("and", {entry}), symbol = b.op("shr", {entry});
  unsigned rest = b.op("shl", {window, length}), left = b.op("sub", {count, length});
  unsigned need = b.op("slt", {left}), byte = b.load("byte");
  unsigned filled = b.op("or", {rest, b.op("shl", {byte, left})});
  b.carry(b.op("select", {need, filled, rest}), window);
  b.carry(b.op("select", {need, b.op("add", {left}), left}), count);
  b.store("symbol", symbol);
  return b.problem;
}

/// Edit distance: a cell from three neighbours, the one to its left from the last iteration.
Problem editDistance() {
  GraphBuilder b;
  unsigned up = b.load("up"), diagonal = b.load("diagonal"), s = b.load("s"), t = b.load("t");
  unsigned change = b.op("add", {diagonal, b.op("sne", {s, t})});
  unsigned across = b.op("min", {change, b.op("add", {up})});
  unsigned left = b.op("add", {}), cell = b.op("min", {across, left});
  b.carry(cell, left);
  b.store("cell", cell);
  return b.problem;
}

/// x1 += A y1 and x2 += A' y2, four elements of a row.
Problem mvt() {
  GraphBuilder b;
  unsigned y2 = b.load("y2"), sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned a = b.load(numbered("a", i));
    unsigned product = b.fop("fmul", {a, b.load(numbered("y", i))});
    b.store(numbered("x", i), b.fop("fmac", {a, y2, b.load(numbered("x2", i))}));
    sum = i == 0 ? product : b.fop("fadd", {sum, product});
  }
  unsigned x1 = b.fop("fadd", {sum});
  b.carry(x1, x1);
  return b.problem;
}

/// A row of a triangular solve: a product, a difference, a division that goes round.
Problem solve() {
  GraphBuilder b;
  unsigned a = b.load("a"), d = b.load("d"), r = b.load("r"), x = b.fop("fmul", {a});
  unsigned difference = b.fop("fsub", {r, x}),
           quotient = b.op("fdiv", {difference, d}, UnitClass::Divide);
  b.carry(quotient, x);
  b.store("x", quotient);
  return b.problem;
}

/// A radix-4 butterfly: eight values in and out.
Problem radix4() {
  GraphBuilder b;
  std::vector<unsigned> re, im;
  for (unsigned i = 0; i < 4; ++i) {
    re.push_back(b.load(numbered("re", i)));
    im.push_back(b.load(numbered("im", i)));
  }
  unsigned a = b.fop("fadd", {re[0], re[2]}), c = b.fop("fsub", {re[0], re[2]});
  unsigned d = b.fop("fadd", {re[1], re[3]}), e = b.fop("fsub", {re[1], re[3]});
  unsigned f = b.fop("fadd", {im[0], im[2]}), g = b.fop("fsub", {im[0], im[2]});
  unsigned h = b.fop("fadd", {im[1], im[3]}), i = b.fop("fsub", {im[1], im[3]});
  b.store("re0", b.fop("fadd", {a, d}));
  b.store("re2", b.fop("fsub", {a, d}));
  b.store("im0", b.fop("fadd", {f, h}));
  b.store("im2", b.fop("fsub", {f, h}));
  b.store("re1", b.fop("fadd", {c, i}));
  b.store("re3", b.fop("fsub", {c, i}));
  b.store("im1", b.fop("fsub", {g, e}));
  b.store("im3", b.fop("fadd", {g, e}));
  return b.problem;
}

} // namespace

std::vector<Loop> codingLoops() {
  return {{"sha-1", sha1()},        {"sha-256", sha256()},  {"md5", md5()},
          {"blowfish", blowfish()}, {"aes", aes()},         {"crc-byte", crcByte()},
          {"viterbi", viterbi()},   {"huffman", huffman()}, {"edit", editDistance()},
          {"mvt", mvt()},           {"solve", solve()},     {"radix-4", radix4()}};
}

} // namespace acis::map::suite
