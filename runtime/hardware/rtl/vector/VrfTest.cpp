// The register file in memory blocks against an array: in every cycle two reads, the second
// often with an address from the first one's data, a read of a vector store and writes of
// the loop and of a vector load.
#include "Vrf_copies.h"
#include "Vrf_pumped.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace {

constexpr unsigned Lanes = 4, Beats = 64, Bits = 6;
using Beat = std::array<uint32_t, Lanes>;

class VrfTest : public testing::Test {
protected:
  VrfTest() {
    vrf.rst_ni = 0;
    edge(true);
    vrf.rst_ni = 1;
    cycleEdges();
    // Memory blocks of the card start with zeros, simulated ones with anything.
    for (unsigned beat = 0; beat < Beats; ++beat)
      write(beat, Beat{});
  }
  /// Edge of the fast clock, of the slow one too for edge 0.
  void edge(bool slow) {
    vrf.clk_ram_i = 0;
    if (slow)
      vrf.clk_i = 0;
    vrf.eval();
    vrf.clk_ram_i = 1;
    if (slow)
      vrf.clk_i = 1;
    vrf.eval();
  }
  void cycleEdges() {
    for (unsigned i = 1; i <= 4; ++i)
      edge(i == 4);
  }
  void write(unsigned beat, const Beat &data) {
    vrf.load_en_i = (1u << Lanes) - 1;
    vrf.load_beat_i = beat;
    for (unsigned l = 0; l < Lanes; ++l)
      vrf.load_data_i[l] = data[l];
    cycleEdges();
    vrf.load_en_i = 0;
    expected[beat] = data;
  }
  static uint32_t pack(const std::array<unsigned, Lanes> &beats) {
    uint32_t word = 0;
    for (unsigned l = 0; l < Lanes; ++l)
      word |= beats[l] << (l * Bits);
    return word;
  }

  VerilatedContext context;
  Vrf_pumped vrf{&context};
  std::array<Beat, Beats> expected{};
  std::mt19937 random{1};
};

TEST_F(VrfTest, AllPortsInEveryCycle) {
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    std::array<unsigned, Lanes> first, second, written;
    for (unsigned l = 0; l < Lanes; ++l) {
      first[l] = random() % Beats;
      written[l] = random() % Beats;
    }
    const unsigned stored = random() % Beats, loaded = random() % Beats;
    const bool chained = random() % 2;
    unsigned writes = random() & 15, loads = random() & 15;
    for (unsigned l = 0; l < Lanes; ++l)
      if (written[l] == loaded) // the machine keeps them apart
        loads &= ~(1u << l);
    vrf.rd_beat0_i = random() & ((1u << (Lanes * Bits)) - 1); // not there yet
    vrf.store_beat_i = stored;
    edge(false);
    vrf.rd_beat0_i = pack(first);
    edge(false);
    for (unsigned l = 0; l < Lanes; ++l) {
      ASSERT_EQ(vrf.rd_data0_o[l], expected[first[l]][l]) << "first read, cycle " << cycle;
      second[l] = chained ? vrf.rd_data0_o[l] % Beats : random() % Beats;
    }
    vrf.rd_beat1_i = pack(second);
    vrf.wr_en_i = writes;
    vrf.wr_beat_i = pack(written);
    vrf.load_en_i = loads;
    vrf.load_beat_i = loaded;
    for (unsigned l = 0; l < Lanes; ++l) {
      vrf.wr_data_i[l] = random();
      vrf.load_data_i[l] = random();
    }
    edge(false);
    for (unsigned l = 0; l < Lanes; ++l) {
      ASSERT_EQ(vrf.rd_data0_o[l], expected[first[l]][l]) << "first read, later";
      ASSERT_EQ(vrf.rd_data1_o[l], expected[second[l]][l]) << "second read, cycle " << cycle;
      ASSERT_EQ(vrf.store_data_o[l], expected[stored][l]) << "vector store, cycle " << cycle;
    }
    edge(true);
    for (unsigned l = 0; l < Lanes; ++l) {
      if (writes >> l & 1)
        expected[written[l]][l] = vrf.wr_data_i[l];
      if (loads >> l & 1)
        expected[loaded][l] = vrf.load_data_i[l];
    }
    vrf.wr_en_i = 0;
    vrf.load_en_i = 0;
  }
}

