// The results of a scalar loop on their way to the sequencer: of those that several units finish in
// one cycle each is sent once, with its value, however long it waits.
#include "Lasts_tiny.h"
#include "backend/isa/Numbers.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace {

using acis::isa::MaxResults;
constexpr unsigned Classes = 4;

class LastsTest : public testing::Test {
protected:
  /// Units of the classes in `on` finish results in this cycle; values are by number of the result.
  void arrive(unsigned on) {
    lasts.on_i = uint8_t(on);
    for (unsigned c = 0; c < Classes; ++c) {
      const uint64_t value = random() | uint64_t(random()) << 32;
      lasts.value_i[2 * c] = uint32_t(value); // of a unit that is not done, anything
      lasts.value_i[2 * c + 1] = uint32_t(value >> 32);
      if (!(on >> c & 1))
        continue;
      lasts.result_i = uint16_t((lasts.result_i & ~(7u << 3 * c)) | next << 3 * c);
      expected[next++] = value;
    }
    lasts.eval();
  }

  /// What is sent in this cycle was expected; nothing is only sent when nothing is.
  void takeOne() {
    ASSERT_EQ(bool(lasts.on_o), !expected.empty());
    if (!lasts.on_o)
      return;
    const auto found = expected.find(lasts.result_o);
    ASSERT_NE(found, expected.end()) << "result " << unsigned(lasts.result_o) << " again";
    EXPECT_EQ(lasts.value_o, found->second) << "result " << unsigned(lasts.result_o);
    expected.erase(found);
  }

  acis::rtl::Bench<Lasts_tiny> bench;
  Lasts_tiny &lasts = bench.top;
  std::mt19937 random{1};
  unsigned next = 0;                     ///< number of the next result
  std::map<unsigned, uint64_t> expected; ///< by number
};

TEST_F(LastsTest, SendsEachResultOnce) {
  for (unsigned loop = 0; loop < 2000; ++loop) {
    next = 0;
    lasts.begin_i = 1;
    for (unsigned cycle = 0; cycle < 24 || !expected.empty(); ++cycle) {
      ASSERT_LT(cycle, 40u) << "not all are sent";
      unsigned on = random() % 3 == 0 ? random() % (1u << Classes) : 0;
      while (next + unsigned(__builtin_popcount(on)) > MaxResults)
        on &= on - 1;
      arrive(on);
      takeOne();
      bench.tick();
      lasts.begin_i = 0;
    }
    lasts.on_i = 0;
  }
}

// Four at once: the order is that of the classes, one in a cycle.
TEST_F(LastsTest, FourAtOnce) {
  arrive(15);
  for (unsigned k = 0; k < Classes; ++k) {
    EXPECT_EQ(lasts.result_o, k);
    takeOne();
    bench.tick();
    arrive(0);
  }
  EXPECT_FALSE(lasts.on_o);
}

} // namespace
