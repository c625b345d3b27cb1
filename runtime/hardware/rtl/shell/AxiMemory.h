// Memory behind AXI4 ports as a test bench has it: 64-bit addresses, any content, random
// latencies and gaps, answers in the order of the requests. Complains about what AXI forbids.
#pragma once

#include "runtime/hardware/rtl/shell/Bench.h"

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace acis::rtl {

/// Pages of bytes, zero until written.
class SparseMemory {
public:
  uint8_t &at(uint64_t address) {
    Bytes &page = pages[address >> 12];
    if (page.empty())
      page.resize(4096);
    return page[address & 4095];
  }
  void write(uint64_t address, const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      at(address + i) = static_cast<const uint8_t *>(data)[i];
  }
  Bytes read(uint64_t address, size_t bytes) {
    Bytes data(bytes);
    for (size_t i = 0; i < bytes; ++i)
      data[i] = at(address + i);
    return data;
  }

private:
  std::unordered_map<uint64_t, Bytes> pages;
};

/// What a port shows in a cycle, and what it gets. Wide signals are bytes.
struct AxiSignals {
  bool arvalid = false, awvalid = false, wvalid = false, wlast = false, rready = true,
       bready = true;
  uint64_t araddr = 0, awaddr = 0;
  uint8_t arlen = 0, awlen = 0;
  Bytes wdata, wstrb;

  bool arready = false, awready = false, wready = false, rvalid = false, rlast = false,
       bvalid = false;
  uint8_t rresp = 0, bresp = 0;
  Bytes rdata;
};

/// The memory's side of one port. A cycle: drive() sets what the port gets, then, when the
/// port has settled, take() sees what moved.
class AxiPort {
public:
  AxiPort(SparseMemory &memory, unsigned beatBytes, uint64_t seed, unsigned percent)
      : memory(memory), beatBytes(beatBytes), random(seed), pauses(seed + 1, percent),
        percent(percent) {}

  void drive(AxiSignals &s) {
    s.arready = !pauses.now();
    s.awready = !pauses.now();
    s.wready = !pauses.now();
    if (!offersRead && !reads.empty() && reads.front().due <= now && !pauses.now()) {
      const uint64_t address = reads.front().address;
      offersRead = true;
      s.rdata = memory.read(address, beatBytes);
      s.rresp = badRead && badRead(address) ? 2 : 0;
      s.rlast = reads.front().beats == 1;
    }
    s.rvalid = offersRead;
    if (!offersAnswer && !answers.empty() && answers.front() <= now && !pauses.now())
      offersAnswer = true;
    s.bvalid = offersAnswer;
    s.bresp = badWrites ? 2 : 0;
  }

  void take(const AxiSignals &s) {
    expectStable(s);
    if (s.arvalid && s.arready) {
      expectBurst(s.araddr, s.arlen);
      reads.push_back({s.araddr, s.arlen + 1u, now + latency()});
    }
    if (s.awvalid && s.awready) {
      expectBurst(s.awaddr, s.awlen);
      writes.push_back({s.awaddr, s.awlen + 1u, 0});
    }
    if (s.wvalid && s.wready)
      data.push_back(s);
    while (!writes.empty() && !data.empty())
      storeBeat();
    if (s.rvalid && s.rready) {
      offersRead = false;
      reads.front().address += beatBytes;
      if (--reads.front().beats == 0)
        reads.pop_front();
    }
    if (s.bvalid && s.bready) {
      offersAnswer = false;
      answers.pop_front();
    }
    before = s;
    ++now;
  }

  bool quiet() const { return reads.empty() && writes.empty() && answers.empty() && data.empty(); }

  std::function<bool(uint64_t)> badRead; ///< addresses that answer with an error
  bool badWrites = false;
  std::string complaint; ///< the first thing that AXI forbids

private:
  struct Burst {
    uint64_t address;
    unsigned beats;
    uint64_t due;
  };
  uint64_t latency() { return 1 + (percent ? random() % 30 : 5); }
  void complain(const char *what) {
    if (complaint.empty())
      complaint = what + (" in cycle " + std::to_string(now));
  }
  void expectBurst(uint64_t address, unsigned len) {
    if (address % beatBytes)
      complain("address inside of a beat");
    if (address >> 12 != (address + (len + 1) * uint64_t(beatBytes) - 1) >> 12)
      complain("burst over a 4096-byte boundary");
  }
  void expectStable(const AxiSignals &s) {
    if (before.arvalid && !before.arready &&
        !(s.arvalid && s.araddr == before.araddr && s.arlen == before.arlen))
      complain("read request taken back");
    if (before.awvalid && !before.awready &&
        !(s.awvalid && s.awaddr == before.awaddr && s.awlen == before.awlen))
      complain("write request taken back");
    if (before.wvalid && !before.wready &&
        !(s.wvalid && s.wdata == before.wdata && s.wstrb == before.wstrb &&
          s.wlast == before.wlast))
      complain("write data taken back");
  }
  void storeBeat() {
    Burst &burst = writes.front();
    const AxiSignals &beat = data.front();
    for (unsigned i = 0; i < beatBytes; ++i)
      if (beat.wstrb[i / 8] >> i % 8 & 1)
        memory.at(burst.address + i) = beat.wdata[i];
    if (beat.wlast != (burst.beats == 1))
      complain("wlast in the wrong place");
    burst.address += beatBytes;
    data.pop_front();
    if (--burst.beats == 0) {
      writes.pop_front();
      answers.push_back(now + latency());
    }
  }

  SparseMemory &memory;
  const unsigned beatBytes;
  std::mt19937_64 random;
  Pauses pauses;
  const unsigned percent;
  uint64_t now = 0;
  std::deque<Burst> reads, writes;
  std::deque<AxiSignals> data;
  std::deque<uint64_t> answers;
  bool offersRead = false, offersAnswer = false;
  AxiSignals before;
};

} // namespace acis::rtl
