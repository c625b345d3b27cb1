// A graph as a zone of SimGrid: every host and every switch is a host there, so that actors can
// stand on both; routes come from Routing.
#pragma once

#include "runtime/sim/platform/Platform.h"
#include "runtime/sim/platform/Routing.h"

#include <simgrid/s4u.hpp>

#include <vector>

namespace acis::cluster {

/// What was made of a graph. SimGrid owns it, until the engine ends.
struct BuiltGraph {
  std::vector<simgrid::s4u::Host *> hosts; ///< by node
  std::vector<simgrid::s4u::Link *> links; ///< by Routing::Hop
};

/// Makes the only zone of the engine. `platform` outlives the engine. Throws what SimGrid throws.
BuiltGraph buildGraph(const Platform &platform);

} // namespace acis::cluster
