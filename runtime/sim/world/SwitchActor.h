// A switch of the cluster: the switch without sockets, with simulated ports and a cycle model of
// what takes packets in.
#pragma once

#include "runtime/sim/world/EnginePorts.h"
#include "runtime/sim/world/SwitchHandlers.h"
#include "runtime/sim/world/World.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Control.h"
#include "runtime/switch/core/Switch.h"

#include <map>
#include <queue>
#include <unordered_map>

namespace acis::cluster {

class SwitchActor final : public sw::Output, sw::Tap {
public:
  SwitchActor(World &world, uint32_t number);

  /// The actor's code: until the simulation ends.
  void run();
  /// Of a host; takes no time.
  nlohmann::json command(const nlohmann::json &command, std::vector<uint8_t> content) {
    return handlers->command(command, std::move(content));
  }
  const sw::Switch &core() const { return *device; }
  /// Of an engine's hardware; nullptr: this is none.
  const EngineCounters *hardware() const { return ports ? &ports->counters() : nullptr; }

private:
  void send(unsigned port, const wire::Address &to, std::span<const uint8_t> bytes) override;
  void arrived(const sw::Ingress &, wire::Time) override {}
  void verdict(const sw::Services::Verdict &verdict) override;
  void sent(unsigned, const wire::Address &, std::span<const uint8_t>, wire::Time) override {}
  wire::Time release();
  wire::Time through(const Datagram &datagram);
  std::shared_ptr<sw::EngineClock> clockOf() const;
  std::string group() const;
  void draw(Timeline &timeline, const Datagram &datagram, wire::Time begin, wire::Time end) const;
  void arrived(std::unique_ptr<Datagram> datagram);
  void handleReady();

  /// A datagram inside the switch.
  struct Entering {
    wire::Time ready = 0;
    uint64_t sequence = 0; ///< of arrival
    std::shared_ptr<Datagram> datagram;
    bool operator>(const Entering &other) const {
      return std::pair(ready, sequence) > std::pair(other.ready, other.sequence);
    }
  };

  /// What a handler has answered, or waits for an engine's port.
  struct Leaving {
    wire::Address to;
    std::vector<uint8_t> bytes;
  };

  World &world;
  const uint32_t number;
  const wire::Address self;
  simgrid::s4u::Mailbox *box;
  wire::Faults<wire::Address> faults;
  sw::EngineChoice engine;
  std::unique_ptr<sw::Switch> device;
  std::unique_ptr<SwitchHandlers> handlers;
  std::unique_ptr<EnginePorts> ports; ///< of an engine
  std::multimap<wire::Time, Leaving> leaving;
  std::priority_queue<Entering, std::vector<Entering>, std::greater<>> entering;
  std::unordered_map<wire::Address, wire::Time, wire::AddressHash> portFree;
  wire::Time switchFree = 0;
  uint64_t arrivals = 0;
};

} // namespace acis::cluster
