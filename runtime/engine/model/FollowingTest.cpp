// The formulas of docs/timing.md for an array that follows the sequencer, counted exactly on small
// handlers. (Contexts are those of an array that does not: indices are the mapper's matter.)
#include "runtime/engine/programs/TestDevice.h"

#include <algorithm>

namespace acis::model {
namespace {

constexpr unsigned IntLatency = 6, FloatLatency = 8, ReadLatency = 48, WriteLatency = 42;
constexpr unsigned FirstRead = ReadLatency + 3;
/// Cycles before the first iteration of a handler that is li, launch, wfi.
constexpr uint64_t Start = 3;

class FollowingTest : public testing::TestWithParam<unsigned> {
protected:
  FollowingTest() { overlay.stallLatency = later; }

  /// Runs one packet.
  void run(TestDevice &test, const Words &code, const isa::LoopContext &loop,
           uint64_t memoryBytes = 0, unsigned packetBytes = 64) const {
    test.binary.code = code;
    test.binary.contexts = {loop};
    cts::finishContext(test.binary.contexts[0], overlay);
    test.load(memoryBytes);
    test.run(1, packetBytes);
  }
  static Words launches(uint32_t n, unsigned launches) {
    Words code = {as::addi(as::t0, as::zero, int32_t(n))};
    code.insert(code.end(), launches, as::launch(0, as::t0, as::zero));
    code.push_back(as::wfi);
    return code;
  }
  static Words memoryCode(uint32_t n) {
    return {as::arg(0, as::a2), as::addi(as::t0, as::zero, int32_t(n)),
            as::launch(0, as::t0, as::zero), as::wfi};
  }
  isa::LoopContext lonelyLoop(unsigned ii, unsigned stage) const {
    isa::LoopContext loop = cts::emptyContext(overlay, ii);
    loop.pes[0].slots[0].op = isa::Op::Iota;
    loop.pes[0].slots[0].stage = uint8_t(stage);
    return loop;
  }
  isa::LoopContext sumLoop() const {
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
  /// Pops a beat in each iteration.
  isa::LoopContext popLoop() const {
    isa::LoopContext loop = cts::emptyContext(overlay);
    loop.numArgs = 1;
    loop.streamIn = {true, {4, false, false}, 0};
    loop.streamInSlots[0].on = true;
    return loop;
  }
  /// Writes a beat to memory in each iteration.
  isa::LoopContext writeLoop(int32_t value = 0) const {
    isa::LoopContext loop = cts::emptyContext(overlay);
    loop.numArgs = 1;
    loop.innerCount = 0xffff;
    loop.pes[0].memOut = {true, {4, false, false}, 0, 0, 64, 0};
    loop.pes[0].slots[0].memOut.on = true;
    loop.pes[0].slots[0].memOut.data = cts::operand(Source::Imm0);
    loop.pes[0].slots[0].imm[0] = uint32_t(value);
    return loop;
  }
  /// Code that pops `beats` in a launch, then one in each of some more, `skip` bytes behind.
  static Words popCode(uint32_t beats, unsigned more, uint32_t skip) {
    using namespace as;
    Words code = {arg(0, zero), addi(t0, zero, int32_t(beats)), launch(0, t0, zero),
                  addi(t0, zero, 1)};
    for (unsigned i = 0; i < more; ++i) {
      li(code, t1, 64 * (beats + i) + skip);
      code.insert(code.end(), {arg(0, t1), launch(0, t0, zero)});
    }
    code.push_back(wfi);
    return code;
  }

  const unsigned later = GetParam();
  /// From the cycle behind a loop's last slot to the end: that is seen there, or done later.
  const unsigned end = std::max(later, 1u);
  Overlay overlay = cts::testOverlay(2);
};
INSTANTIATE_TEST_SUITE_P(Cycles, FollowingTest, testing::Values(0u, 1u, 2u));

TEST_P(FollowingTest, LoopEndsWhenTheArrayHasDoneIt) {
  for (unsigned ii = 1; ii <= 3; ++ii)
    for (unsigned n : {1u, 2u, 50u}) {
      TestDevice test(overlay);
      run(test, launches(n, 1), lonelyLoop(ii, 7));
      EXPECT_EQ(test.cycles(), Start + (n + 7) * ii + end) << ii << " " << n;
      EXPECT_EQ(test.stalls() + n * ii, test.cycles());
    }
}

TEST_P(FollowingTest, LoopsFollowEachOtherAsEver) {
  TestDevice test(overlay);
  run(test, launches(20, 3), lonelyLoop(1, 9));
  EXPECT_EQ(test.cycles(), Start + 60 + 9 + end);
  EXPECT_EQ(test.stall(Stall::Drain), 0u);
}

TEST_P(FollowingTest, FoldsAreLonger) {
  constexpr unsigned fold = IntLatency + (4 + 2 + 1 + 4) + 7 * IntLatency + 1;
  TestDevice test(overlay);
  run(test, launches(20, 2), sumLoop());
  EXPECT_EQ(test.cycles(), Start + 2 * (20 + fold + later));
  EXPECT_EQ(test.stall(Stall::Drain), 2 * (fold + later));
  using namespace as;
  TestDevice result(overlay);
  run(result,
      {addi(t0, zero, 20), launch(0, t0, zero), as::result(t1, 0), streamout(t1, zero, 2), wfi},
      sumLoop());
  EXPECT_EQ(result.cycles(), 86 + later);
  Bytes out;
  ASSERT_TRUE(result.device->pop(out));
  EXPECT_EQ(out, cts::wordBytes({20 * 16}));
}

TEST_P(FollowingTest, BeatsArePoppedInEveryCycle) {
  // The first beat is there just when the loop can start, and one in each cycle from then on.
  TestDevice test(overlay);
  run(test, popCode(100, 0, 0), popLoop(), 0, 6400);
  EXPECT_EQ(test.stall(Stall::StreamIn), 1u) << "the cycle before the invocation";
  EXPECT_EQ(test.cycles(), Start + 1 + 100 + end);
}

TEST_P(FollowingTest, PopsOfSeveralLaunchesAreOnTheirWay) {
  // Three launches of an iteration each wait while the first one runs, and follow it.
  TestDevice test(overlay);
  run(test, popCode(40, 3, 0), popLoop(), 0, 64 * 43);
  EXPECT_EQ(test.stall(Stall::StreamIn), 1u) << "the cycle before the invocation";
  EXPECT_EQ(test.cycles(), Start + 1 + 43 + end);
}

TEST_P(FollowingTest, SkipsWaitForThePopsBeforeThem) {
  TestDevice test(overlay);
  run(test, popCode(40, 1, 64), popLoop(), 0, 64 * 42);
  EXPECT_EQ(test.stall(Stall::StreamIn), 1 + later);
  EXPECT_EQ(test.cycles(), Start + 1 + 40 + later + 1 + end);
}

TEST_P(FollowingTest, ScalarUnitTakesWhatIsBehindThePops) {
  using namespace as;
  TestDevice test(overlay);
  run(test,
      {arg(0, zero), addi(t0, zero, 10), launch(0, t0, zero), addi(t1, zero, 640),
       streamin(t2, t1, 2), streamout(t2, zero, 2), wfi},
      popLoop(), 0, 648);
  Bytes out;
  ASSERT_TRUE(test.device->pop(out));
  EXPECT_EQ(out, cts::wordBytes({0x83828180}));
  // The last pop is decided in cycle 13; streamin, streamout and wfi come behind it.
  EXPECT_EQ(test.cycles(), 13 + later + 3 + 1 + 1u);
}

TEST_P(FollowingTest, PacketsEndBehindWhatIsOnItsWay) {
  TestDevice test(overlay);
  test.binary.code = packetLoop();
  test.binary.contexts = {addConstant(overlay)};
  test.load();
  test.run(100, 1536);
  Bytes out;
  for (unsigned p = 0; p < 100; ++p) {
    ASSERT_TRUE(test.device->pop(out));
    ASSERT_EQ(out.size(), 1536u);
    EXPECT_EQ(out[0], uint8_t(p * 31 + 5)) << p;
  }
  Overlay at0 = overlay;
  at0.stallLatency = 0;
  TestDevice base(at0);
  base.binary.code = packetLoop();
  base.binary.contexts = {addConstant(at0)};
  base.load();
  base.run(100, 1536);
  EXPECT_EQ(test.cycles(), base.cycles() + end - 1);
}

// Elements of a byte: a beat takes four iterations, so that launches wait, and those of several
// invocations are on their way. With bytes that are left over an end drops something first.
TEST_P(FollowingTest, InvocationsFollowEachOther) {
  using namespace as;
  Overlay at0 = overlay;
  at0.stallLatency = 0;
  auto runWith = [&](unsigned bytes, int32_t left, TestDevice &test) {
    isa::LoopContext loop = addConstant(test.overlay);
    loop.streamIn.format.bytes = loop.streamOut.format.bytes = 1;
    test.binary.contexts = {loop};
    test.binary.code = {csrr(t0, 0x800),
                        addi(t0, t0, -left),
                        iType(0x13, 0, t1, t0, 15),
                        iType(0x13, 5, t1, t1, 4),
                        iType(0x13, 7, t2, t0, 15),
                        arg(0, zero),
                        arg(1, zero),
                        launch(0, t1, t2),
                        wfi};
    test.load();
    test.run(30, bytes);
  };
  for (unsigned bytes : {8u, 40u, 200u, 400u})
    for (int32_t left : {0, 7}) {
      TestDevice test(overlay), base(at0);
      runWith(bytes, left, test);
      runWith(bytes, left, base);
      for (unsigned p = 0; p < 30; ++p) {
        Bytes out, expected(bytes - unsigned(left));
        for (unsigned i = 0; i < expected.size(); ++i)
          expected[i] = uint8_t(p * 31 + i + 5);
        ASSERT_TRUE(test.device->pop(out));
        EXPECT_EQ(out, expected) << bytes << " " << left << " " << p;
      }
      const unsigned waits = left != 0 && bytes >= 200 ? 29 : 0; // the scalar unit is not slower
      EXPECT_EQ(test.cycles(), base.cycles() + (waits + 1) * later) << bytes << " " << left;
    }
}

TEST_P(FollowingTest, ReadsBeginAsEarlyAsEver) {
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.numArgs = 1;
  loop.innerCount = 0xffff;
  loop.pes[0].memIn = {true, {4, false, false}, 0, 0, 64, 0};
  loop.pes[0].slots[0].memIn.on = true;
  for (unsigned n : {1u, 64u, 300u}) {
    TestDevice test(overlay);
    run(test, memoryCode(n), loop, 1 << 16);
    EXPECT_EQ(test.stall(Stall::MemRead), FirstRead) << n;
    EXPECT_EQ(test.cycles(), Start + 1 + FirstRead + n + end) << n;
  }
}

TEST_P(FollowingTest, WritesAreAcknowledgedLater) {
  for (unsigned n : {1u, 5u, 64u}) {
    TestDevice test(overlay);
    run(test, memoryCode(n), writeLoop(), 1 << 16);
    EXPECT_EQ(test.cycles(), Start + 1 + n + later + n + WriteLatency + 1) << n;
  }
}

TEST_P(FollowingTest, WritesOnTheirWayHaveRoom) {
  // A buffer of four beats: with two for each access there is room for one while another one is on
  // its way, and none while a burst waits for its bank.
  overlay.memBurstBeats = 2;
  TestDevice test(overlay);
  run(test, memoryCode(40), writeLoop(7), 1 << 16);
  EXPECT_GT(test.stall(Stall::MemWrite), later == 0 ? 0 : 40);
  const auto memory = test.device->memory();
  for (unsigned at = 0; at < 41 * 64; at += 4)
    ASSERT_EQ(memory[at], at < 40 * 64 ? 7 : 0) << at;
}

// A write is known in the cycle behind the one that does it: until then it takes two beats,
// although all but the first are in the beat that is open.
TEST_P(FollowingTest, WritesAreKnownWhenTheyAreDone) {
  overlay.memBurstBeats = 2;
  isa::LoopContext loop = writeLoop(7);
  loop.pes[0].memOut.stride0 = 0;
  const auto waits = [&](unsigned writes) {
    TestDevice test(overlay);
    run(test, memoryCode(writes), loop, 1 << 16);
    return test.stall(Stall::MemWrite);
  };
  // The first two have room beside one another, and each other one when the one before it is done.
  EXPECT_EQ(waits(20), waits(2) + 18 * later);
}

TEST_P(FollowingTest, ScalarAccessesOfMemoryWaitForTheArray) {
  using namespace as;
  TestDevice test(overlay);
  run(test, {addi(t0, zero, 20), launch(0, t0, zero), lw(t1, a2, 0), wfi}, lonelyLoop(1, 0), 4096);
  EXPECT_EQ(test.cycles(), Start + 20 + end - 1 + ReadLatency + 1 + 1);
}

TEST_P(FollowingTest, InterlocksWaitAsEver) {
  const unsigned late = 1 + FloatLatency;
  overlay.inputLatency = 1;
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.pes[0].addresses = {{.base = 0, .limit = 1}};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0].on = true;
  word.op = isa::Op::Fadd;
  word.type = isa::Type::F32;
  word.stage = 1;
  word.a = cts::operand(Source::Vrf0);
  word.b = cts::operand(Source::Imm0);
  word.write.on = true;
  word.write.stage = uint8_t(late);
  word.write.data = cts::operand(Source::Res);
  word.write.interlock = true;
  TestDevice test(overlay);
  run(test, launches(10, 1), loop);
  EXPECT_EQ(test.stall(Stall::Interlock), 9u * late);
  EXPECT_EQ(test.cycles(), Start + 10 + late + 9 * late + end);
}

TEST_P(FollowingTest, TrapsWhereTheArrayIs) {
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.pes[0].addresses = {{.limit = 5, .stride1 = 1}};
  loop.pes[0].slots[0].read[0].on = true;
  cts::finishContext(loop, overlay);
  TestDevice test(overlay);
  test.binary.code = launches(20, 1);
  test.binary.contexts = {loop};
  test.load();
  test.device->push(Bytes(64));
  EXPECT_FALSE(bool(test.device->run()));
  ASSERT_TRUE(test.device->trap());
  EXPECT_NE(test.device->trap()->what.find("5"), std::string::npos);
  EXPECT_EQ(test.cycles(), Start + 5 + later);
}

// Without an index that is late, six different rows wait for nothing and six equal ones for L
// cycles and that of what is read, as on any overlay; the index of the first is popped, and is
// there, before.
TEST_P(FollowingTest, SparseAccumulationTakesABeatACycle) {
  using namespace as;
  overlay.inputLatency = overlay.launchLatency = 1;
  overlay.indexLatency = 1 + later;
  for (bool equal : {false, true}) {
    TestDevice test(overlay);
    test.binary.code = {addi(t0, zero, 6), vsetvli(zero, t0, 2 << 3), addi(t1, zero, 0),
                        spvaccVx(1, t1, 2), wfi};
    test.load();
    Bytes packet(64 * 6);
    for (unsigned beat = 0; beat < 6; ++beat)
      for (unsigned lane = 0; lane < 16; ++lane)
        packet[64 * beat + 4 * lane] = equal ? 3 : uint8_t(beat);
    test.device->push(packet);
    ASSERT_TRUE(bool(test.device->run()));
    EXPECT_EQ(test.stall(Stall::Interlock), equal ? 5 * (FloatLatency + 1) : 0);
  }
}

} // namespace
} // namespace acis::model
