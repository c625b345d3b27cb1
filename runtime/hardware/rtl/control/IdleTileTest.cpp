// Idle tile control: tiles between the one at hand and the one that is needed are skipped and
// counted, none when the packet needs no later tile, none while nothing retires.
#include "IdleTile.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

TEST(IdleTileTest, CountsWhatItSkips) {
  Bench<IdleTile> bench;
  auto &top = bench.top;
  std::mt19937_64 random(1);
  uint32_t total = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    const uint32_t current = uint32_t(random() >> random() % 64);
    const uint32_t required = random() % 4 ? uint32_t(random() >> random() % 64) : current;
    top.advance_i = random() % 2;
    top.current_i = current;
    top.required_i = required;
    top.eval();
    const uint32_t skipped = required > current ? required - current : 0;
    ASSERT_EQ(top.skipped_o, skipped);
    ASSERT_EQ(top.total_o, total);
    if (top.advance_i)
      total += skipped;
    bench.tick();
  }
}

} // namespace
} // namespace acis::rtl
