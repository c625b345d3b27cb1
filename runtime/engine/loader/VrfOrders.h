// Which accesses of a register file see each other. Private to the loader.
#pragma once

#include "runtime/engine/loader/Trace.h"

namespace acis {

/// The address generator of a VrfRead or VrfWrite.
const isa::VrfAddress &addressOf(const isa::LoopContext &context, const GraphNode &node);

/// Fills graph.orders and graph.sparseAccumulation; checks interlocks and the masks.
Status orderVrfAccesses(const isa::LoopContext &context, const Overlay &overlay,
                        ContextGraph &graph);

} // namespace acis
