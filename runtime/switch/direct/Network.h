// A direct network as one of its engines knows it: its shape, and where all of them are.
#pragma once

#include "runtime/switch/direct/Fabric.h"
#include "runtime/switch/wire/Address.h"

#include <optional>

namespace acis::direct {

struct Network {
  struct Engine {
    std::string name;
    wire::Address address;
    std::string text = {}; ///< of the address in the topology file; "": none is read
  };
  Fabric fabric;
  std::vector<Engine> engines; ///< by number
  uint16_t number = 0;         ///< of this one

  /// The same on all engines that have one topology file.
  uint32_t fingerprint() const;
  /// The engine that has an address.
  std::optional<uint16_t> at(const wire::Address &address) const;
  /// "engine 3 (node3, 10.0.0.4:9000)".
  std::string nameOf(uint32_t engine) const;
  /// " by way of engine 1 (...)", or "" to a neighbour: for messages of what does not come.
  std::string wayTo(uint32_t engine) const;
};

} // namespace acis::direct
