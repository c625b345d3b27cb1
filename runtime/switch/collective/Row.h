// A row of an engine's communicator table (000 3.3.1): the size of the group in engines, the own
// place in it, and the global numbers of the log2(size) engines that this one exchanges with. The
// host makes it when the communicator is made; nothing in it changes until that is freed.
//
// The same partners serve all algorithms but rings, whose neighbours are those of the network: the
// largest power of two of the engines forms a cube, and each of the first engines beyond that is
// folded into the next one. With a root the cube is numbered anew from it, by exclusive or.
#pragma once

#include "runtime/switch/wire/Control.h"

#include <array>
#include <optional>
#include <vector>

namespace acis::collective {

/// The engines of the group, by their place in it, that the one at `index` exchanges with; at most
/// Group::MaxPartners for 65,536 engines.
std::vector<uint32_t> partnersOf(uint32_t index, uint32_t size);

struct Row {
  uint16_t last = 0, index = 0; ///< places in the group: the highest, the own
  std::array<uint16_t, wire::Group::MaxPartners> partners{}; ///< as of partnersOf()

  uint32_t size() const { return uint32_t(last) + 1; }
  /// The number of the engine at a place; no value: it is no partner.
  std::optional<uint16_t> numberOf(uint32_t place) const;

  /// Of a Join whose second level is this engine's. No value: it is not of a group of engines, or
  /// says what does not fit together.
  static std::optional<Row> of(const wire::Join &join);
};

/// First position of the members at a place of the group; of its size: all members.
uint32_t firstPosition(const std::vector<wire::Group::Run> &runs, uint32_t place);

} // namespace acis::collective