// A group of registers is consecutive beats: it is written and read like an array.
TEST_F(VrfTest, GroupOfRegisters) {
  constexpr unsigned BeatsPerRegister = 2, Group = 16, Base = 16 * BeatsPerRegister;
  for (unsigned i = 0; i < Group * BeatsPerRegister; ++i)
    write(Base + i, {i, i + 1000, i + 2000, i + 3000});
  for (unsigned i = 0; i < Group * BeatsPerRegister; ++i) {
    vrf.store_beat_i = Base + i;
    cycleEdges();
    for (unsigned l = 0; l < Lanes; ++l)
      EXPECT_EQ(vrf.store_data_o[l], i + 1000 * l);
  }
}

// As copies: two reads, or one and a vector store's, and a write of the loop or of a vector load; a
// read finds what was there before the writes of its cycle, and data stay without one.
TEST(VrfCopiesTest, AllPortsInEveryCycle) {
  VerilatedContext context;
  Vrf_copies vrf{&context};
  std::array<Beat, Beats> expected{};
  std::mt19937 random{1};
  auto edge = [&] {
    vrf.clk_i = 0;
    vrf.eval();
    vrf.clk_i = 1;
    vrf.eval();
  };
  vrf.rst_ni = 0;
  edge();
  vrf.rst_ni = 1;
  auto write = [&](bool loads, unsigned lanes, const std::array<unsigned, Lanes> &beats) {
    vrf.wr_en_i = loads ? 0 : lanes;
    vrf.load_en_i = loads ? lanes : 0;
    vrf.load_beat_i = beats[0];
    vrf.wr_beat_i = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      vrf.wr_beat_i |= beats[l] << (l * Bits);
      vrf.wr_data_i[l] = random();
      vrf.load_data_i[l] = random();
    }
  };
  auto keep = [&](bool loads, unsigned lanes, const std::array<unsigned, Lanes> &beats) {
    for (unsigned l = 0; l < Lanes; ++l)
      if (lanes >> l & 1)
        expected[beats[loads ? 0 : l]][l] = loads ? vrf.load_data_i[l] : vrf.wr_data_i[l];
  };
  for (unsigned beat = 0; beat < Beats; ++beat) { // what blocks hold at first is not said
    write(true, 15, {beat, beat, beat, beat});
    edge();
    keep(true, 15, {beat});
  }
  Beat first{}, second{};
  bool known[2] = {};
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    std::array<unsigned, Lanes> reads[2], written;
    for (unsigned l = 0; l < Lanes; ++l) {
      reads[0][l] = random() % Beats;
      reads[1][l] = random() % Beats;
      written[l] = random() % Beats;
    }
    const unsigned enables = random() & 3, lanes = random() & 15, stored = random() % Beats;
    const bool loads = random() % 2, stores = !(enables & 2) && random() % 2;
    vrf.rd_en_i = enables;
    vrf.store_en_i = stores;
    vrf.store_beat_i = stored;
    vrf.rd_beat0_i = vrf.rd_beat1_i = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      vrf.rd_beat0_i |= reads[0][l] << (l * Bits);
      vrf.rd_beat1_i |= reads[1][l] << (l * Bits);
    }
    write(loads, lanes, written);
    for (unsigned l = 0; l < Lanes; ++l) {
      if (enables & 1)
        first[l] = expected[reads[0][l]][l];
      if (enables & 2 || stores)
        second[l] = expected[stores ? stored : reads[1][l]][l];
    }
    known[0] |= enables & 1;
    known[1] |= enables & 2 || stores;
    edge();
    keep(loads, lanes, written);
    for (unsigned l = 0; l < Lanes; ++l) {
      if (known[0])
        ASSERT_EQ(vrf.rd_data0_o[l], first[l]) << "cycle " << cycle;
      if (known[1])
        ASSERT_EQ(vrf.rd_data1_o[l], second[l]) << "cycle " << cycle;
    }
  }
}

} // namespace
