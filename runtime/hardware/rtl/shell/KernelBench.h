// The packaged kernel of overlay `tiny` with everything around it: a host at its registers, a
// network, and memory behind its ports.
#pragma once

#include "Kernel_tiny.h"
#include "backend/isa/Shell.h"
#include "backend/isa/Signals.h"
#include "runtime/hardware/rtl/shell/AxiMemory.h"
#include "runtime/hardware/rtl/shell/Frame.h"

#include <array>
#include <deque>

namespace acis::rtl {

using namespace isa; // the registers

enum KernelMode : uint32_t {
  Handle = 1u << isa::signalMode::handle.at,
  Forward = 1u << isa::signalMode::forward.at,
  Swap = 1u << isa::signalMode::swap.at,
  Keep = 1u << isa::signalMode::keep.at
};
enum KernelControl : uint32_t { Start = 1, Done = 2, Idle = 4, Ready = 8, Continue = 16 };

class KernelBench {
public:
  static constexpr unsigned BeatBytes = 16, Ports = 3, HeaderBytes = 42;

  /// Pauses in `percent` of the cycles on streams and memory.
  explicit KernelBench(uint64_t seed, unsigned percent = 0)
      : context(std::make_unique<VerilatedContext>()), top(context.get()), random(seed),
        gap(seed + 10, percent), stall(seed + 11, percent) {
    for (unsigned p = 0; p < Ports; ++p)
      ports.emplace_back(memory, BeatBytes, seed + 20 + p, percent);
    top.ap_rst_n = 0;
    for (unsigned i = 0; i < 10; ++i)
      edge();
    top.ap_rst_n = 1;
    for (unsigned i = 0; i < 10; ++i)
      edge();
  }

  void step() {
    driveIn();
    for (unsigned p = 0; p < Ports; ++p)
      ports[p].drive(axi[p]);
    setAxi();
    top.stream_out_tready = !stall.now();
    top.eval();
    ramEdges();
    getAxi();
    for (unsigned p = 0; p < Ports; ++p)
      ports[p].take(axi[p]);
    takeOut();
    const bool moved = top.stream_in_tvalid && top.stream_in_tready;
    edge();
    if (moved)
      advanceIn();
    ++now;
  }

  void write(uint16_t address, uint32_t data) {
    bool addressLeft = true, dataLeft = true, answered = false;
    for (unsigned cycle = 0; !answered && cycle < 1000; ++cycle) {
      top.s_axi_control_awvalid = addressLeft;
      top.s_axi_control_awaddr = address;
      top.s_axi_control_wvalid = dataLeft;
      top.s_axi_control_wdata = data;
      top.s_axi_control_wstrb = 15;
      top.s_axi_control_bready = 1;
      top.eval();
      addressLeft &= !top.s_axi_control_awready;
      dataLeft &= !top.s_axi_control_wready;
      answered = top.s_axi_control_bvalid;
      step();
    }
    top.s_axi_control_awvalid = top.s_axi_control_wvalid = top.s_axi_control_bready = 0;
  }
  uint32_t read(uint16_t address) {
    top.s_axi_control_arvalid = 1;
    top.s_axi_control_araddr = address;
    top.s_axi_control_rready = 1;
    step();
    top.s_axi_control_arvalid = 0;
    top.eval();
    for (unsigned cycle = 0; !top.s_axi_control_rvalid && cycle < 1000; ++cycle)
      step();
    const uint32_t data = top.s_axi_control_rdata;
    step();
    top.s_axi_control_rready = 0;
    return data;
  }
  void writeBase(unsigned k, uint64_t address) {
    write(uint16_t(RegBase + 12 * k), uint32_t(address));
    write(uint16_t(RegBase + 12 * k + 4), uint32_t(address >> 32));
  }
  bool interrupt() const { return top.__SYM__interrupt; }
  /// Until the interrupt; false after `most` cycles.
  bool waitForInterrupt(uint64_t most = 400000) {
    for (const uint64_t end = now + most; !top.__SYM__interrupt && now < end;)
      step();
    return top.__SYM__interrupt;
  }
  void steps(uint64_t count) {
    while (count--)
      step();
  }
  /// What AXI forbids and a port did.
  std::string complaint() const {
    for (const AxiPort &port : ports)
      if (!port.complaint.empty())
        return port.complaint;
    return "";
  }
  bool memoryQuiet() const {
    for (const AxiPort &port : ports)
      if (!port.quiet())
        return false;
    return true;
  }

