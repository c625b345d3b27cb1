// The formulas of docs/timing.md, counted exactly on small handlers.
#include "runtime/engine/programs/TestDevice.h"

#include <algorithm>

namespace acis::model {
namespace {

constexpr unsigned IntLatency = 6, FloatLatency = 8, ReadLatency = 48, WriteLatency = 42;
/// From the cycle in which a loop could have started to its first beat from memory.
constexpr unsigned FirstRead = ReadLatency + 3;
/// Cycles before the first iteration of a handler that is li, launch, wfi: the header
/// is seen in cycle 0, the launch retires in cycle 2.
constexpr uint64_t Start = 3;

struct TimingTest : testing::Test {
  Overlay overlay = cts::testOverlay(2);

  /// Code that launches context 0 `launches` times with `n` iterations.
  static Words launches(uint32_t n, unsigned launches) {
    Words code = {as::addi(as::t0, as::zero, int32_t(n))};
    for (unsigned i = 0; i < launches; ++i)
      code.push_back(as::launch(0, as::t0, as::zero));
    code.push_back(as::wfi);
    return code;
  }
  /// Runs one packet of one beat.
  void run(TestDevice &test, const Words &code, const isa::LoopContext &loop,
           uint64_t memoryBytes = 0) {
    test.binary.code = code;
    test.binary.contexts = {loop};
    cts::finishContext(test.binary.contexts[0], overlay);
    test.load(memoryBytes);
    test.run(1, 64);
  }
  /// Every cycle has one cause; `iterations` of loops, without vector loads.
  static void expectAccounted(const TestDevice &test, uint64_t iterations) {
    EXPECT_EQ(test.stalls() + iterations * test.binary.contexts[0].ii, test.cycles());
  }
  /// An operation in stage `stage` of slot 0 that nobody uses.
  isa::LoopContext lonelyLoop(unsigned ii, unsigned stage) {
    isa::LoopContext loop = cts::emptyContext(overlay, ii);
    isa::Slot &word = loop.pes[0].slots[0];
    word.op = isa::Op::Iota;
    word.stage = uint8_t(stage);
    return loop;
  }
  /// One that writes its register file in every iteration, where it is read.
  isa::LoopContext updateLoop() {
    isa::LoopContext loop = lonelyLoop(1, 0);
    loop.pes[0].addresses = {{.base = 0, .limit = 1}};
    loop.pes[0].slots[0].read[0].on = true;
    loop.pes[0].slots[0].write = {true, 0, 0, {}, cts::operand(Source::Imm0), {}};
    return loop;
  }
  /// Sum of iota, result 0.
  isa::LoopContext sumLoop() {
    isa::LoopContext loop = cts::emptyContext(overlay);
    isa::Slot &word = loop.pes[0].slots[0];
    word.op = isa::Op::Add;
    word.a = cts::operand(Source::Imm0);
    word.imm[0] = 1;
    word.accumulate = true;
    word.result = 0;
    loop.numResults = 1;
    return loop;
  }
  /// Reads memory with `stride` bytes from one iteration to the next.
  isa::LoopContext readLoop(int32_t stride) {
    isa::LoopContext loop = cts::emptyContext(overlay);
    loop.numArgs = 1;
    loop.innerCount = 0xffff;
    loop.pes[0].memIn = {true, {4, false, false}, 0, 0, stride, 0};
    loop.pes[0].slots[0].memIn.on = true;
    return loop;
  }
  void interlockWaits(unsigned inputLatency);
  static Words memoryCode(uint32_t n) {
    return {as::arg(0, as::a2), as::addi(as::t0, as::zero, int32_t(n)),
            as::launch(0, as::t0, as::zero), as::wfi};
  }
};

TEST_F(TimingTest, LoopTakesIterationsPlusStages) {
  for (unsigned ii = 1; ii <= 3; ++ii)
    for (unsigned stage : {0u, 1u, 7u})
      for (unsigned n : {1u, 2u, 50u}) {
        TestDevice test(overlay);
        run(test, launches(n, 1), lonelyLoop(ii, stage));
        EXPECT_EQ(test.cycles(), Start + (n + stage) * ii + 1) << ii << " " << stage << " " << n;
        expectAccounted(test, n);
      }
}

TEST_F(TimingTest, SameContextStartsWithoutDraining) {
  TestDevice test(overlay);
  run(test, launches(20, 3), lonelyLoop(1, 9));
  EXPECT_EQ(test.cycles(), Start + 60 + 9 + 1);
  EXPECT_EQ(test.stall(Stall::Drain), 0u);
}

TEST_F(TimingTest, LaunchLatencyIsPaidWhereALaunchWasWaitedFor) {
  overlay.launchLatency = 1;
  TestDevice overlapping(overlay); // once, for the first
  run(overlapping, launches(20, 3), lonelyLoop(1, 9));
  EXPECT_EQ(overlapping.cycles(), Start + 1 + 60 + 9 + 1);
  EXPECT_EQ(overlapping.stall(Stall::Drain), 1u);
  expectAccounted(overlapping, 60);

  TestDevice single(overlay); // for each, as the one behind is the first of the queue just now
  run(single, launches(1, 3), lonelyLoop(1, 9));
  EXPECT_EQ(single.cycles(), Start + (1 + 1) * 3 + 9 + 1);

  constexpr unsigned fold = IntLatency + (4 + 2 + 1 + 4) + 7 * IntLatency + 1;
  TestDevice folded(overlay); // once: the last cycle of the fold is early enough for the next
  run(folded, launches(20, 2), sumLoop());
  EXPECT_EQ(folded.cycles(), Start + 1 + 2 * (20 + fold));
  EXPECT_EQ(folded.stall(Stall::Drain), 1 + 2 * fold);
  expectAccounted(folded, 40);

  TestDevice drained(overlay); // for each, as it waits until the pipeline is empty
  run(drained, launches(20, 2), updateLoop());
  EXPECT_EQ(drained.cycles(), Start + 2 * (1 + 20) + 1);
  EXPECT_EQ(drained.stall(Stall::Drain), 2u);
}

TEST_F(TimingTest, LaunchLatencyOfTwoLooksAtALaunchForTwoCycles) {
  overlay.launchLatency = 2;
  for (unsigned n :
       {1u, 2u, 3u, 20u}) {   // the next one is the first of the queue, and looked at, while
    TestDevice test(overlay); // n - 1 iterations begin
    run(test, launches(n, 3), lonelyLoop(1, 9));
    const unsigned later = n < 3 ? 3 - n : 0;
    EXPECT_EQ(test.cycles(), Start + 2 + 3 * n + 2 * later + 9 + 1) << n;
    expectAccounted(test, 3 * n);
  }

  constexpr unsigned fold = IntLatency + (4 + 2 + 1 + 4) + 7 * IntLatency + 1;
  TestDevice folded(overlay); // one of the two cycles is the last of the fold
  run(folded, launches(20, 2), sumLoop());
  EXPECT_EQ(folded.cycles(), Start + 2 + 2 * (20 + fold) + 1);
  EXPECT_EQ(folded.stall(Stall::Drain), 2 + 2 * fold + 1);
  expectAccounted(folded, 40);

  TestDevice drained(overlay);
  run(drained, launches(20, 2), updateLoop());
  EXPECT_EQ(drained.cycles(), Start + 2 * (2 + 20) + 1);
  EXPECT_EQ(drained.stall(Stall::Drain), 4u);
}

TEST_F(TimingTest, LaunchLatencyOfTwoClearsTheArrayWhileNoLoopRuns) {
  // The one iteration of the first launch begins in cycle 5 and has left in 15. The second could
  // follow it without draining: it does when it was looked at in 13 and 14, else it begins anew.
  overlay.launchLatency = 2;
  for (auto [retires, begins] : {std::pair(12u, 15u), std::pair(13u, 17u), std::pair(14u, 17u)}) {
    Words code = {as::addi(as::t0, as::zero, 1), as::launch(0, as::t0, as::zero)};
    code.resize(retires - 1, as::addi(as::t1, as::zero, 0));
    code.insert(code.end(), {as::launch(0, as::t0, as::zero), as::wfi});
    TestDevice test(overlay);
    run(test, code, lonelyLoop(1, 9));
    EXPECT_EQ(test.cycles(), begins + 1 + 9 + 1) << retires;
    expectAccounted(test, 2);
  }
}

TEST_F(TimingTest, LaunchLatencyBehindAVectorLoadThatLeavesTheQueue) {
  // The vle waits for the first loop, which reads v8, and leaves the queue in the cycle behind it.
  // The loop behind it could start in that very cycle; with 1 it is looked at in it, with 2 from
  // the next one on.
  using namespace as;
  for (auto [latency, later] :
       {std::pair(0u, 0u), std::pair(1u, 1u + 1u), std::pair(2u, 2u + 3u)}) {
    overlay.launchLatency = latency;
    isa::LoopContext reads = lonelyLoop(1, 0), other = reads;
    reads.pes[0].addresses = {{.base = uint16_t(8 * overlay.vregBeats()), .limit = 32}};
    reads.pes[0].slots[0].read[0].on = true;
    cts::finishContext(reads, overlay);
    cts::finishContext(other, overlay);
    TestDevice test(overlay);
    test.binary.contexts = {reads, other};
    test.binary.code = {addi(t0, zero, 512), vsetvli(zero, t0, 0x10), launch(0, t0, zero),
                        vle(32, 8, a2),      launch(1, t0, zero),     wfi};
    test.load(1 << 16);
    test.run(1, 64);
    EXPECT_EQ(test.cycles(), Start + 1 + 512 + 1 + 512 + 1 + later) << latency;
  }
}

TEST_F(TimingTest, AccumulationDrainsAndFolds) {
  // The last operation comes out; levels of 4, 2, 1 operations on partial results and 4 on
  // the lanes take a cycle per operation and the latency each; the result follows.
  constexpr unsigned fold = IntLatency + (4 + 2 + 1 + 4) + 7 * IntLatency + 1;
  TestDevice one(overlay);
  run(one, launches(20, 1), sumLoop());
  EXPECT_EQ(one.cycles(), Start + 20 + fold);
  TestDevice two(overlay);
  run(two, launches(20, 2), sumLoop());
  EXPECT_EQ(two.cycles(), Start + 2 * (20 + fold));
  EXPECT_EQ(two.stall(Stall::Drain), 2 * fold);
  expectAccounted(two, 40);
}

TEST_F(TimingTest, ResultComesWithTheLastFoldCycle) {
  TestDevice test(overlay);
  using namespace as;
  run(test, {addi(t0, zero, 20), launch(0, t0, zero), result(t1, 0), streamout(t1, zero, 2), wfi},
      sumLoop());
  // launch in cycle 2, fold ends in 2 + 20 + 60 = 82, then streamout, wfi, and the
  // partial beat leaves.
  EXPECT_EQ(test.cycles(), 86u);
  Bytes out;
  ASSERT_TRUE(test.device->pop(out));
  EXPECT_EQ(out, cts::wordBytes({20 * 16}));
}

TEST_F(TimingTest, QueueHoldsFourLaunches) {
  // The first starts at once, four wait, the sixth stalls the scalar unit until the
  // second starts: its wfi retires right after.
  TestDevice test(overlay, /*trace=*/true);
  isa::LoopContext loop = lonelyLoop(1, 0);
  run(test, launches(100, 6), loop);
  for (const Event &event : test.device->events())
    if (event.kind == EventKind::Invocation) {
      EXPECT_EQ(event.end, Start + 100 + 2);
    }
}

TEST_F(TimingTest, ContiguousReadsStreamAfterTheLatency) {
  for (unsigned n : {1u, 64u, 300u}) {
    TestDevice test(overlay);
    run(test, memoryCode(n), readLoop(64), 1 << 16);
    EXPECT_EQ(test.stall(Stall::MemRead), FirstRead) << n;
    EXPECT_EQ(test.cycles(), Start + 1 + FirstRead + n + 1) << n;
    expectAccounted(test, n);
  }
}

TEST_F(TimingTest, StridedReadsAreBoundByTheOutstandingBursts) {
  // Bursts of one beat, 16 on their way: 16 accesses every 48 cycles.
  TestDevice test(overlay);
  run(test, memoryCode(64), readLoop(128), 1 << 16);
  EXPECT_EQ(test.cycles(), Start + 1 + 3 * ReadLatency + FirstRead + 16 + 1);
}

TEST_F(TimingTest, TwoMastersShareABank) {
  isa::LoopContext loop = readLoop(64);
  loop.pes[1] = loop.pes[0]; // the same addresses, so the same bank
  TestDevice same(overlay);
  run(same, memoryCode(64), loop, 1 << 16);
  // PE 1's burst of 64 beats begins when PE 0's is over.
  EXPECT_EQ(same.stall(Stall::MemRead), FirstRead + 64);
  loop.pes[1].memIn.offset = 4096;
  TestDevice other(overlay);
  run(other, memoryCode(64), loop, 1 << 16);
  EXPECT_EQ(other.stall(Stall::MemRead), FirstRead);
}

TEST_F(TimingTest, WritesEndWithTheAcknowledgement) {
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.numArgs = 1;
  loop.innerCount = 0xffff;
  loop.pes[0].memOut = {true, {4, false, false}, 0, 0, 64, 0};
  loop.pes[0].slots[0].memOut.on = true;
  loop.pes[0].slots[0].memOut.data = cts::operand(Source::Imm0);
  for (unsigned n : {1u, 5u, 64u}) {
    TestDevice test(overlay);
    run(test, memoryCode(n), loop, 1 << 16);
    // The burst goes to the bank in the cycle after the last write, takes n cycles.
    EXPECT_EQ(test.cycles(), Start + 1 + n + n + WriteLatency + 1) << n;
  }
}

TEST_F(TimingTest, VectorLoadRunsBesideALoop) {
  using namespace as;
  const uint32_t lmul1e32 = 0x10;
  // vle into v8, then a loop that does not touch v8: no stall between them.
  isa::LoopContext loop = lonelyLoop(1, 0);
  TestDevice beside(overlay);
  const Words prologue = {addi(t0, zero, 512), vsetvli(zero, t0, lmul1e32), vle(32, 8, a2)};
  Words text = prologue;
  text.insert(text.end(), {launch(0, t0, zero), wfi});
  run(beside, text, loop, 1 << 16);
  EXPECT_EQ(beside.stall(Stall::Vreg), 0u);
  // The same with a loop that reads v8: it waits for 32 beats and the latency.
  loop.pes[0].addresses = {{.base = uint16_t(8 * overlay.vregBeats()), .limit = 32}};
  loop.pes[0].slots[0].read[0].on = true;
  TestDevice behind(overlay);
  run(behind, text, loop, 1 << 16);
  // vle retires in cycle 3, is taken in 4; VPE 0 writes its beats in 55 to 86, VPE 1,
  // which reads the same bank, in 87 to 118. The loop could have started in 5.
  EXPECT_EQ(behind.stall(Stall::Vreg), 3 + 1 + FirstRead + 32 + 32 - 5);
}

TEST_F(TimingTest, InterlockWaitsForTheWriteOnItsWay) { interlockWaits(/*inputLatency=*/0); }
// The operation that a read waits for starts in the first cycle of that very wait.
TEST_F(TimingTest, InterlockWithInputsThatTakeACycle) { interlockWaits(/*inputLatency=*/1); }

/// Registers behind what is read, and behind addresses (and before launches).
constexpr std::pair<unsigned, unsigned> Registers[] = {{0, 0}, {1, 0}, {1, 1}};

TEST_F(TimingTest, WhatIsReadIsUsedAfterTheInputLatency) {
  // A gather through the beat of the stream, its index, and a sum: a cycle each before the unit,
  // and one before the gather if its index has to be there earlier.
  for (auto [late, early] : Registers) {
    overlay.inputLatency = late;
    overlay.indexLatency = overlay.launchLatency = early;
    isa::LoopContext loop = cts::emptyContext(overlay);
    loop.numArgs = 2;
    loop.streamIn = {true, {1, false, false}, 0};
    loop.streamOut = {true, {4, false, false}, 1};
    loop.streamInSlots[0].on = true;
    isa::PeContext &words = loop.pes[0];
    words.addresses = {{.limit = 256, .indexed = true}};
    isa::Slot &word = words.slots[0];
    word.read[0] = {true, uint8_t(late + early), 0, cts::operand(Source::StreamIn)};
    word.op = isa::Op::Add;
    word.stage = uint8_t(2 * late + early);
    word.a = cts::operand(Source::Vrf0);
    word.b = cts::operand(Source::Imm0);
    word.streamOut = {true, uint8_t(word.stage + IntLatency), cts::operand(Source::Res), {}};
    TestDevice test(overlay);
    run(test, launches(4, 1), loop);
    EXPECT_EQ(test.cycles(), Start + early + 4 + 2 * late + early + IntLatency + 1) << early;
    expectAccounted(test, 4);
  }
}

TEST_F(TimingTest, SparseAccumulationTakesABeatACycle) {
  // Six different rows do not wait for each other, with or without registers; six equal ones wait
  // for L cycles and that of what is read, each for the one before it.
  using namespace as;
  const uint32_t e32 = 2 << 3;
  for (auto [late, early] : Registers)
    for (bool equal : {false, true}) {
      overlay.inputLatency = late;
      overlay.indexLatency = overlay.launchLatency = early;
      TestDevice test(overlay);
      test.binary.code = {addi(t0, zero, 6), vsetvli(zero, t0, e32), addi(t1, zero, 0),
                          spvaccVx(1, t1, 2), wfi};
      test.load();
      Bytes packet(64 * 6);
      for (unsigned beat = 0; beat < 6; ++beat)
        for (unsigned lane = 0; lane < 16; ++lane)
          packet[64 * beat + 4 * lane] = equal ? 3 : uint8_t(beat);
      test.device->push(packet);
      ASSERT_TRUE(bool(test.device->run()));
      EXPECT_EQ(test.stall(Stall::Interlock), equal ? 5 * (FloatLatency + late) : 0) << late;
    }
}

void TimingTest::interlockWaits(unsigned inputLatency) {
  // acc[0] += 1 in every iteration: read in T, written at the end of T + 8, or of T + 9.
  overlay.inputLatency = inputLatency;
  const unsigned late = inputLatency + FloatLatency;
  isa::LoopContext loop = cts::emptyContext(overlay);
  isa::PeContext &words = loop.pes[0];
  words.addresses = {{.base = 0, .limit = 1}};
  isa::Slot &word = words.slots[0];
  word.read[0].on = true;
  word.op = isa::Op::Fadd;
  word.type = isa::Type::F32;
  word.stage = uint8_t(inputLatency);
  word.a = cts::operand(Source::Vrf0);
  word.b = cts::operand(Source::Imm0);
  word.write.on = true;
  word.write.stage = uint8_t(late);
  word.write.data = cts::operand(Source::Res);
  word.write.interlock = true;
  TestDevice test(overlay);
  run(test, launches(10, 1), loop);
  EXPECT_EQ(test.stall(Stall::Interlock), 9u * late);
  EXPECT_EQ(test.cycles(), Start + 10 + late + 9 * late + 1);
  expectAccounted(test, 10);
}

TEST_F(TimingTest, NarrowElementsTakeABeatOverSeveralPops) {
  // 64 bytes as 4 accesses of 16 bytes: one beat on the wire, no stall between them.
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.numArgs = 1;
  loop.streamIn = {true, {1, false, false}, 0};
  loop.streamInSlots[0].on = true;
  TestDevice test(overlay);
  run(test, launches(4, 1), loop);
  EXPECT_EQ(test.cycles(), Start + 4 + 1);
  EXPECT_EQ(test.device->counters().beatsIn, 1u);
}

TEST_F(TimingTest, FirstBeatPassesShifterFifoAndAligner) {
  // On the wire in cycle 0 and 1, in the FIFO in 1, in the aligner in 2, popped in 3:
  // just when the loop can start. A handler that is there earlier waits.
  using namespace as;
  isa::LoopContext loop = lonelyLoop(1, 0);
  TestDevice test(overlay);
  run(test, {streamin(t0, zero, 2), wfi}, loop);
  EXPECT_EQ(test.cycles(), 5u);
}

TEST_F(TimingTest, OutputWaitsForNobodyAndDivisionsTake32) {
  using namespace as;
  TestDevice test(overlay);
  const uint32_t div = rType(0x33, 4, 1, t0, t0, t0);
  run(test, {div, div, wfi}, lonelyLoop(1, 0));
  EXPECT_EQ(test.cycles(), 1 + 64 + 1u);
}

TEST_F(TimingTest, ScalarLoadFromMemoryWaitsForItsLatency) {
  using namespace as;
  TestDevice test(overlay);
  run(test, {lw(t0, a2, 0), wfi}, lonelyLoop(1, 0), 4096);
  EXPECT_EQ(test.cycles(), 1 + ReadLatency + 1 + 1);
}

} // namespace
} // namespace acis::model
