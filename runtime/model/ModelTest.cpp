// Cycle counts of the model on small handlers, against the formulas of docs/timing.md.
#include "runtime/model/TestDevice.h"

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
