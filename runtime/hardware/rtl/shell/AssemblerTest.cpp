// The assembler against packets made in software: headers of the right packets, lengths,
// checksums, addresses; packets of no, one or more bytes, ended with their last beat or later.
#include "Assembler_16_42.h"
#include "Assembler_64_42.h"
#include "Assembler_64_50.h"
#include "runtime/hardware/rtl/shell/Frame.h"

#include <deque>
#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

template <typename M, unsigned Beat, unsigned Header> struct Shape {
  using Model = M;
  static constexpr unsigned BeatBytes = Beat, HeaderBytes = Header;
};

constexpr unsigned StoreBeats = 32; // as CMakeLists.txt says

template <typename Shape> class AssemblerTest : public testing::Test {
protected:
  static constexpr unsigned Beat = Shape::BeatBytes, Header = Shape::HeaderBytes;

  /// What the core does from one invocation's begin to its end.
  struct Invocation {
    std::vector<Bytes> headers; ///< of the packets that it owns
    Bytes payload;
    bool lateEnd = false; ///< eop_i after the last beat, which is then a full one
  };

  Bytes randomBytes(size_t count) {
    Bytes bytes(count);
    for (uint8_t &byte : bytes)
      byte = uint8_t(random());
    return bytes;
  }
  Invocation randomInvocation() {
    Invocation invocation;
    invocation.headers.resize(1 + (random() % 4 == 0) * (random() % 4));
    for (Bytes &header : invocation.headers) {
      FrameFields fields;
      fields.ipFrom = uint32_t(random());
      fields.ipTo = uint32_t(random());
      fields.macFrom = random() & 0xffffffffffff;
      fields.portFrom = uint16_t(random());
      header = makeFrame(fields, randomBytes(Header - NetBytes), {});
    }
    const size_t size = random() % 8 == 0 ? 0
                        : random() % 4    ? random() % (4 * Beat)
                                          : random() % (StoreBeats * Beat + 1);
    invocation.payload = randomBytes(size);
    if (random() % 16 == 0) // a sum whose complement is 0
      std::fill(invocation.payload.begin(), invocation.payload.end(), 0xff);
    if (random() % 3 == 0)
      invocation.payload.resize(size / Beat * Beat);
    invocation.lateEnd = invocation.payload.size() % Beat == 0 && random() % 2;
    if (invocation.payload.empty())
      invocation.lateEnd = true;
    return invocation;
  }

  void run(const std::vector<Invocation> &invocations, bool swap, unsigned pauses,
           unsigned tooLong = 0) {
    Bench<typename Shape::Model> bench;
    auto &top = bench.top;
    top.swap_i = swap;
    std::deque<Bytes> expected;
    // Packets and their owners; which is a begin
    std::deque<Bytes> wire;
    std::deque<bool> owners;
    for (const Invocation &invocation : invocations) {
      for (size_t i = 0; i < invocation.headers.size(); ++i) {
        wire.push_back(invocation.headers[i]);
        owners.push_back(i == 0);
      }
      if (!invocation.payload.empty() && invocation.payload.size() <= StoreBeats * Beat)
        expected.push_back(answerFrame(invocation.headers[0], invocation.payload, swap));
    }
    Pauses slow(random(), 40), gap(random(), pauses), stall(random(), pauses);
    size_t begun = 0, sending = 0, at = 0, waiting = 0;
    Bytes frame;
    for (unsigned idle = 0; idle < 300 && bench.now < 400000; ++idle) {
      top.packet_i = !wire.empty() && waiting < 60 && !slow.now();
      if (top.packet_i) {
        setPort(top.header_i, wire.front().data(), Header);
        wire.pop_front();
      }
      const bool owns = waiting > 0 && (!owners.front() || begun - sending < 20) && !slow.now();
      top.owns_i = owns;
      top.begins_i = owns && owners.front();
      waiting = waiting + top.packet_i - owns;
      const Invocation *out = sending < begun ? &invocations[sending] : nullptr;
      const bool ending = out && at == out->payload.size();
      top.core_eop_i = ending && out->lateEnd;
      // The core may take back a beat that was not taken.
      top.core_valid_i = out && !ending && !gap.now();
      if (top.core_valid_i) {
        const size_t count = std::min<size_t>(Beat, out->payload.size() - at);
        Bytes beat(out->payload.begin() + long(at), out->payload.begin() + long(at + count));
        beat.resize(Beat);
        setPort(top.core_data_i, beat.data(), Beat);
        top.core_bytes_i = uint8_t(count);
        top.core_last_i = at + count == out->payload.size() && !out->lateEnd;
      }
      top.out_ready_i = !stall.now();
      top.eval();
      tooLong -= top.too_long_o;
      if (top.out_valid_o && top.out_ready_i) {
        idle = 0;
        const size_t count = keptBytes(top.out_keep_o, Beat);
        EXPECT_TRUE(top.out_last_o || count == Beat);
        const Bytes beat = portBytes(top.out_data_o, count);
        frame.insert(frame.end(), beat.begin(), beat.end());
        EXPECT_TRUE(top.busy_o);
        if (top.out_last_o) {
          ASSERT_FALSE(expected.empty());
          ASSERT_EQ(frame, expected.front());
          expected.pop_front();
          frame.clear();
        }
      }
      if (top.core_eop_i || (top.core_valid_i && top.core_ready_o)) {
        idle = 0;
        at += top.core_eop_i ? 0 : Beat;
        if (top.core_eop_i || top.core_last_i) {
          at = 0;
          ++sending;
        } else {
          at = std::min(at, out->payload.size());
        }
      }
      if (owns) {
        begun += owners.front();
        owners.pop_front();
      }
      bench.tick();
    }
    EXPECT_EQ(sending, invocations.size());
    EXPECT_TRUE(expected.empty());
    EXPECT_FALSE(top.busy_o);
    EXPECT_EQ(tooLong, 0u);
    cycles = bench.now;
  }

  std::vector<Invocation> randomInvocations(unsigned count) {
    std::vector<Invocation> invocations(count);
    for (Invocation &invocation : invocations)
      invocation = randomInvocation();
    return invocations;
  }

  std::mt19937_64 random{1};
  uint64_t cycles = 0;
};

