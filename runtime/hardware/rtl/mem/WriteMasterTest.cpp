// The write master where the array follows the sequencer, against a memory that keeps the rules of
// AXI: random accesses, of which each is decided while there is room and made two cycles later,
// arrive in the order in which they were made, in bursts that stay in their block; and it says that
// it is idle only when nothing is on its way.
#include "WriteMaster_follow2.h"
#include "runtime/hardware/rtl/shell/AxiMemory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace acis::rtl {
namespace {

constexpr unsigned Beat = 16, Later = 2, Interleave = 4096; // of overlay `follow2`
constexpr uint32_t Base = 0x8000'0000, MemoryBytes = 16384;

class WriteMasterTest : public testing::TestWithParam<unsigned> {
protected:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  /// Where the next access is: behind the last one, where it is, or anywhere.
  void move() {
    switch (below(20)) {
    case 0:
      at = below(MemoryBytes - Beat);
      bytes = 1 + below(Beat);
      break;
    case 1:
      stride = chance(50) ? bytes : 1 + below(3 * Beat);
      break;
    default:
      at += stride;
    }
    if (at > MemoryBytes - Beat)
      at = below(Beat);
  }

  /// The access that is made in this cycle; the last one ends what was begun.
  void make(bool last) {
    move();
    top.write_i = 1;
    top.address_i = Base + at;
    top.bytes_i = uint8_t(bytes);
    top.flush_i = last || chance(3);
    Bytes data(Beat), strobes(Beat / 8);
    const bool all = chance(70);
    for (unsigned b = 0; b < Beat; ++b) {
      data[b] = uint8_t(random());
      if (b >= bytes || !(all || chance(50)))
        continue;
      strobes[b / 8] |= uint8_t(1u << b % 8);
      expected[at + b] = data[b];
    }
    setPort(top.data_i, data.data(), Beat);
    setPort(top.strobe_i, strobes.data(), strobes.size());
  }

  /// A cycle; whether the master is idle at its start.
  bool step() {
    port.drive(s);
    top.awready_i = s.awready;
    top.wready_i = s.wready;
    top.bvalid_i = s.bvalid;
    top.write_i = top.flush_i = top.coming_i = 0;
    top.eval();
    const bool idle = top.idle_o;
    if (idle) {
      EXPECT_EQ(std::count(way.begin(), way.end(), true), 0) << "idle before an access is made";
      EXPECT_TRUE(port.quiet());
    }
    full += decided != 0 && !top.ready_o;
    top.coming_i = decided != 0 && top.ready_o && chance(80);
    decided -= top.coming_i;
    way.push_back(top.coming_i);
    if (way.front())
      make(--left == 0);
    way.pop_front();
    top.eval();
    take();
    bench.tick();
    return idle;
  }

  void take() {
    s.awvalid = top.awvalid_o;
    s.awaddr = top.awaddr_o;
    s.awlen = top.awlen_o;
    s.wvalid = top.wvalid_o;
    s.wlast = top.wlast_o;
    s.wdata = portBytes(top.wdata_o, Beat);
    s.wstrb = portBytes(top.wstrb_o, Beat / 8);
    if (s.awvalid && s.awready) {
      EXPECT_LT(s.awaddr % Interleave + s.awlen * Beat, Interleave);
    }
    port.take(s);
  }

  Bench<WriteMaster_follow2> bench;
  WriteMaster_follow2 &top = bench.top;
  std::mt19937_64 random{GetParam() + 1};
  SparseMemory memory;
  AxiPort port{memory, Beat, GetParam(), GetParam() * 19};
  AxiSignals s;
  std::deque<bool> way = std::deque<bool>(Later); ///< accesses that were decided, by cycles
  Bytes expected = Bytes(MemoryBytes);
  uint32_t at = 0, stride = Beat, bytes = Beat;
  unsigned decided = 0, left = 0; ///< accesses that are still to be decided, and made
  unsigned full = 0;              ///< cycles without room
};

TEST_P(WriteMasterTest, WritesInOrder) {
  for (unsigned round = 0; round < 60; ++round) {
    decided = left = chance(50) ? 1 + below(4) : 1 + below(400);
    for (unsigned cycle = 0; left != 0 || !step(); ++cycle) {
      ASSERT_LT(cycle, 20000u) << left << " accesses are left";
      if (left != 0)
        step();
    }
    ASSERT_EQ(memory.read(Base, MemoryBytes), expected) << "round " << round;
  }
  EXPECT_EQ(port.complaint, "");
  if (GetParam() > 1) { // a memory that does not keep up
    EXPECT_GT(full, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(Pauses, WriteMasterTest, testing::Range(0u, 5u));

} // namespace
} // namespace acis::rtl
