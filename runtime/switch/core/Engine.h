// The overlay of a switch as collectives use it: for the operators and the ops of jobs, one after
// the other in the order in which they come.
//
// On metal a run takes what it takes, and time has passed when it returns. Where time is simulated
// the engine counts cycles: a run returns at once, and what it gives is there when the engine has
// done it and everything before it. Who uses a result asks end() before and after.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/switch/wire/Clock.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace acis::sw {

/// When the engine has done what it was given.
class EngineClock {
public:
  explicit EngineClock(std::function<void(wire::Time begin, wire::Time end)> runs = {})
      : runs(std::move(runs)) {}

  /// One more run comes now and takes so long; 0: it has been done.
  void add(wire::Time takes, wire::Time now) {
    if (takes == 0)
      return;
    const wire::Time begin = std::max(last, now);
    last = begin + takes;
    if (runs)
      runs(begin, last);
  }
  wire::Time end() const { return last; }

private:
  std::function<void(wire::Time begin, wire::Time end)> runs;
  wire::Time last = 0;
};

/// Which overlay, and how its time is known.
struct EngineChoice {
  const Overlay *overlay = nullptr; ///< none: nothing can be loaded; outlives the plugin
  bool countsCycles = false;        ///< engine `model`, at the overlay's clock; else `fast`
  /// Shared with who else uses the overlay; nullptr: nobody does.
  std::shared_ptr<EngineClock> clock = {};

  std::unique_ptr<Device> make() const {
    return countsCycles ? makeModelDevice(*overlay) : makeFastDevice(*overlay);
  }
  /// What the device has run in all since it was loaded.
  wire::Time timeOf(const Device &device) const { return timeOf(device.counters().cycles); }
  wire::Time timeOf(uint64_t cycles) const {
    return wire::Time(double(cycles) * 1e3 / overlay->clockMhz);
  }
};

} // namespace acis::sw
