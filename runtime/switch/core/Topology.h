// The topology file: which switches there are, what is above each, which hosts are on
// which leaf; or which engines, in which direct network. docs/switch.md and docs/engines.md
// describe it; switches, launchers and hosts read the same.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/direct/Network.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acis::sw {

struct Topology {
  struct Switch {
    std::string name;
    std::string address;           ///< "host:port"
    std::vector<uint16_t> parents; ///< switches above; job j uses number j % size
    uint32_t ports = 0;            ///< most children, 0: as many as acisd allows
  };
  struct Host {
    std::string name;
    uint16_t leaf = 0;
  };

  std::vector<Switch> switches; ///< a switch's number is its place here
  std::vector<Host> hosts;
  /// The switches are engines of a direct network, and a switch's number is its place in that; no
  /// value: they are trees.
  std::optional<direct::Fabric> fabric;

  /// Parses and checks: names and addresses are unique, there are as many engines as the network
  /// has places, parents exist, every switch is at one height,
  /// hosts are on switches that no other switch is below. Errors name the JSON path.
  static Result<Topology> read(std::string_view json);

  Result<uint16_t> switchNamed(std::string_view name) const;
  Result<uint16_t> leafOf(std::string_view host) const;
  /// SessionOptions::parentOfSwitch of a job, at a turn.
  std::vector<uint16_t> parentsFor(uint32_t job, uint32_t turn = 0) const;
  /// How many turns differ.
  uint32_t turns() const;
  /// The direct network as engine `number` knows it. Requires `fabric`; fails where an address is
  /// not known to this machine.
  Result<direct::Network> networkOf(uint16_t number) const;
};

} // namespace acis::sw
