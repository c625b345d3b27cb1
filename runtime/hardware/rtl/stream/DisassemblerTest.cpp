// The disassembler against the packets that were sent, for headers shorter and longer than a
// beat and of whole beats, with random gaps on both sides.
#include "Disassembler_16_42.h"
#include "Disassembler_64_0.h"
#include "Disassembler_64_100.h"
#include "Disassembler_64_34.h"
#include "Disassembler_64_42.h"
#include "Disassembler_64_64.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <deque>
#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

template <typename M, unsigned Beat, unsigned Header> struct Shape {
  using Model = M;
  static constexpr unsigned BeatBytes = Beat, HeaderBytes = Header;
};

template <typename Shape> class DisassemblerTest : public testing::Test {
protected:
  static constexpr unsigned Beat = Shape::BeatBytes, Header = Shape::HeaderBytes;

  /// Sends packets and expects their payloads, piece by piece; returns the cycles.
  uint64_t run(const std::vector<Bytes> &payloads, uint64_t seed, unsigned percent) {
    Bench<typename Shape::Model> bench;
    auto &top = bench.top;
    Pauses gap(seed, percent), stall(seed + 1, percent), full(seed + 2, percent);
    std::mt19937_64 random(seed);
    std::deque<Bytes> expected;
    for (const Bytes &payload : payloads)
      for (size_t at = 0; at < payload.size(); at += Beat)
        expected.emplace_back(payload.begin() + long(at),
                              payload.begin() + long(std::min(at + Beat, payload.size())));
    size_t packet = 0, at = 0, taken = 0;
    while ((packet < payloads.size() || !expected.empty()) && bench.now < 200000) {
      top.wire_valid_i = packet < payloads.size() && !gap.now();
      if (top.wire_valid_i) {
        Bytes wire(Header, 0xee);
        wire.insert(wire.end(), payloads[packet].begin(), payloads[packet].end());
        Bytes beat(Beat);
        for (uint8_t &byte : beat) // behind the packet there is anything
          byte = uint8_t(random());
        std::copy(wire.begin() + long(at), wire.begin() + long(std::min(at + Beat, wire.size())),
                  beat.begin());
        setPort(top.wire_data_i, beat.data(), Beat);
        top.wire_bytes_i = at == 0 ? uint32_t(payloads[packet].size()) : uint32_t(random());
        top.wire_last_i = at + Beat >= wire.size();
      }
      top.packet_room_i = !full.now();
      top.piece_ready_i = !stall.now();
      top.eval();
      if (top.piece_valid_o && top.piece_ready_i) {
        if (expected.empty()) {
          ADD_FAILURE() << "a piece too many";
          return 0;
        }
        EXPECT_EQ(unsigned(top.piece_bytes_o), expected.front().size());
        EXPECT_EQ(portBytes(top.piece_data_o, expected.front().size()), expected.front());
        expected.pop_front();
      }
      taken += top.packet_o;
      if (top.wire_valid_i && top.wire_ready_o) {
        EXPECT_EQ(bool(top.packet_o), at == 0);
        at += Beat;
        if (top.wire_last_i) {
          at = 0;
          ++packet;
        }
      }
      bench.tick();
    }
    top.wire_valid_i = 0;
    top.eval();
    EXPECT_TRUE(expected.empty());
    EXPECT_TRUE(top.quiet_o);
    EXPECT_EQ(taken, payloads.size());
    return bench.now;
  }

  static std::vector<Bytes> packets(uint64_t seed, unsigned count) {
    std::mt19937_64 random(seed);
    std::vector<Bytes> payloads(count);
    for (Bytes &payload : payloads) {
      payload.resize(random() % 2 ? random() % (5 * Beat) : random() % 4 * Beat + random() % 3);
      for (uint8_t &byte : payload)
        byte = uint8_t(random());
    }
    return payloads;
  }
};

// A beat cannot be 0 bytes long, so that a header of 0 needs a payload.
using Shapes =
    testing::Types<Shape<Disassembler_64_34, 64, 34>, Shape<Disassembler_64_42, 64, 42>,
                   Shape<Disassembler_64_64, 64, 64>, Shape<Disassembler_64_100, 64, 100>,
                   Shape<Disassembler_16_42, 16, 42>>;
TYPED_TEST_SUITE(DisassemblerTest, Shapes);

TYPED_TEST(DisassemblerTest, ShiftsTheHeaderOff) {
  for (uint64_t seed = 1; seed <= 100; ++seed)
    this->run(this->packets(seed, 40), seed, unsigned(seed * 4 % 61));
}

TYPED_TEST(DisassemblerTest, TakesABeatPerCycle) {
  constexpr unsigned Beat = TypeParam::BeatBytes, Header = TypeParam::HeaderBytes;
  // Whole beats on the wire, so that no packet ends with two pieces.
  const unsigned beats = (Header + Beat - 1) / Beat + 8;
  const std::vector<Bytes> payloads(50, Bytes(beats * Beat - Header, 7));
  EXPECT_LE(this->run(payloads, 1, 0), 50 * beats + 4);
}

using NoHeader = DisassemblerTest<Shape<Disassembler_64_0, 64, 0>>;
TEST_F(NoHeader, PassesEverything) {
  std::vector<Bytes> payloads = packets(1, 100);
  for (Bytes &payload : payloads)
    payload.push_back(1);
  run(payloads, 3, 30);
}

} // namespace
} // namespace acis::rtl
