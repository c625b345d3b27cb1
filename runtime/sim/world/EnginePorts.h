// The hardware of a simulated engine (runtime/sim/engine) between the simulated network and the
// engine's code: what a datagram needs of it, and when it has gone through.
#pragma once

#include "runtime/sim/engine/EngineModel.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <span>
#include <unordered_map>

namespace acis::cluster {

/// What a datagram needs of the engine of a number: those between other engines pass by.
EngineModel::Use useOf(std::span<const uint8_t> datagram, uint16_t number);

class EnginePorts {
public:
  struct Link {
    double bandwidth = 0;      ///< bytes per second
    uint32_t framingBytes = 0; ///< of a datagram, which go through the engine with it
  };

  EnginePorts(const EngineDescription &description, uint64_t bufferBytes, const Link &link,
              uint16_t number, const wire::Address &host);

  /// Of a datagram whose last byte is at the port now.
  struct Passage {
    wire::Time begin = 0, end = 0; ///< it is at the port
    /// What it becomes goes on: early enough that its last byte has the link at once where that is
    /// faster than the engine.
    wire::Time ready = 0;
  };
  Passage take(const wire::Address &from, std::span<const uint8_t> datagram, wire::Time now);
  /// When a datagram that is sent now leaves.
  wire::Time leave(const wire::Address &to, size_t bytes, wire::Time now);

  const EngineCounters &counters() const { return model.counters(); }

private:
  uint32_t portOf(const wire::Address &address);
  uint64_t cycleOf(wire::Time time) const;
  wire::Time timeOf(uint64_t cycle) const;
  wire::Time onLink(size_t bytes) const;

  EngineModel model;
  const Link link;
  const uint16_t number;
  const double cycle; ///< ns
  std::unordered_map<wire::Address, uint32_t, wire::AddressHash> ports;
  std::vector<wire::Time> lastReady; ///< by port: datagrams of one stay in order
};

} // namespace acis::cluster
