// The kernel's registers over AXI4-Lite: what is written is read, byte by byte; start, done,
// ready and continue as ap_ctrl_hs and ap_ctrl_chain have them; interrupts.
#include "Registers_chain.h"
#include "Registers_hs.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <gtest/gtest.h>
#include <map>

namespace acis::rtl {
namespace {

enum Register : uint16_t {
  Control = 0x000,
  Global = 0x004,
  Enable = 0x008,
  Pending = 0x00c,
  Base = 0x010,
  Mode = 0x200,
  Port = 0x208,
  Packets = 0x210,
  Memory = 0x218,
  BankShift = 0x220,
  Deadline = 0x228,
  Stop = 0x230
};
constexpr uint32_t Start = 1, Done = 2, Idle = 4, Ready = 8, Continue = 16, Again = 128;
constexpr unsigned Bases = 3; // as CMakeLists.txt says

template <typename Model> class RegistersTest : public testing::Test {
protected:
  RegistersTest() { bench.top.idle_i = 1; }

  void write(uint16_t address, uint32_t data, uint8_t strobe = 15) {
    auto &top = bench.top;
    bool addressLeft = true, dataLeft = true, answered = false;
    const bool addressLate = random() % 2, dataLate = random() % 2;
    for (unsigned cycle = 0; !answered && cycle < 100; ++cycle) {
      top.awvalid_i = addressLeft && (!addressLate || cycle > 3);
      top.awaddr_i = address;
      top.wvalid_i = dataLeft && (!dataLate || cycle > 2);
      top.wdata_i = data;
      top.wstrb_i = strobe;
      top.bready_i = random() % 2;
      top.eval();
      addressLeft &= !(top.awvalid_i && top.awready_o);
      dataLeft &= !(top.wvalid_i && top.wready_o);
      answered = top.bvalid_o && top.bready_i;
      EXPECT_EQ(unsigned(top.bresp_o), 0u);
      bench.tick();
    }
    EXPECT_TRUE(answered);
    top.awvalid_i = top.wvalid_i = top.bready_i = 0;
    top.eval();
  }
  uint32_t read(uint16_t address) {
    auto &top = bench.top;
    top.arvalid_i = 1;
    top.araddr_i = address;
    top.rready_i = 0;
    top.eval();
    while (!top.arready_o)
      bench.tick();
    bench.tick();
    top.arvalid_i = 0;
    for (unsigned wait = random() % 4; wait; --wait)
      bench.tick();
    top.rready_i = 1;
    top.eval();
    EXPECT_TRUE(top.rvalid_o);
    const uint32_t data = top.rdata_o;
    bench.tick();
    top.rready_i = 0;
    return data;
  }
  /// The kernel ends a run.
  void finish() {
    bench.top.done_i = bench.top.ready_i = 1;
    bench.tick();
    bench.top.done_i = bench.top.ready_i = 0;
    bench.top.eval();
  }

  Bench<Model> bench;
  std::mt19937_64 random{1};
};

using Chain = RegistersTest<Registers_chain>;
using Hs = RegistersTest<Registers_hs>;
template <typename Model> class Both : public RegistersTest<Model> {};
using Models = testing::Types<Registers_chain, Registers_hs>;
TYPED_TEST_SUITE(Both, Models);

TYPED_TEST(Both, ReadsWhatWasWritten) {
  std::map<uint16_t, uint32_t> masks = {{Mode, 15},         {Port, 0xffff},  {Packets, ~0u},
                                        {Memory, ~0u},      {BankShift, 63}, {Deadline, ~0u},
                                        {Deadline + 4, ~0u}};
  for (unsigned base = 0; base < Bases; ++base)
    for (unsigned half = 0; half < 2; ++half)
      masks[uint16_t(Base + 12 * base + 4 * half)] = ~0u;
  std::map<uint16_t, uint32_t> expected;
  for (const auto &[address, mask] : masks)
    expected[address] = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    auto at = masks.begin();
    std::advance(at, long(this->random() % masks.size()));
    const uint8_t strobe = this->random() % 2 ? 15 : uint8_t(this->random() % 16);
    const uint32_t data = uint32_t(this->random());
    this->write(at->first, data, strobe);
    uint32_t bits = 0;
    for (unsigned b = 0; b < 4; ++b)
      bits |= strobe >> b & 1 ? 0xffu << 8 * b : 0;
    uint32_t &value = expected[at->first];
    value = ((value & ~bits) | (data & bits)) & at->second;
    const auto &[address, known] =
        *std::next(expected.begin(), long(this->random() % expected.size()));
    EXPECT_EQ(this->read(address), known) << address;
  }
  // The third word of a base, and an address that is nothing
  for (uint16_t address : {0x018, 0x034, 0x1fc, 0x7f0}) {
    this->write(address, ~0u);
    EXPECT_EQ(this->read(address), 0u) << address;
  }
  for (const auto &[address, known] : expected)
    EXPECT_EQ(this->read(address), known) << address;
}

TYPED_TEST(Both, StartStaysUntilReady) {
  auto &top = this->bench.top;
  EXPECT_EQ(this->read(Control), Idle);
  this->write(Control, Start);
  EXPECT_TRUE(top.start_o);
  top.idle_i = 0;
  EXPECT_EQ(this->read(Control), Start);
  for (unsigned i = 0; i < 10; ++i)
    this->bench.tick();
  EXPECT_TRUE(top.start_o);
  this->finish();
  top.idle_i = 1;
  EXPECT_FALSE(top.start_o);
}

TYPED_TEST(Both, Interrupts) {
  auto &top = this->bench.top;
  this->finish();
  EXPECT_EQ(this->read(Pending), 0u) << "nothing is enabled";
  this->read(Control);
  this->write(Enable, 1);
  this->finish();
  EXPECT_EQ(this->read(Pending), 1u);
  EXPECT_FALSE(top.interrupt_o) << "not enabled as a whole";
  this->write(Global, 1);
  EXPECT_TRUE(top.interrupt_o);
  this->write(Pending, 1); // toggles
  EXPECT_FALSE(top.interrupt_o);
  EXPECT_EQ(this->read(Pending), 0u);
  this->write(Enable, 3);
  this->finish();
  EXPECT_EQ(this->read(Pending), 3u);
  this->write(Pending, 1);
  EXPECT_TRUE(top.interrupt_o) << "ready is still pending";
  this->write(Pending, 2);
  EXPECT_FALSE(top.interrupt_o);
  EXPECT_EQ(this->read(Enable), 3u);
  EXPECT_EQ(this->read(Global), 1u);
}

TYPED_TEST(Both, StopLastsForARun) {
  auto &top = this->bench.top;
  this->write(Stop, 1);
  EXPECT_TRUE(top.stop_o);
  EXPECT_FALSE(top.abort_o);
  this->write(Stop, 0);
  EXPECT_TRUE(top.stop_o);
  this->write(Stop, 2);
  EXPECT_TRUE(top.stop_o);
  EXPECT_TRUE(top.abort_o);
  EXPECT_EQ(this->read(Stop), 3u);
  this->finish();
  EXPECT_FALSE(top.stop_o);
  EXPECT_FALSE(top.abort_o);
}

TEST_F(Hs, ReadingClearsDone) {
  write(Control, Start);
  finish();
  EXPECT_EQ(read(Control), Done | Ready | Idle);
  EXPECT_EQ(read(Control), Idle);
}

TEST_F(Hs, StartsAgain) {
  write(Control, Start | Again);
  finish();
  EXPECT_TRUE(bench.top.start_o) << "at once, done or not";
  EXPECT_EQ(read(Control), Start | Done | Ready | Idle | Again);
  write(Control, 0);
  finish();
  EXPECT_FALSE(bench.top.start_o);
}

TEST_F(Chain, DoneWaitsForContinue) {
  write(Control, Start);
  finish();
  EXPECT_EQ(read(Control), Done | Ready | Idle);
  EXPECT_EQ(read(Control), Done | Idle) << "ready is cleared by reading, done is not";
  write(Control, Start);
  EXPECT_FALSE(bench.top.start_o) << "not before continue";
  EXPECT_EQ(read(Control), Start | Done | Idle);
  write(Control, Continue);
  EXPECT_TRUE(bench.top.start_o);
  EXPECT_EQ(read(Control), Start | Idle);
}

TEST_F(Chain, StartsAgainAfterContinue) {
  write(Control, Start | Again);
  finish();
  EXPECT_FALSE(bench.top.start_o);
  write(Control, Continue | Again);
  EXPECT_TRUE(bench.top.start_o);
}

} // namespace
} // namespace acis::rtl
