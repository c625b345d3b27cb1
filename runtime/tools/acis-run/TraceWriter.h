// The events of an engine with a clock as a trace that Perfetto and Chrome read (JSON array
// format).
#pragma once

#include "runtime/engine/device/Stepped.h"

#include <string>

namespace acis::tools {

/// Times are those of the overlay's clock. Loops and vector loads and stores may overlap
/// and are asynchronous events; every event carries its cycles, PC and source line.
std::string chromeTrace(const SteppedDevice &device);

} // namespace acis::tools
