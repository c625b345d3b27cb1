// Packet handlers on the wire (type 2): datagrams on a port are packets of the handler that
// is loaded there; what it sends goes back to where the packet came from.
#pragma once

#include "runtime/switch/HandlerPort.h"
#include "runtime/switch/Plugin.h"

#include <map>
#include <memory>

namespace acis::sw {

class Handlers final : public Plugin {
public:
  Handlers(Services &services, const Overlay &overlay);

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
  void datagrams(std::span<const Ingress> batch) override;
  void statistics(Statistics &out) const override;
  /// The statistics' names for the sum over handlers.
  static void describe(const HandlerCounters &all, Statistics &out);

private:
  Services &services;
  const Overlay overlay;
  std::map<unsigned, std::unique_ptr<HandlerPort>> table;
  std::vector<uint8_t> answer;
};

} // namespace acis::sw
