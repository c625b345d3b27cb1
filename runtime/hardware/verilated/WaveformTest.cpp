// A waveform of a small block as Waveform.h writes it: an FST file whose header, times and names
// are those of the simulation. Whole overlays have one only with ACIS_RTL_WAVES.
#include "runtime/hardware/verilated/Waveform.h"

#include "IdleTile_traced.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace acis::rtl {
namespace {

constexpr uint64_t Steps = 2000;

void simulate(const std::string &file) {
  VerilatedContext context;
  Waveform<IdleTile_traced> waveform;
  waveform.prepare(context, file);
  IdleTile_traced top(&context);
  waveform.open(top, file);
  top.rst_ni = 0;
  for (uint64_t time = 0; time < Steps; ++time) {
    top.clk_i = time & 1;
    if (time == 2)
      top.rst_ni = 1;
    top.required_i = uint32_t(time / 4);
    top.eval();
    waveform.dump(time);
  }
}

/// A number of the header, most significant byte first.
uint64_t number(const std::string &data, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i)
    value = value << 8 | uint8_t(data.at(at + i));
  return value;
}

TEST(WaveformTest, IsAnFstFileOfTheSimulation) {
  const std::string file = testing::TempDir() + "acis-waveform-test.fst";
  simulate(file);
  std::ifstream in(file, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(data.size(), 400u);
  EXPECT_EQ(data[0], 0) << "the first block is the header";
  EXPECT_EQ(number(data, 1), 329u) << "of 329 bytes";
  EXPECT_EQ(number(data, 9), 0u) << "first time";
  EXPECT_EQ(number(data, 17), Steps - 1) << "last time";
  double e;
  std::memcpy(&e, data.data() + 25, sizeof e);
  EXPECT_DOUBLE_EQ(e, 2.7182818284590452);
  EXPECT_GE(number(data, 49), 6u) << "variables";
  // LZ4 leaves a name as it is where it occurs first, and its end may repeat another.
  for (const char *name : {"acis_idle_tile", "clk_i", "rst_n", "advance"})
    EXPECT_NE(data.find(name), std::string::npos) << name;
}

} // namespace
} // namespace acis::rtl
