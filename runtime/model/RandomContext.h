// Random contexts for comparing the engines: elements are added one by one with
// random places, sources and delays, and what the loader refuses is taken back.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"

#include <random>

namespace acis::model {

struct RandomOptions {
  unsigned maxIi = 4;
  unsigned elements = 24; ///< attempts
  bool indexed = true;    ///< register-file accesses with an index
  bool scalar = true;     ///< also loops of one element per iteration
};

/// A context that traceContext() accepts. Arguments: 0 stream in, 1 stream out, 2 and
/// 3 memory in and out, 4 and 5 numbers.
isa::LoopContext randomContext(const Overlay &overlay, std::mt19937 &random,
                               const RandomOptions &options);

} // namespace acis::model
