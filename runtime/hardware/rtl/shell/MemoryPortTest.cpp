// A memory port against a memory that keeps the rules of AXI: random reads and writes of a core
// arrive at the right places, in one piece and spread over banks; what is asked for while the port
// is stopped is not done, and the port knows when nothing is on its way.
#include "MemoryPort_tiny.h"
#include "backend/isa/Numbers.h"
#include "runtime/hardware/rtl/shell/AxiMemory.h"
#include "runtime/hardware/verilated/Ports.h"

#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

namespace request = isa::signalMemoryRequest;
namespace response = isa::signalMemoryResponse;
namespace asks = isa::signalCardRequest;
namespace answers = isa::signalCardResponse;
constexpr unsigned Beat = 16, Banks = 4, Interleave = 256; // of tiny, and as CMakeLists.txt says
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
    setCard(answers::arready, s.arready);
    setCard(answers::awready, s.awready);
    setCard(answers::wready, s.wready);
    setCard(answers::rvalid, s.rvalid);
    setCard(answers::rlast, s.rlast);
    setCard(answers::rresp, s.rresp);
    setCard(answers::bvalid, s.bvalid);
    setCard(answers::bresp, s.bresp);
    if (s.rvalid)
      std::memcpy(bytesOf(bench.top.card_i), s.rdata.data(), Beat);
  }
  void take() {
    s.arvalid = card(asks::arvalid);
    s.araddr = card(asks::araddr);
    s.arlen = uint8_t(card(asks::arlen));
    s.rready = card(asks::rready);
    s.awvalid = card(asks::awvalid);
    s.awaddr = card(asks::awaddr);
    s.awlen = uint8_t(card(asks::awlen));
    s.wvalid = card(asks::wvalid);
    s.wlast = card(asks::wlast);
    s.bready = card(asks::bready);
    s.wdata = portBytes(bench.top.card_o, Beat);
    const uint8_t *strobes = strobesOf(bench.top.card_o, Beat);
    s.wstrb = Bytes(strobes, strobes + Beat / 8);
    port.take(s);
  }
  void setAddress(const Access &read, const Access &write) {
    setCore(request::araddr, read.address);
    setCore(request::arlen, read.beats - 1);
    setCore(request::awaddr, write.address);
    setCore(request::awlen, write.beats - 1);
  }
  // Signals of both sides: what the port gets, and what it says
  void setCore(isa::Signal signal, uint64_t value) {
    setSignal(bench.top.core_i, signal, value, requestSignals(Beat));
  }
  bool asked(isa::Signal signal) {
    return signalOf(bench.top.core_i, signal, requestSignals(Beat));
  }
  bool core(isa::Signal signal) {
    return signalOf(bench.top.core_o, signal, responseSignals(Beat));
  }
  void setCard(isa::Signal signal, uint64_t value) {
    setSignal(bench.top.card_i, signal, value, responseSignals(Beat));
  }
  uint64_t card(isa::Signal signal) {
    return signalOf(bench.top.card_o, signal, requestSignals(Beat));
  }

  Bench<MemoryPort_tiny> bench;
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
    const bool begins = cycle < 5000;
    const bool reading = cycle % 2000 < 1000 ? granted == answered : !reads.empty();
    const bool stopped = cycle % 100 < 20 && GetParam() % 3 == 0;
    drive();
    setAddress(read, write);
    top.stop_i = stopped;
    setCore(request::arvalid,
            cycle % 2000 < 1000 && reading && begins && reads.size() < 40 && random() % 2);
    setCore(request::awvalid, !reading && begins && writes.size() < 3 && random() % 2);
    setCore(request::wvalid, !writes.empty() && random() % 2);
    if (asked(request::wvalid)) {
      std::memcpy(bytesOf(top.core_i), writes.front().data.front().data(), Beat);
      std::memcpy(strobesOf(top.core_i, Beat), writes.front().strobes.front().data(), Beat / 8);
      setCore(request::wlast, writes.front().data.size() == 1);
    }
    top.eval();
    take();
    EXPECT_FALSE(top.error_o);
    EXPECT_EQ(bool(top.quiet_o), reads.empty() && granted == answered);
    if (stopped) {
      EXPECT_FALSE(core(response::arready));
      EXPECT_FALSE(core(response::awready));
    }
    if (core(response::rvalid)) {
      ASSERT_FALSE(reads.empty());
      EXPECT_EQ(portBytes(top.core_o, Beat), reads.front());
      reads.pop_front();
    }
    answered += core(response::bvalid);
    if (asked(request::arvalid) && core(response::arready)) {
      for (unsigned b = 0; b < read.beats; ++b) {
        const auto from = expected.begin() + (read.address - isa::MemoryBase) + b * Beat;
        reads.emplace_back(from, from + Beat);
      }
      read = randomAccess(false);
    }
    if (asked(request::wvalid) && core(response::wready)) {
      writes.front().data.erase(writes.front().data.begin());
      writes.front().strobes.erase(writes.front().strobes.begin());
      if (writes.front().data.empty())
        writes.pop_front();
    }
    if (asked(request::awvalid) && core(response::awready)) {
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
