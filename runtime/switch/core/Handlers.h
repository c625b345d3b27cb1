// Packet handlers on the wire (type 2): datagrams on a port are packets of the handler that
// is loaded there; what it sends goes back to where the packet came from.
#pragma once

#include "runtime/switch/core/HandlerPort.h"
#include "runtime/switch/core/Plugin.h"

#include <map>
#include <memory>

namespace acis::sw {

class Handlers final : public Plugin {
public:
  explicit Handlers(Services &services) : services(services) {}

  /// From the next packet on; what was there before goes. No port: its packets are dropped.
  void place(unsigned number, std::unique_ptr<HandlerPort> port);
  /// nullptr: there is none.
  const HandlerPort *at(unsigned number) const;

  std::string_view name() const override { return "handlers"; }
  void datagrams(std::span<const Ingress> batch) override;

private:
  Services &services;
  std::map<unsigned, std::unique_ptr<HandlerPort>> table;
  std::vector<uint8_t> answer;
};

} // namespace acis::sw
