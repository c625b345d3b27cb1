// A communicator's tree of switches, as each of its hosts derives it from the placement
// of the ranks: nothing about it is exchanged.
//
// The tree is the part of the job's switches that lies between the members and their
// lowest common switch. Members are numbered by position: a depth-first walk, children of
// a switch in the order of their least rank. Where the placement is in blocks, positions
// are ranks.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Control.h"

#include <cstdint>
#include <span>
#include <vector>

namespace acis::collective {

/// Where ranks are and what is above each switch; see SessionOptions.
/// In the place of a switch above: the leaves are engines of a direct network, which exchange with
/// each other.
inline constexpr uint16_t DirectNetwork = 0xfffe;

struct Placement {
  std::vector<uint16_t> leafOfRank, parentOfSwitch;
};

struct Tree {
  std::vector<uint32_t> rankAt;     ///< position -> rank
  std::vector<uint32_t> positionOf; ///< rank -> position
  bool rankOrder = true;            ///< position is rank
  wire::Join join; ///< what `me` tells its switch; of a direct network with Join::engines
};

/// For rank `me` of the communicator with these world ranks. Fails when a rank has no
/// leaf, two leaves have no common switch, or a switch has both hosts and switches below.
Result<Tree> makeTree(std::span<const uint32_t> worldRanks, uint32_t me,
                      const Placement &placement);

} // namespace acis::collective
