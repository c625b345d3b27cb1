// Packet handlers on the wire (type 2): datagrams on a port are packets of the handler that
// is loaded there; what it sends goes back to where the packet came from.
#pragma once

#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/device/Device.h"
#include "runtime/switch/Plugin.h"

#include <map>
#include <memory>

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
};

/// One datagram is one packet and one invocation. A handler that traps loses the packet and
/// its state: it starts again as after loading. Every invocation has a bound on its steps.
class Handlers final : public Plugin {
public:
  Handlers(Services &services, const Overlay &overlay);
  ~Handlers() override;

  /// Loads or replaces: the new binary is ready before the old one goes, so that no packet
  /// falls between them. Fails with the loader's reason, and what was there goes on.
  Status load(unsigned port, HandlerLoad what);
  /// Fails if the port has none.
  Status unload(unsigned port);

  struct PortStatus {
    unsigned port = 0;
    std::string handler;
    bool exact = false;
    HandlerCounters counters;
    std::string lastTrap; ///< "handler.c:12: what", or ""
  };
  std::vector<PortStatus> ports() const;

  std::string_view name() const override { return "handlers"; }
  void datagram(unsigned port, const wire::Address &from, std::span<const uint8_t> bytes) override;
  void statistics(Statistics &out) const override;

private:
  struct Port;
  void trap(Port &port);

  Services &services;
  const Overlay overlay;
  std::map<unsigned, std::unique_ptr<Port>> table;
  std::vector<uint8_t> answer;
};

} // namespace acis::sw
