// Reads the topology of a platform file.
#pragma once

#include "runtime/sim/engine/JsonFields.h"
#include "runtime/sim/platform/Graph.h"

namespace acis::cluster {

/// The graph that "topology" says. Whether its hosts reach each other is not checked.
Result<Graph> readTopology(const Json &file);

} // namespace acis::cluster