  std::unique_ptr<VerilatedContext> context;
  Kernel_tiny top;
  SparseMemory memory;
  std::vector<AxiPort> ports;
  std::deque<Bytes> in, out; ///< frames to send, frames that came
  uint64_t now = 0;

private:
  /// The edges of the register files' clock between two of ap_clk.
  void ramEdges() {
    for (unsigned i = 1; i < 4; ++i) {
      top.ap_clk_2 = 0;
      top.eval();
      top.ap_clk_2 = 1;
      top.eval();
    }
  }
  void edge() {
    top.ap_clk = top.ap_clk_2 = 0;
    top.eval();
    top.ap_clk = top.ap_clk_2 = 1;
    top.eval();
  }
  void driveIn() {
    if (in.empty() || (!top.stream_in_tvalid && gap.now())) {
      top.stream_in_tvalid = 0;
      return;
    }
    top.stream_in_tvalid = 1;
    const Bytes &frame = in.front();
    const size_t count = std::min<size_t>(BeatBytes, frame.size() - at);
    setPort(top.stream_in_tdata, frame.data() + at, count);
    setKeep(top.stream_in_tkeep, count);
    top.stream_in_tlast = at + count == frame.size();
  }
  void advanceIn() {
    at += BeatBytes;
    if (top.stream_in_tlast) {
      in.pop_front();
      at = 0;
    }
    top.stream_in_tvalid = 0;
  }
  void takeOut() {
    if (!top.stream_out_tvalid || !top.stream_out_tready)
      return;
    const Bytes beat = portBytes(top.stream_out_tdata, keptBytes(top.stream_out_tkeep, BeatBytes));
    frame.insert(frame.end(), beat.begin(), beat.end());
    if (top.stream_out_tlast)
      out.push_back(std::exchange(frame, {}));
  }

// A port's signals have names of their own.
#define ACIS_EACH_PORT(X) X(0, 00) X(1, 01) X(2, 02)
  void setAxi() {
#define ACIS_SET(p, n)                                                                             \
  top.m##n##_axi_arready = axi[p].arready;                                                         \
  top.m##n##_axi_awready = axi[p].awready;                                                         \
  top.m##n##_axi_wready = axi[p].wready;                                                           \
  top.m##n##_axi_rvalid = axi[p].rvalid;                                                           \
  top.m##n##_axi_rlast = axi[p].rlast;                                                             \
  top.m##n##_axi_rresp = axi[p].rresp;                                                             \
  top.m##n##_axi_bvalid = axi[p].bvalid;                                                           \
  top.m##n##_axi_bresp = axi[p].bresp;                                                             \
  if (axi[p].rvalid)                                                                               \
    setPort(top.m##n##_axi_rdata, axi[p].rdata.data(), BeatBytes);
    ACIS_EACH_PORT(ACIS_SET)
#undef ACIS_SET
  }
  void getAxi() {
#define ACIS_GET(p, n)                                                                             \
  axi[p].arvalid = top.m##n##_axi_arvalid;                                                         \
  axi[p].araddr = top.m##n##_axi_araddr;                                                           \
  axi[p].arlen = top.m##n##_axi_arlen;                                                             \
  axi[p].awvalid = top.m##n##_axi_awvalid;                                                         \
  axi[p].awaddr = top.m##n##_axi_awaddr;                                                           \
  axi[p].awlen = top.m##n##_axi_awlen;                                                             \
  axi[p].wvalid = top.m##n##_axi_wvalid;                                                           \
  axi[p].wlast = top.m##n##_axi_wlast;                                                             \
  axi[p].rready = top.m##n##_axi_rready;                                                           \
  axi[p].bready = top.m##n##_axi_bready;                                                           \
  axi[p].wdata = portBytes(top.m##n##_axi_wdata, BeatBytes);                                       \
  axi[p].wstrb = portBytes(top.m##n##_axi_wstrb, BeatBytes / 8);
    ACIS_EACH_PORT(ACIS_GET)
#undef ACIS_GET
  }
#undef ACIS_EACH_PORT

  std::mt19937_64 random;
  Pauses gap, stall;
  std::array<AxiSignals, Ports> axi;
  Bytes frame;
  size_t at = 0;
};

} // namespace acis::rtl
