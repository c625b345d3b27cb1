// The register file of a PE in all makes, distributed memory and memory blocks with a clock four
// times as fast, in those with both reads together or one after the other: in every cycle two
// reads, a read of a vector store, and writes of the loop and of a vector load with random enables,
// against an array.
#include "VrfDistributed_tiny.h"
#include "VrfEarly_tiny.h"
#include "VrfPumped_tiny.h"
#include "VrfTogether_tiny.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace {

constexpr unsigned Lanes = 4, Beats = 256; ///< of overlay `tiny`
using Places = std::array<unsigned, Lanes>;

template <typename Top> class VrfFileTest : public testing::Test {
protected:
  VrfFileTest() {
    vrf.rst_ni = 0;
    step();
    vrf.rst_ni = 1;
    step();
    vrf.load_en_i = (1u << Lanes) - 1; // what blocks hold at first is not said
    for (unsigned beat = 0; beat < Beats; ++beat) {
      vrf.load_beat_i = uint8_t(beat);
      step();
    }
    vrf.load_en_i = 0;
  }
  void ramEdge() {
    vrf.clk_ram_i = 0;
    vrf.eval();
    vrf.clk_ram_i = 1;
    vrf.eval();
  }
  void ramEdges() {
    for (unsigned i = 1; i < 4; ++i)
      ramEdge();
  }
  void step() {
    vrf.eval();
    ramEdges();
    edge();
  }
  void edge() {
    vrf.clk_i = vrf.clk_ram_i = 0;
    vrf.eval();
    vrf.clk_i = vrf.clk_ram_i = 1;
    vrf.eval();
  }
  /// Puts something into every beat.
  void fill() {
    for (unsigned beat = 0; beat < Beats; ++beat) {
      vrf.load_en_i = (1u << Lanes) - 1;
      vrf.load_beat_i = uint8_t(beat);
      for (unsigned l = 0; l < Lanes; ++l)
        vrf.load_data_i[l] = expected[beat][l] = uint32_t(random());
      step();
    }
    vrf.load_en_i = 0;
  }
  void address(const Places &first, const Places &second) {
    vrf.rd_beat0_i = pack(first);
    vrf.rd_beat1_i = pack(second);
  }
  void expectFound(const Places &first, const Places &second) {
    for (unsigned l = 0; l < Lanes; ++l) {
      EXPECT_EQ(vrf.rd_data0_o[l], expected[first[l]][l]);
      EXPECT_EQ(vrf.rd_data1_o[l], expected[second[l]][l]);
    }
  }
  unsigned below(unsigned n) { return unsigned(random() % n); }
  Places places() {
    Places beats;
    for (unsigned &beat : beats)
      beat = below(Beats);
    return beats;
  }
  static uint32_t pack(const Places &beats) {
    uint32_t word = 0;
    for (unsigned l = 0; l < Lanes; ++l)
      word |= beats[l] << 8 * l;
    return word;
  }

  VerilatedContext context;
  Top vrf{&context};
  std::array<std::array<uint32_t, Lanes>, Beats> expected{};
  std::mt19937 random{1};
};

using Makes = testing::Types<VrfDistributed_tiny, VrfPumped_tiny, VrfTogether_tiny, VrfEarly_tiny>;
TYPED_TEST_SUITE(VrfFileTest, Makes);

TYPED_TEST(VrfFileTest, AllPortsInEveryCycle) {
  auto &vrf = this->vrf;
  for (unsigned cycle = 0; cycle < 5000; ++cycle) {
    const Places first = this->places(), second = this->places(), written = this->places();
    const unsigned stored = this->below(Beats), loaded = this->below(Beats);
    unsigned writes = this->below(16), loads = this->below(16);
    for (unsigned l = 0; l < Lanes; ++l)
      if (written[l] == loaded) // the machine keeps them apart
        loads &= ~(1u << l);
    vrf.rd_beat0_i = this->pack(first);
    vrf.rd_beat1_i = this->pack(second);
    vrf.store_beat_i = uint8_t(stored);
    vrf.wr_en_i = uint8_t(writes);
    vrf.wr_beat_i = this->pack(written);
    vrf.load_en_i = uint8_t(loads);
    vrf.load_beat_i = uint8_t(loaded);
    for (unsigned l = 0; l < Lanes; ++l) {
      vrf.wr_data_i[l] = uint32_t(this->random());
      vrf.load_data_i[l] = uint32_t(this->random());
    }
    vrf.eval();
    this->ramEdges();
    for (unsigned l = 0; l < Lanes; ++l) {
      ASSERT_EQ(vrf.rd_data0_o[l], this->expected[first[l]][l]) << "cycle " << cycle;
      ASSERT_EQ(vrf.rd_data1_o[l], this->expected[second[l]][l]) << "cycle " << cycle;
      ASSERT_EQ(vrf.store_data_o[l], this->expected[stored][l]) << "cycle " << cycle;
    }
    this->edge();
    for (unsigned l = 0; l < Lanes; ++l) {
      if (writes >> l & 1)
        this->expected[written[l]][l] = vrf.wr_data_i[l];
      if (loads >> l & 1)
        this->expected[loaded][l] = vrf.load_data_i[l];
    }
  }
}

// With both reads together, their addresses may take three quarters of the cycle.
using TogetherTest = VrfFileTest<VrfTogether_tiny>;
TEST_F(TogetherTest, AddressesComeLate) {
  fill();
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    const Places first = places(), second = places();
    address(places(), places()); // not there yet
    ramEdge();
    ramEdge();
    address(first, second);
    ramEdge();
    expectFound(first, second);
    edge();
  }
}

// With addresses that are registers, data are there in the second half of the cycle; and so long a
// vector store's beat may take, whose data come then.
using EarlyTest = VrfFileTest<VrfEarly_tiny>;
TEST_F(EarlyTest, DataAreThereAtHalf) {
  fill();
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    const Places first = places(), second = places();
    address(first, second);
    ramEdge();
    ramEdge();
    expectFound(first, second);
    ramEdge();
    expectFound(first, second);
    edge();
  }
}
TEST_F(EarlyTest, BeatOfAStoreComesAtHalf) {
  fill();
  for (unsigned cycle = 0; cycle < 1000; ++cycle) {
    const Places first = places(), second = places();
    const unsigned stored = below(Beats);
    address(first, second);
    vrf.store_beat_i = uint8_t(below(Beats)); // not there yet
    ramEdge();
    vrf.store_beat_i = uint8_t(stored);
    ramEdge();
    for (unsigned l = 0; l < Lanes; ++l)
      ASSERT_EQ(vrf.store_data_o[l], expected[stored][l]) << "cycle " << cycle;
    expectFound(first, second);
    edge();
  }
}

} // namespace
