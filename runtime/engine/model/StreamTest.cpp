// The streams alone: wire, shifter, FIFO, aligner, packer.
#include "runtime/engine/model/StreamIn.h"
#include "runtime/engine/model/StreamOut.h"
#include "runtime/engine/programs/ContextBuilder.h"

#include <gtest/gtest.h>

namespace acis::model {
namespace {

struct StreamTest : testing::Test {
  Overlay overlay = cts::testOverlay(); // 64-byte beats, 42-byte headers, FIFO of 16
  StreamIn in;
  StreamOut out;
  Counters counters;

  void SetUp() override {
    in.reset(overlay);
    out.reset(overlay);
  }
  void push(unsigned bytes, uint8_t first = 0) {
    std::vector<uint8_t> payload(bytes);
    for (unsigned i = 0; i < bytes; ++i)
      payload[i] = uint8_t(first + i);
    in.push(payload);
  }
  /// Cycles until `bytes` can be popped.
  unsigned waitFor(unsigned bytes) {
    unsigned cycles = 0;
    for (; !in.ready(bytes) && cycles < 1000; ++cycles)
      in.cycle(counters);
    return cycles;
  }
};

TEST_F(StreamTest, WireCyclesByPacketSize) {
  // Packets of one size back to back: ceil((42 + n) / 64) cycles each.
  for (unsigned bytes : {1u, 22u, 23u, 64u, 86u, 87u, 1000u, 1536u}) {
    in.reset(overlay);
    for (unsigned p = 0; p < 50; ++p)
      push(bytes);
    in.addRead(0, 50 * uint64_t(bytes), 0);
    unsigned cycles = 0, popped = 0;
    for (; popped < 50 * bytes && cycles < 10000; ++cycles) {
      const unsigned n = std::min(64u, 50 * bytes - popped);
      if (in.ready(n)) {
        in.pop(n);
        popped += n;
      }
      in.cycle(counters);
      in.packetsOwned(in.packetsVisible());
    }
    const unsigned wire = 50 * ((42 + bytes + 63) / 64);
    EXPECT_GE(cycles, wire) << bytes;
    EXPECT_LE(cycles, wire + 4) << bytes;
  }
}

// What a push leaves out is known in the cycle behind the one that makes it.
TEST_F(StreamTest, ElementsLeftOutAreKnownWhenTheyAre) {
  overlay.stallLatency = overlay.fifoBeats = 1;
  out.reset(overlay);
  out.addWrite(3 * 64);
  out.begin(counters);
  ASSERT_TRUE(out.ready(64));
  out.decideSkip(64);
  out.cycle(counters);
  out.begin(counters); // here it is left out
  EXPECT_FALSE(out.ready(64));
  out.cycle(counters);
  out.begin(counters);
  EXPECT_TRUE(out.ready(64));
}

TEST_F(StreamTest, FirstBeatIsReadyAfterThreeCycles) {
  push(128);
  in.addRead(0, 128, 0);
  EXPECT_EQ(waitFor(64), 3u);
}

TEST_F(StreamTest, HeaderIsSeenBeforeThePayload) {
  push(128);
  EXPECT_EQ(in.packetsVisible(), 0u);
  in.cycle(counters);
  EXPECT_EQ(in.packetsVisible(), 1u);
  EXPECT_EQ(in.packetBytes(0), 128u);
}

TEST_F(StreamTest, FullFifoStopsTheWire) {
  push(64 * 100);
  for (unsigned i = 0; i < 200; ++i)
    in.cycle(counters);
  EXPECT_EQ(in.fifoFill(), overlay.fifoBeats);
  EXPECT_EQ(counters.beatsIn, overlay.fifoBeats + 2) << "two beats are in the aligner";
}

TEST_F(StreamTest, PopsCrossPacketsWithoutPadding) {
  push(20, 0);
  push(100, 20);
  in.addRead(0, 64, 0);
  waitFor(64);
  const uint8_t *bytes = in.pop(64);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(bytes[i], i);
}

TEST_F(StreamTest, SkipAndEndDropBytes) {
  push(100, 0);
  push(100, 100);
  in.addRead(40, 4, 0);
  waitFor(4);
  EXPECT_EQ(*in.pop(4), 40);
  in.addEnd(in.packetAfter(0, 44));
  in.addRead(0, 4, 0);
  waitFor(4);
  EXPECT_EQ(*in.pop(4), 100) << "the rest of the first packet is dropped";
}

TEST_F(StreamTest, PacketAfterIsTheShortestRun) {
  for (unsigned bytes : {100u, 50u, 0u, 10u})
    push(bytes);
  EXPECT_EQ(in.packetAfter(0, 0), 1u) << "at least one packet";
  EXPECT_EQ(in.packetAfter(0, 100), 1u);
  EXPECT_EQ(in.packetAfter(0, 101), 2u);
  EXPECT_EQ(in.packetAfter(0, 150), 2u);
  EXPECT_EQ(in.packetAfter(2, 0), 3u) << "an empty packet";
  EXPECT_EQ(in.packetAfter(1, 60), 4u);
  EXPECT_EQ(in.packetAfter(0, 161), 5u) << "more than there is";
}

TEST_F(StreamTest, EndOfInputIsSeen) {
  push(10);
  in.addRead(0, 64, 12);
  for (unsigned i = 0; i < 10; ++i)
    in.cycle(counters);
  EXPECT_TRUE(in.exhausted());
  EXPECT_FALSE(in.ready(64));
  EXPECT_EQ(in.waitingPc(), 12u);
}

TEST_F(StreamTest, OutputPacksAndFlushes) {
  out.addWrite(100);
  out.addEnd();
  for (unsigned i = 0; i < 5; ++i) {
    ASSERT_TRUE(out.ready(20));
    std::fill_n(out.push(20, counters), 20, uint8_t(i));
  }
  EXPECT_EQ(counters.beatsOut, 1u);
  out.cycle(counters);
  EXPECT_EQ(counters.beatsOut, 2u) << "the partial beat";
  EXPECT_FALSE(out.empty());
  out.cycle(counters);
  EXPECT_TRUE(out.empty());
  std::vector<uint8_t> packet;
  ASSERT_TRUE(out.popPacket(packet));
  EXPECT_EQ(packet.size(), 100u);
  EXPECT_EQ(packet[99], 4);
  EXPECT_FALSE(out.popPacket(packet));
}

TEST_F(StreamTest, NothingSentIsNoPacket) {
  out.addEnd();
  out.cycle(counters);
  std::vector<uint8_t> packet;
  EXPECT_FALSE(out.popPacket(packet));
  EXPECT_TRUE(out.empty());
}

} // namespace
} // namespace acis::model
