// One handler with its engine and its state: packets in, answers out. Knows no sockets and no
// switch, so that a switch or a worker thread can own it.
#pragma once

#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/engine/device/Device.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace acis::sw {

/// What a port runs.
struct HandlerLoad {
  std::vector<uint8_t> elf; ///< verified before it is used
  std::string handler;      ///< "" if the binary has one
  bool exact = false;       ///< engine `model`, which counts cycles, instead of `fast`
  uint64_t memoryBytes = 1 << 20;
  std::vector<uint8_t> memory; ///< first bytes of the off-chip memory, copied
};

struct HandlerCounters {
  uint64_t received = 0, bytesReceived = 0, processed = 0, sent = 0, bytesSent = 0;
  // Dropped, by cause.
  uint64_t trapped = 0, tooLong = 0;
  uint64_t replaced = 0; ///< how often another binary took over
  uint64_t cycles = 0;   ///< of the exact engine

  HandlerCounters &operator+=(const HandlerCounters &other);
};

/// One datagram is one packet and one invocation. A handler that traps loses the packet and
/// its state: it starts again as after loading. Every invocation has a bound on its steps.
class HandlerPort {
public:
  /// Ready to run. Fails with the loader's reason.
  static Result<std::unique_ptr<HandlerPort>> make(const Overlay &overlay, HandlerLoad what);
  /// One more of the same binary, as after loading, with an engine of its own.
  Result<std::unique_ptr<HandlerPort>> another() const;

  enum class Outcome : uint8_t {
    Answered,
    Silent,  ///< the handler sent nothing
    Trapped, ///< lastTrap() says why
    TooLong, ///< the answer is more than a datagram holds
  };
  /// `answer` is written if there is one. `cycles`: what the packet took; 0 on engine `fast`.
  Outcome process(std::span<const uint8_t> packet, std::vector<uint8_t> &answer, uint64_t &cycles);

  /// Why a packet with this outcome, the last one, goes no further; "" if it is answered.
  std::string_view dropReason(Outcome outcome) const;

  const std::string &name() const { return handler; }
  bool isExact() const { return exact; }
  /// Why a packet may see what an earlier one has left, or "" (loader/StateUse.h).
  const std::string &whyKeepsState() const { return stateReason; }
  const HandlerCounters &counters() const { return count; }
  /// "handler.c:12: what", or "".
  const std::string &lastTrap() const { return trapText; }

private:
  HandlerPort() = default;
  Status start(const Overlay &overlay);
  Status restart();

  std::shared_ptr<const Image> image;
  std::string handler, stateReason;
  bool exact = false;
  std::unique_ptr<Device> device;
  std::shared_ptr<const std::vector<uint8_t>> memory; ///< what it holds after loading
  uint64_t memoryBytes = 0;
  HandlerCounters count;
  uint64_t cyclesBefore = 0;
  std::string trapText;
};

} // namespace acis::sw
