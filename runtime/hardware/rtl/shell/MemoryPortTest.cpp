// A memory port against a memory that keeps the rules of AXI: random reads and writes of a core
// arrive at the right places, in one piece and spread over banks; what is asked for while the port
// is stopped is not done, and the port knows when nothing is on its way.
#include "MemoryPort_16.h"
#include "backend/isa/Numbers.h"
#include "runtime/hardware/rtl/shell/AxiMemory.h"

#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

constexpr unsigned Beat = 16, Banks = 4, Interleave = 256; // as CMakeLists.txt says
constexpr uint64_t Base = 0x12'3456'7000;
constexpr uint32_t MemoryBytes = 8192;

class MemoryPortTest : public testing::TestWithParam<unsigned> {
protected:
  struct Access {
    uint32_t address;
    unsigned beats;
    std::vector<Bytes> data, strobes; ///< by beat; of a write
  };

  static uint64_t place(uint64_t offset, unsigned shift) {
    if (!shift)
      return Base + offset;
    const uint64_t block = offset / Interleave;
    return Base + (block % Banks << shift) + block / Banks * Interleave + offset % Interleave;
  }
  Access randomAccess(bool write) {
    Access access;
    const uint32_t first = uint32_t(random() % (MemoryBytes / Beat));
    const unsigned left = Interleave / Beat - first % (Interleave / Beat);
    access.address = isa::MemoryBase + first * Beat;
    access.beats = 1 + unsigned(random() % left);
    for (unsigned b = 0; write && b < access.beats; ++b) {
      access.data.emplace_back(Beat);
      for (uint8_t &byte : access.data.back())
        byte = uint8_t(random());
      access.strobes.push_back({uint8_t(random()), uint8_t(random())});
    }
    return access;
  }
  void drive() {
    port.drive(s);
    auto &top = bench.top;
    top.m_arready_i = s.arready;
    top.m_awready_i = s.awready;
    top.m_wready_i = s.wready;
    top.m_rvalid_i = s.rvalid;
    top.m_rlast_i = s.rlast;
    top.m_rresp_i = s.rresp;
    top.m_bvalid_i = s.bvalid;
    top.m_bresp_i = s.bresp;
    if (s.rvalid)
      setPort(top.m_rdata_i, s.rdata.data(), Beat);
  }
  void take() {
    auto &top = bench.top;
    s.arvalid = top.m_arvalid_o;
    s.araddr = top.m_araddr_o;
    s.arlen = top.m_arlen_o;
    s.awvalid = top.m_awvalid_o;
    s.awaddr = top.m_awaddr_o;
    s.awlen = top.m_awlen_o;
    s.wvalid = top.m_wvalid_o;
    s.wlast = top.m_wlast_o;
    s.wdata = portBytes(top.m_wdata_o, Beat);
    s.wstrb = portBytes(top.m_wstrb_o, Beat / 8);
    port.take(s);
  }
  void setAddress(const Access &read, const Access &write) {
    auto &top = bench.top;
    top.araddr_i = read.address;
    top.arlen_i = uint8_t(read.beats - 1);
    top.awaddr_i = write.address;
    top.awlen_i = uint8_t(write.beats - 1);
  }

  Bench<MemoryPort_16> bench;
  std::mt19937_64 random{GetParam() + 1};
  SparseMemory memory;
  AxiPort port{memory, Beat, GetParam(), GetParam() * 20 % 61};
  AxiSignals s;
};

TEST_P(MemoryPortTest, ReadsAndWrites) {
  auto &top = bench.top;
  const unsigned shift = GetParam() % 2 ? 20 : 0;
  top.base_i = Base;
  top.shift_i = uint8_t(shift);
  Bytes expected(MemoryBytes);
  for (uint32_t i = 0; i < MemoryBytes; ++i)
    expected[i] = memory.at(place(i, shift)) = uint8_t(random());
  std::deque<Bytes> reads;   // beats that are still to come
  std::deque<Access> writes; // whose data is still to be sent
  unsigned granted = 0, answered = 0;
  Access read = randomAccess(false), write = randomAccess(true);
  for (unsigned cycle = 0; cycle < 6000; ++cycle) {
    // A read of what is being written may see either; so all reads, then all writes.
    const bool asks = cycle < 5000;
    const bool reading = cycle % 2000 < 1000 ? granted == answered : !reads.empty();
    const bool stopped = cycle % 100 < 20 && GetParam() % 3 == 0;
    drive();
    setAddress(read, write);
    top.stop_i = stopped;
    top.arvalid_i = cycle % 2000 < 1000 && reading && asks && reads.size() < 40 && random() % 2;
    top.awvalid_i = !reading && asks && writes.size() < 3 && random() % 2;
    top.wvalid_i = !writes.empty() && random() % 2;
    if (top.wvalid_i) {
      setPort(top.wdata_i, writes.front().data.front().data(), Beat);
      setPort(top.wstrb_i, writes.front().strobes.front().data(), Beat / 8);
      top.wlast_i = writes.front().data.size() == 1;
    }
    top.eval();
    take();
    EXPECT_FALSE(top.error_o);
    EXPECT_EQ(bool(top.quiet_o), reads.empty() && granted == answered);
    if (stopped) {
      EXPECT_FALSE(top.arready_o);
      EXPECT_FALSE(top.awready_o);
    }
    if (top.rvalid_o) {
      ASSERT_FALSE(reads.empty());
      EXPECT_EQ(portBytes(top.rdata_o, Beat), reads.front());
      reads.pop_front();
    }
    answered += top.bvalid_o;
    if (top.arvalid_i && top.arready_o) {
      for (unsigned b = 0; b < read.beats; ++b) {
        const auto from = expected.begin() + (read.address - isa::MemoryBase) + b * Beat;
        reads.emplace_back(from, from + Beat);
      }
      read = randomAccess(false);
    }
    if (top.wvalid_i && top.wready_o) {
      writes.front().data.erase(writes.front().data.begin());
      writes.front().strobes.erase(writes.front().strobes.begin());
      if (writes.front().data.empty())
        writes.pop_front();
    }
    if (top.awvalid_i && top.awready_o) {
      ++granted;
      for (uint32_t i = 0; i < write.beats * Beat; ++i)
        if (write.strobes[i / Beat][i % Beat / 8] >> i % 8 & 1)
          expected[write.address - isa::MemoryBase + i] = write.data[i / Beat][i % Beat];
      writes.push_back(write);
      write = randomAccess(true);
    }
    bench.tick();
  }
  EXPECT_EQ(port.complaint, "");
  EXPECT_TRUE(reads.empty());
  EXPECT_GT(granted, 20u);
  EXPECT_EQ(answered, granted);
  for (uint32_t i = 0; i < MemoryBytes; ++i)
    ASSERT_EQ(memory.at(place(i, shift)), expected[i]) << i;
}
INSTANTIATE_TEST_SUITE_P(Seeds, MemoryPortTest, testing::Range(0u, 12u));

} // namespace
} // namespace acis::rtl
