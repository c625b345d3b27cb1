// Writes recorded events as Chrome/Perfetto JSON (chrome://tracing, ui.perfetto.dev).
#pragma once

#include "runtime/model/Model.h"

#include <string>

namespace acis::model {

/// A JSON object with one track per kind of unit (scalar unit, launch queue, grid,
/// stalls, vector loads and stores, streams). Times are in microseconds of the
/// overlay's clock; `args` hold cycles, PC, source line and numbers.
std::string traceJson(const ModelDevice &device);

std::string_view name(EventKind kind);
std::string_view name(Stall stall);

} // namespace acis::model
