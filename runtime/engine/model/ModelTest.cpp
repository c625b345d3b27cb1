// Cycle counts of the model on small handlers, against the formulas of docs/timing.md.
#include "runtime/engine/programs/TestDevice.h"

#include <cstring>

namespace acis::model {
namespace {

TEST(ModelTest, AddConstantGivesTheRightBytes) {
  TestDevice test(cts::testOverlay());
  test.binary.code = packetLoop();
  test.binary.contexts = {addConstant(test.overlay)};
  test.load();
  test.run(3, 1000);
  Bytes out;
  for (unsigned p = 0; p < 3; ++p) {
    ASSERT_TRUE(test.device->pop(out));
    ASSERT_EQ(out.size(), 1000u);
    for (unsigned i = 0; i < 250; ++i) {
      uint32_t value, expected = 0;
      std::memcpy(&value, out.data() + 4 * i, 4);
      for (unsigned b = 0; b < 4; ++b)
        expected |= uint32_t(uint8_t(p * 31 + 4 * i + b)) << (8 * b);
      ASSERT_EQ(value, expected + 5) << p << " " << i;
    }
  }
  EXPECT_FALSE(test.device->pop(out));
}

// Behind a register, the first cycle of a loop would find what the last cycle of the loop before
// it read, but for the start that clears it.
TEST(ModelTest, FirstCycleFindsNothingOfTheLoopBefore) {
  using namespace as;
  Overlay overlay = cts::testOverlay();
  overlay.inputLatency = 1;
  TestDevice test(overlay);
  isa::LoopContext loop = cts::emptyContext(overlay); // sends the beat of the iteration before
  loop.numArgs = 2;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamOut = {true, {4, false, false}, 1};
  loop.streamInSlots[0].on = true;
  loop.pes[0].slots[0].streamOut = {true, 0, cts::operand(Source::StreamIn), {}};
  cts::finishContext(loop, overlay);
  test.binary.contexts = {loop};
  test.binary.code = {arg(0, zero),        arg(1, zero),        addi(t0, zero, 2),
                      launch(0, t0, zero), addi(t1, zero, 128), arg(0, t1),
                      arg(1, t1),          launch(0, t0, zero), wfi};
  test.load();
  test.run(1, 256);
  Bytes out, expected(256);
  for (unsigned beat : {1u, 3u})
    for (unsigned i = 0; i < 64; ++i)
      expected[beat * 64 + i] = uint8_t(beat * 64 - 64 + i);
  ASSERT_TRUE(test.device->pop(out));
  EXPECT_EQ(out, expected);
}

class FirstIndex : public testing::TestWithParam<unsigned> {}; // launch latency
INSTANTIATE_TEST_SUITE_P(Launches, FirstIndex, testing::Values(1u, 2u));

// With a register behind addresses, the first cycle of a loop takes as its index what was in the
// cycle before it: nothing, whatever the loop before had there.
TEST_P(FirstIndex, IsNothingOfTheLoopBefore) {
  using namespace as;
  Overlay overlay = cts::testOverlay();
  overlay.inputLatency = overlay.indexLatency = 1;
  overlay.launchLatency = GetParam();
  isa::LoopContext loop = cts::emptyContext(overlay); // the index is popped two iterations before
  loop.numArgs = 1;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamInSlots[0].on = true;
  loop.pes[0].addresses = {{.limit = 1, .indexed = true}}; // an index that is not 0 traps
  loop.pes[0].slots[0].read[0] = {true, 0, 0, cts::operand(Source::StreamIn)};
  cts::finishContext(loop, overlay);
  for (uint32_t iterations : {2u, 3u}) {
    TestDevice test(overlay);
    test.binary.contexts = {loop};
    test.binary.code = {arg(0, zero),
                        addi(t0, zero, int32_t(iterations)),
                        launch(0, t0, zero),
                        addi(t1, zero, int32_t(64 * iterations)),
                        arg(0, t1),
                        launch(0, t0, zero),
                        wfi};
    test.load();
    test.device->push(Bytes(2 * 64 * iterations, 5));
    EXPECT_EQ(bool(test.device->run()), iterations == 2);
  }
}

// y[x] = x in every lane of four beats, then all of y is sent: a write whose index is of another
// iteration than its data leaves another element there.
TEST(ModelTest, IndicesOfWritesAreThoseOfTheirData) {
  using namespace as;
  for (auto [late, early] : {std::pair(0u, 0u), std::pair(1u, 0u), std::pair(1u, 1u)}) {
    Overlay overlay = cts::testOverlay();
    overlay.inputLatency = late;
    overlay.indexLatency = overlay.launchLatency = early;
    isa::LoopContext fill = cts::emptyContext(overlay), send = fill;
    fill.numArgs = send.numArgs = 1;
    fill.streamIn = {true, {1, false, false}, 0};
    fill.streamInSlots[0].on = true;
    fill.pes[0].addresses = {{.limit = 64, .indexed = true}};
    const isa::Operand index = cts::operand(Source::StreamIn),
                       data{Source::StreamIn, uint8_t(early)};
    fill.pes[0].slots[0].write = {true, uint8_t(late + early), 0, index, data, {}};
    send.streamOut = {true, {4, false, false}, 0};
    send.pes[0].addresses = {{.limit = 64, .stride1 = 1}};
    send.pes[0].slots[0].read[0].on = true;
    send.pes[0].slots[0].streamOut = {true, uint8_t(late), cts::operand(Source::Vrf0), {}};
    cts::finishContext(fill, overlay);
    cts::finishContext(send, overlay);
    TestDevice test(overlay);
    test.binary.contexts = {fill, send};
    test.binary.code = {arg(0, zero),       addi(t0, zero, 4),   launch(0, t0, zero),
                        addi(t1, zero, 64), launch(1, t1, zero), wfi};
    test.load();
    Bytes packet(64), out;
    Words expected(64 * 16, 0);
    for (unsigned i = 0; i < 64; ++i) {
      packet[i] = uint8_t(i * 37 % 64);
      expected[packet[i] * 16 + i % 16] = packet[i];
    }
    test.device->push(packet);
    ASSERT_TRUE(bool(test.device->run()));
    ASSERT_TRUE(test.device->pop(out));
    EXPECT_EQ(out, cts::wordBytes(expected)) << late << early;
  }
}

// acc += 1 in each iteration, at II 1: each read waits for the write of the iteration before it,
// which is made early; with an input latency its operation starts in that very wait.
TEST(ModelTest, ReadsThatWaitFindTheSum) {
  using namespace as;
  Overlay overlay = cts::testOverlay();
  const unsigned latency = overlay.latencyOf(UnitClass::Integer);
  for (unsigned late : {0u, 1u}) {
    overlay.inputLatency = late;
    TestDevice test(overlay);
    isa::LoopContext loop = cts::emptyContext(overlay);
    loop.numArgs = 1;
    loop.streamOut = {true, {4, false, false}, 0};
    loop.pes[0].addresses = {{.base = 0, .limit = 1}};
    isa::Slot &word = loop.pes[0].slots[0];
    word.read[0].on = true;
    word.op = isa::Op::Add;
    word.stage = uint8_t(late);
    word.a = cts::operand(Source::Vrf0);
    word.b = cts::operand(Source::Imm0);
    word.imm[0] = 1;
    const uint8_t end = uint8_t(late + latency);
    word.write = {true, end, 0, {}, cts::operand(Source::Res), {}, /*interlock=*/true};
    word.streamOut = {true, end, cts::operand(Source::Res), {}};
    cts::finishContext(loop, overlay);
    test.binary.contexts = {loop};
    test.binary.code = {arg(0, zero), addi(t0, zero, 5), launch(0, t0, zero), wfi};
    test.load();
    test.run(1, 64);
    Words expected;
    for (uint32_t sum = 1; sum <= 5; ++sum)
      expected.insert(expected.end(), 16, sum);
    Bytes out;
    ASSERT_TRUE(test.device->pop(out));
    EXPECT_EQ(out, cts::wordBytes(expected)) << late;
  }
}

TEST(ModelTest, AddConstantAtLineRate) {
  TestDevice test(cts::testOverlay(16));
  test.binary.code = packetLoop();
  test.binary.contexts = {addConstant(test.overlay)};
  test.load();
  test.run(100, 1536);
  const uint64_t first = test.cycles();
  test.run(100, 1536);
  EXPECT_EQ(test.cycles(), 2 * first) << "the second run starts like the first";
  // The wire needs ceil((42 + 1536) / 64) = 25 cycles for a packet; the goal is 32.
  EXPECT_GE(first, 2500u);
  EXPECT_LE(first, 2530u);
}

} // namespace
} // namespace acis::model
