// The formulas of docs/timing.md for a scalar unit with a pipeline, counted exactly on small
// handlers.
#include "runtime/engine/programs/TestDevice.h"

namespace acis::model {
namespace {

constexpr unsigned ReadLatency = 48, WriteLatency = 42;

struct ScalarPipelineTest : testing::Test {
  Overlay overlay = cts::testOverlay(2);
  ScalarPipelineTest() { overlay.scalarPipeline = 1; }

  /// One slot, `stage` + 1 stages.
  isa::LoopContext lonelyLoop(unsigned stage) const {
    isa::LoopContext loop = cts::emptyContext(overlay);
    isa::Slot &word = loop.pes[0].slots[0];
    word.op = isa::Op::Iota;
    word.stage = uint8_t(stage);
    return loop;
  }
  /// Sum of iota, result 0.
  isa::LoopContext sumLoop() const {
    isa::LoopContext loop = lonelyLoop(0);
    isa::Slot &word = loop.pes[0].slots[0];
    word.op = isa::Op::Add;
    word.a = cts::operand(Source::Imm0);
    word.imm[0] = 1;
    word.accumulate = true;
    word.result = 0;
    loop.numResults = 1;
    return loop;
  }
  /// Runs one packet of one beat.
  void run(TestDevice &test, const Words &code, const isa::LoopContext &loop,
           uint64_t memoryBytes = 0) const {
    test.binary.code = code;
    test.binary.contexts = {loop};
    cts::finishContext(test.binary.contexts[0], overlay);
    test.load(memoryBytes);
    test.run(1, 64);
  }
  /// Launches context 0 `launches` times with `n` iterations.
  static Words launches(uint32_t n, unsigned launches) {
    Words code = {as::addi(as::t0, as::zero, int32_t(n))};
    code.insert(code.end(), launches, as::launch(0, as::t0, as::zero));
    code.push_back(as::wfi);
    return code;
  }

  /// Cycles from the first instruction of the handler to its wfi, which is left out.
  uint64_t take(Words code, uint64_t memoryBytes = 0) {
    code.push_back(as::wfi);
    TestDevice test(overlay);
    run(test, code, lonelyLoop(0), memoryBytes);
    // The header is seen in cycle 0, the invocation starts in 1, wfi takes two.
    return test.cycles() - 1 - 1 - 2;
  }
};

TEST_F(ScalarPipelineTest, JumpsAndProductsTakeTwoCycles) {
  using namespace as;
  EXPECT_EQ(take({}), 0u);
  const uint32_t add = addi(t0, t0, 1);
  EXPECT_EQ(take({add, add, add}), 3u);
  EXPECT_EQ(take({jal(ra, 4)}), 2u);
  EXPECT_EQ(take({jal(ra, 8), add, add}), 3u);
  const uint32_t beq = 8 << 7 | 0x63, bne = 8 << 7 | 1 << 12 | 0x63; // of zero and zero, over one
  EXPECT_EQ(take({beq, add, add}), 3u);
  EXPECT_EQ(take({bne, add, add}), 3u);
  for (uint32_t funct3 : {0u, 1u, 2u, 3u})
    EXPECT_EQ(take({rType(0x33, funct3, 1, t0, t0, t0), add}), 3u) << funct3;
  EXPECT_EQ(take({rType(0x33, 4, 1, t0, t0, t0), add}), 33u);
}

TEST_F(ScalarPipelineTest, WhatAsksIsLookedAtBefore) {
  using namespace as;
  EXPECT_EQ(take({arg(0, t0), arg(1, t0)}), 2u);
  EXPECT_EQ(take({csrr(t0, 0x800), csrr(t0, 0xc00)}), 4u);
  EXPECT_EQ(take({vsetvli(zero, zero, 0x10)}), 2u);
  EXPECT_EQ(take({sync}), 2u);
  const Words scratch = {sType(0x23, 2, sp, t0, -4), iType(0x03, 2, t0, sp, -4)};
  EXPECT_EQ(take(scratch), 4u);
  EXPECT_EQ(take({lw(t0, a2, 0)}, 4096), 1 + ReadLatency + 1);
}

TEST_F(ScalarPipelineTest, LaunchesAreLookedAtForTwoCycles) {
  EXPECT_EQ(take({as::launch(0, as::zero, as::zero)}), 3u); // of no iterations
  // The header in cycle 0, the start in 1, addi in 2, the launch in 3 to 5.
  constexpr uint64_t first = 6;
  TestDevice test(overlay);
  run(test, launches(20, 3), lonelyLoop(9));
  EXPECT_EQ(test.cycles(), first + 60 + 9 + 1);
  EXPECT_EQ(test.stall(Stall::Drain), 0u);
}

TEST_F(ScalarPipelineTest, WaitsEndACycleLater) {
  using namespace as;
  // As ResultComesWithTheLastFoldCycle: the launch retires in 5, the fold ends in 85 and is seen in
  // 86; streamout is done in 88, wfi in 90, and the partial beat leaves.
  TestDevice folded(overlay);
  run(folded, {addi(t0, zero, 20), launch(0, t0, zero), result(t1, 0), streamout(t1, zero, 2), wfi},
      sumLoop());
  EXPECT_EQ(folded.cycles(), 92u);

  // As QueueHoldsFourLaunches: the second starts in 106, the sixth finds its place in 107.
  TestDevice full(overlay, /*trace=*/true);
  run(full, launches(100, 6), lonelyLoop(0));
  for (const Event &event : full.device->events())
    if (event.kind == EventKind::Invocation) {
      EXPECT_EQ(event.end, 107 + 2 + 1u);
    }
}

TEST_F(ScalarPipelineTest, StoresAreAcknowledgedACycleLater) {
  using namespace as;
  // The store is done in its second cycle; its acknowledgement is seen in the cycle behind it.
  const uint32_t store = sType(0x23, 2, a2, t0, 0);
  EXPECT_EQ(take({store, sync}, 4096), 2 + WriteLatency + 2);
}

TEST_F(ScalarPipelineTest, VectorLaunchesFollowEveryThreeCycles) {
  using namespace as;
  const uint32_t e32 = 2 << 3;
  TestDevice test(overlay, /*trace=*/true);
  test.binary.code = {addi(t0, zero, 16), vsetvli(zero, t0, e32), addi(t1, zero, 0),
                      streamoutv(2, t1), wfi};
  test.load();
  test.device->push(Bytes(4));
  ASSERT_TRUE(bool(test.device->run()));
  std::vector<uint64_t> cycles;
  for (const Event &event : test.device->events())
    if (event.kind == EventKind::Launch)
      cycles.push_back(event.begin);
  EXPECT_EQ(cycles, (std::vector<uint64_t>{8, 11})); // one for each PE
}

} // namespace
} // namespace acis::model
