// Lookups of addresses, alone and while others write.
#include "runtime/host/device/Ranges.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace acis::device {
namespace {

const void *address(uintptr_t at) { return reinterpret_cast<const void *>(at); }

TEST(Ranges, NothingIsInNone) {
  Ranges ranges;
  EXPECT_FALSE(ranges.contains(nullptr));
  EXPECT_FALSE(ranges.contains(address(100)));
  ranges.assign({{5, 5}});
  EXPECT_FALSE(ranges.contains(address(5)));
}

TEST(Ranges, AgreesWithEachRangeAlone) {
  std::mt19937 random(7);
  Ranges ranges;
  for (int round = 0; round < 200; ++round) {
    std::vector<Range> some(random() % 40);
    for (Range &range : some) {
      range.begin = random() % 1000;
      range.end = range.begin + random() % 60;
    }
    ranges.assign(some);
    for (uintptr_t at = 0; at < 1100; ++at) {
      bool expected = false;
      for (const Range &range : some)
        expected |= range.begin <= at && at < range.end;
      ASSERT_EQ(ranges.contains(address(at)), expected) << at << " in round " << round;
    }
  }
}

/// What is in all states is always found, and what is in none never, however the table grows.
TEST(Ranges, ReadersSeeWholeStates) {
  Ranges ranges;
  ranges.assign({{1000, 2000}});
  std::atomic<bool> isOver = false;
  std::atomic<int> wrong = 0;
  std::thread reader([&] {
    while (!isOver) {
      wrong += !ranges.contains(address(1500));
      wrong += ranges.contains(address(2000));
      wrong += ranges.contains(address(999));
    }
  });
  for (uintptr_t count = 0; count < 3000; ++count) {
    std::vector<Range> some = {{1000, 2000}};
    for (uintptr_t i = 0; i < count % 500; ++i)
      some.push_back({i % 2 ? 3000 + i * 10 : i, i % 2 ? 3005 + i * 10 : i + 1});
    ranges.assign(some);
  }
  isOver = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace acis::device
