// The cycle-exact engine with its options. docs/timing.md says what takes how long.
#pragma once

#include "runtime/engine/device/Interrupt.h"
#include "runtime/engine/device/Stepped.h"
#include "runtime/engine/model/TraceLog.h"

#include <memory>

namespace acis {

struct ModelOptions {
  /// Record events, see SteppedDevice::events().
  bool trace = false;
  /// Lets every interlocked read wait as if an earlier iteration wrote its beat: no data
  /// takes longer. Results stay right.
  bool worstCase = false;
  Interrupt interrupt = {};
};

using ModelDevice = SteppedDevice;

std::unique_ptr<ModelDevice> makeModelDevice(const Overlay &overlay, const ModelOptions &options);

} // namespace acis
