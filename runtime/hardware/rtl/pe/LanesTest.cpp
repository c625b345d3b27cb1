// Operations that move elements between lanes, of both widths, against their definition
// (docs/isa.md): every lane number and distance, random elements.
#include "Lanes_tiny.h"

#include "backend/isa/Context.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace acis {
namespace {

constexpr unsigned BeatBytes = 16; ///< of overlay `tiny`

/// Lanes of C, 32 or 64 bits.
template <typename C> class Bench {
public:
  static constexpr unsigned Vf = BeatBytes / sizeof(C);
  using Beat = std::vector<C>;

  explicit Bench(unsigned seed) : random(seed) {
    for (Beat *beat : {&a, &b})
      for (unsigned lane = 0; lane < Vf; ++lane)
        beat->push_back(C(random() | uint64_t(random()) << 32));
    std::memcpy(&lanes.a_i, a.data(), BeatBytes);
    std::memcpy(&lanes.b_i, b.data(), BeatBytes);
    lanes.wide_i = sizeof(C) == 8;
  }

  /// What the operation gives with `k`, its lane number or distance.
  Beat run(isa::Op op, unsigned k = 0) {
    lanes.op_i = uint8_t(op);
    lanes.k_i = uint8_t(k);
    lanes.eval();
    Beat result(Vf);
    std::memcpy(result.data(), &lanes.a_o, BeatBytes);
    return result;
  }

  void testMoves() {
    for (unsigned k = 0; k < Vf; ++k) {
      EXPECT_EQ(run(isa::Op::Lane, k), Beat(Vf, a[k])) << "lane " << k;
      EXPECT_EQ(lanes.op_o, unsigned(isa::Op::Mov));
    }
    for (unsigned k = 1; k <= Vf; ++k) {
      Beat expected;
      for (unsigned lane = 0; lane < Vf; ++lane)
        expected.push_back(lane >= k ? a[lane - k] : b[Vf - k + lane]);
      EXPECT_EQ(run(isa::Op::Slide, k), expected) << "by " << k;
    }
    EXPECT_EQ(run(isa::Op::Add), a); // of other operations nothing
    EXPECT_EQ(lanes.op_o, unsigned(isa::Op::Add));
  }

  void testNumbers() {
    for (const bool scalar : {false, true}) {
      lanes.scalar_i = scalar;
      lanes.iteration_i = uint32_t(random()) >> below(32);
      Beat expected;
      for (unsigned lane = 0; lane < Vf; ++lane)
        expected.push_back(C(lanes.iteration_i) * C(scalar ? 1 : Vf) + lane);
      EXPECT_EQ(run(isa::Op::Iota), expected) << "scalar " << scalar;
    }
  }

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }

  VerilatedContext context;
  Lanes_tiny lanes{&context};
  std::mt19937 random;
  Beat a, b;
};

TEST(LanesTest, Moves) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Bench<uint32_t>(seed).testMoves();
    Bench<uint64_t>(seed).testMoves();
  }
}

TEST(LanesTest, Numbers) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Bench<uint32_t>(seed).testNumbers();
    Bench<uint64_t>(seed).testNumbers();
  }
}

} // namespace
} // namespace acis
