// What a run on the RTL counts, when it gives up, and what its traps say: from signals that
// the overlay shows in every cycle, in the words of the other engines.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/TraceLog.h"
#include "runtime/engine/scalar/Decoder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

namespace acis::rtl {

/// Operands of a trap, as runtime/hardware/rtl/top/acis_core.sv gives them.
struct TrapSignals {
  // Grid
  uint8_t pe = 0, context = 0;
  uint16_t slot = 0;
  bool memory = false, vectorOp = false;
  uint64_t value = 0;
  uint16_t base = 0, limit = 0;
  uint32_t pc = 0;
  // Scalar unit
  uint8_t code = 0;
  uint64_t scalarValue = 0, other = 0;
  uint32_t a = 0, vl = 0;
  uint8_t vtype = 0;
  uint32_t vpemask = 0, vpestride = 0;
};

/// One cycle.
struct Sample {
  Stall cause = Stall::Launch;
  bool progress = false; ///< no stall
  uint32_t iterations = 0;
  bool retires = false, begins = false, running = false, ends = false, owns = false;
  uint8_t waiting = 0; ///< 0 nothing, 1 a packet, 2 the input stream, 3 something else
  bool packet = false, launches = false, sequencerIdle = false;
  uint8_t launchContext = 0;
  uint32_t tiles = 0, word = 0, pc = 0, nextPc = 0;
  bool launchesVector = false;
  unsigned taken = 0, pushed = 0, fullBeats = 0, partialBeats = 0;
  uint32_t waitingPc = 0;
  bool gridTrap = false, scalarTrap = false;
  TrapSignals trap;
};

class Account {
public:
  void reset(std::shared_ptr<const Image> newImage, const Handler *newHandler);
  void start(uint64_t now) { lastProgress = now; }
  /// A packet, with the bytes of its payload.
  void push(uint64_t bytes) {
    ++packetsPushed;
    bytesPushed += bytes;
    payloads.push_back(bytes);
  }
  /// Before the clock edge: whether the run ends in this cycle.
  bool trapped(const Sample &s, uint64_t now, uint64_t memoryBytes, const Overlay &overlay);
  /// After it.
  void add(const Sample &s, uint64_t now, bool outBusy);
  void watch(const Sample &s, uint64_t now, bool exhausted);
  void countInstructions();

  Counters count;
  model::TraceLog log;
  uint64_t deadline = uint64_t(1) << 32;
  std::optional<Trap> failure;

private:
  void fail(std::string what, uint32_t pc, uint64_t now, std::string line = "");
  void failGrid(const Sample &s, uint64_t memoryBytes, uint64_t now);
  void record(const Sample &s, uint64_t now);

  std::shared_ptr<const Image> image;
  const Handler *handler = nullptr;
  std::vector<scalar::Decoded> code;
  std::array<uint64_t, scalar::NumOpcodes> retired{};
  /// Payload of all packets, of those that an invocation owns, of those of earlier invocations.
  uint64_t bytesPushed = 0, bytesOwned = 0, bytesBefore = 0;
  std::deque<uint64_t> payloads; ///< bytes of those that none owns
  uint64_t sparseLaunches = 0, packetsPushed = 0, packetsOwned = 0, lastProgress = 0, lastBeats = 0;
  bool inInvocation = false;
  uint64_t invocationStart = 0, invocationInstructions = 0;
  uint8_t waiting = 0;
  unsigned starved = 0;
  std::optional<Trap> scalarTrap;
};

} // namespace acis::rtl
