// What a handler reaches on the machines of a sweep, and what each takes of a device
// (acisc --explore): one compilation, one certificate and one estimate for each.
#pragma once

#include "backend/overlay/Cost.h"
#include "backend/overlay/Variants.h"
#include "compiler/driver/Options.h"

#include <functional>
#include <string>
#include <vector>

namespace acis::driver {

/// One machine.
struct Explored {
  std::vector<std::pair<std::string, std::string>> fields; ///< what was swept, and its value
  Cells cells{};
  unsigned pes = 0;
  double period = 0;   ///< cycles from packet to packet, of the slowest handler
  double gigabits = 0; ///< of payload in a second, at the description's clock
  bool fits = false;   ///< the estimate, into the device
  bool isBest = false; ///< nothing with so few LUTs or fewer is faster
  std::string whyNot;  ///< no rate: no such machine, not mapped, or no certificate

  /// "lanes 4, cols 2"
  std::string name() const;
};

struct Exploration {
  std::string input, overlay, note;
  Fpga device;
  unsigned payloadBytes = 0;
  std::vector<Explored> machines; ///< in the order of the sweep

  std::string text() const; ///< a table, with the Pareto front marked
  std::string json() const;
  std::string svg() const; ///< LUTs and rate of each, and the front
};

/// `progress` hears how many of how many are done. Fails if no overlay, device or source can be
/// had; a machine on which the handler does not run is in the result, with the reason.
Result<Exploration> explore(const Options &options,
                            const std::function<void(size_t, size_t)> &progress);

} // namespace acis::driver
