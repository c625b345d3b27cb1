// The collector: whole frames, in turn, none lost, and what is offered stays until it is taken.
#include "Collector_3.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <array>
#include <deque>
#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

constexpr unsigned Beat = 16, Sources = 3;

// A frame's first byte is its source, its last beat has 1..16 bytes.
class CollectorTest : public testing::Test {
protected:
  void fill(unsigned source, unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) {
      Bytes frame(1 + random() % 60);
      for (uint8_t &byte : frame)
        byte = uint8_t(random());
      frame[0] = uint8_t(source);
      sent[source].push_back(frame);
    }
  }
  /// Frames in the order in which they come out.
  std::vector<Bytes> run(unsigned pauses) {
    auto &top = bench.top;
    std::array<size_t, Sources> at{};
    std::array<std::deque<Bytes>, Sources> left = sent;
    std::array<bool, Sources> offered{};
    Pauses gap(1, pauses), stall(2, pauses);
    std::vector<Bytes> frames;
    Bytes frame, held;
    for (unsigned idle = 0; idle < 50 && bench.now < 100000; ++idle) {
      std::array<Bytes, Sources> beats;
      Bytes data(Beat * Sources), keep(Beat / 8 * Sources);
      unsigned valid = 0, last = 0;
      for (unsigned s = 0; s < Sources; ++s) {
        offered[s] = !left[s].empty() && (offered[s] || !gap.now());
        if (!offered[s])
          continue;
        const Bytes &from = left[s].front();
        const size_t count = std::min<size_t>(Beat, from.size() - at[s]);
        std::copy_n(from.begin() + long(at[s]), count, data.begin() + s * Beat);
        for (size_t b = 0; b < count; ++b)
          keep[s * 2 + b / 8] |= uint8_t(1u << b % 8);
        valid |= 1u << s;
        last |= unsigned(at[s] + Beat >= from.size()) << s;
      }
      top.in_valid_i = uint8_t(valid);
      top.in_last_i = uint8_t(last);
      setPort(top.in_data_i, data.data(), data.size());
      setPort(top.in_keep_i, keep.data(), keep.size());
      top.out_ready_i = !stall.now();
      top.eval();
      const Bytes out = portBytes(top.out_data_o, Beat);
      if (!held.empty()) {
        EXPECT_TRUE(top.out_valid_o);
        EXPECT_EQ(out, held);
      }
      held = top.out_valid_o && !top.out_ready_i ? out : Bytes();
      if (top.out_valid_o) {
        EXPECT_TRUE(top.busy_o >> (frame.empty() ? out[0] : frame[0]) & 1);
      }
      if (top.out_valid_o && top.out_ready_i) {
        frame.insert(frame.end(), out.begin(), out.begin() + long(keptBytes(top.out_keep_o, Beat)));
        if (top.out_last_o) {
          frames.push_back(frame);
          frame.clear();
        }
      }
      const unsigned moved = valid & top.in_ready_o;
      if (valid)
        idle = 0;
      for (unsigned s = 0; s < Sources; ++s) {
        if (!(moved >> s & 1))
          continue;
        offered[s] = false;
        at[s] += Beat;
        if (last >> s & 1) {
          at[s] = 0;
          left[s].pop_front();
        }
      }
      bench.tick();
    }
    EXPECT_EQ(unsigned(top.busy_o), 0u);
    return frames;
  }

  Bench<Collector_3> bench;
  std::array<std::deque<Bytes>, Sources> sent;
  std::mt19937_64 random{1};
};

TEST_F(CollectorTest, KeepsFramesWhole) {
  for (unsigned s = 0; s < Sources; ++s)
    fill(s, 200);
  std::array<std::vector<Bytes>, Sources> got;
  for (const Bytes &frame : run(40)) {
    ASSERT_LT(frame[0], Sources);
    got[frame[0]].push_back(frame);
  }
  for (unsigned s = 0; s < Sources; ++s)
    EXPECT_EQ(got[s], std::vector<Bytes>(sent[s].begin(), sent[s].end()));
}

TEST_F(CollectorTest, TakesTurns) {
  for (unsigned s = 0; s < Sources; ++s)
    fill(s, 20);
  const std::vector<Bytes> frames = run(0);
  ASSERT_EQ(frames.size(), 60u);
  for (size_t i = 1; i < frames.size(); ++i)
    EXPECT_EQ(frames[i][0], (frames[i - 1][0] + 1) % Sources);
}

} // namespace
} // namespace acis::rtl
