// What a collective moves when hosts do it: messages and bytes that one member sends and receives.
#pragma once

#include "runtime/host/algorithms/Algorithm.h"

#include <optional>

namespace acis::algorithms {

/// Of one member, in one direction or both.
struct Volume {
  uint64_t messages = 0, bytes = 0;

  Volume &operator+=(const Volume &other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
};

/// A collective as Collective in runtime/host/client/Session.h has it; `unit` is an element's
/// bytes.
struct Shape {
  Kind kind = Kind::Barrier;
  uint64_t count = 0, unit = 1;
  uint32_t root = 0;
};

/// What the member at `position` sends and receives by the way that hostAlgorithm() chooses; no
/// value for kinds that hosts have no way for.
std::optional<Volume> volumeAmongHosts(const Shape &shape, const Group &group, uint32_t position);

} // namespace acis::algorithms
