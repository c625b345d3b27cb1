// Comparing two engines that count cycles.
#pragma once

#include "runtime/engine/device/Device.h"

#include <gtest/gtest.h>

namespace acis::cts {

/// Everything that is counted is equal. After a trap, what was done in its last cycle is left
/// out.
inline void expectSameCounters(const Counters &got, const Counters &expected, bool trapped) {
  EXPECT_EQ(got.cycles, expected.cycles);
  EXPECT_EQ(std::vector<uint64_t>(got.stalls, got.stalls + NumStalls),
            std::vector<uint64_t>(expected.stalls, expected.stalls + NumStalls));
  EXPECT_EQ(got.beatsIn, expected.beatsIn);
  EXPECT_EQ(got.bytesIn, expected.bytesIn);
  EXPECT_EQ(got.packetsIn, expected.packetsIn);
  EXPECT_EQ(got.beatsOut, expected.beatsOut);
  EXPECT_EQ(got.bytesOut, expected.bytesOut);
  EXPECT_EQ(got.packetsOut, expected.packetsOut);
  if (trapped)
    return;
  EXPECT_EQ(got.iterations, expected.iterations);
  EXPECT_EQ(got.tilesSkipped, expected.tilesSkipped);
  EXPECT_EQ(got.instructions, expected.instructions);
}

} // namespace acis::cts
