// What a run did, for people and for programs.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Device.h"

#include <string>
#include <string_view>

namespace acis::tools {

struct RunReport {
  std::string_view engine, handler;
  const Overlay *overlay = nullptr;
  Counters counters;
  double hostSeconds = 0; ///< wall time of Device::run()
};

/// One line per number, for a terminal. Cycles and rates only where cycles were counted.
std::string textReport(const RunReport &report);
/// The same as a JSON object.
std::string jsonReport(const RunReport &report);

} // namespace acis::tools