using Shapes = testing::Types<Shape<Assembler_16_42, 16, 42>, Shape<Assembler_64_42, 64, 42>,
                              Shape<Assembler_64_50, 64, 50>>;
TYPED_TEST_SUITE(AssemblerTest, Shapes);

TYPED_TEST(AssemblerTest, PutsHeadersOn) {
  for (unsigned pauses : {0u, 30u, 70u})
    this->run(this->randomInvocations(3000), false, pauses);
}

TYPED_TEST(AssemblerTest, SwapsEnds) { this->run(this->randomInvocations(3000), true, 20); }

TYPED_TEST(AssemblerTest, ThrowsAwayWhatIsTooLong) {
  auto invocations = this->randomInvocations(60);
  for (size_t i : {5u, 6u, 30u})
    invocations[i].payload.resize(StoreBeats * this->Beat + 1 + i * 7, 1);
  for (size_t i : {5u, 6u, 30u})
    invocations[i].lateEnd = i == 6; // told with the last beat, or after it
  this->run(invocations, true, 20, 3);
}

// RFC 768: a sum of zero is sent as all ones.
TYPED_TEST(AssemblerTest, SumOfZero) {
  typename TestFixture::Invocation invocation;
  const Bytes application(this->Header - NetBytes, 0);
  invocation.headers = {makeFrame({}, application, {})};
  invocation.payload = {0, 0};
  const Bytes frame = answerFrame(invocation.headers[0], invocation.payload, false);
  invocation.payload = {frame[40], frame[41]};
  const Bytes sealed = answerFrame(invocation.headers[0], invocation.payload, false);
  ASSERT_EQ(sealed[40], 0xff);
  ASSERT_EQ(sealed[41], 0xff);
  this->run({invocation}, false, 0);
}

} // namespace
} // namespace acis::rtl
