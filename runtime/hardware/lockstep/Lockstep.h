// Two engines side by side, cycle by cycle: stops at the first difference between them.
#pragma once

#include "runtime/engine/device/Stepped.h"
#include "runtime/engine/loader/Image.h"

#include <cstdint>
#include <string>

namespace acis {

/// How a comparison ended.
struct LockstepResult {
  bool same = true;
  uint64_t cycles = 0; ///< in which both were equal
  /// The difference in one line: cycle, value, both contents. "" if there is none.
  std::string difference;
  /// PC, source line, the launches, both states: several lines. "" if there is no difference.
  std::string report;
};

/// Runs the packets that both devices hold to the end. Both have loaded `handler` of `image` and
/// have the same memory. Compares the state of every cycle as far as both know it, register files
/// as far as they were written and both show that (while an interlock holds the array, one engine
/// may be ahead of the other), and at the end traps, counters, packets and memory. Names are those
/// of the engines in messages.
LockstepResult runLockstep(SteppedDevice &left, SteppedDevice &right, const char *leftName,
                           const char *rightName, const Image &image);

} // namespace acis
