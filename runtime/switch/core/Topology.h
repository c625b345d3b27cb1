// The topology file: which switches there are, what is above each, which hosts are on
// which leaf. docs/switch.md describes it; switches, launchers and hosts read the same.
#pragma once

#include "backend/support/Result.h"

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

  /// Parses and checks: names are unique, parents exist, every switch is at one height,
  /// hosts are on switches that no other switch is below. Errors name the JSON path.
  static Result<Topology> read(std::string_view json);

  Result<uint16_t> switchNamed(std::string_view name) const;
  Result<uint16_t> leafOf(std::string_view host) const;
  /// SessionOptions::parentOfSwitch of a job, at a turn.
  std::vector<uint16_t> parentsFor(uint32_t job, uint32_t turn = 0) const;
  /// How many turns differ.
  uint32_t turns() const;
};

} // namespace acis::sw
