// Random overlays and random well-formed problems for them.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mapper/Random.h"

namespace acis::map::fuzz {

/// 1x1 to 5x5 PEs of any topology, units, latencies, registers and delay lines.
Overlay randomOverlay(Random &random);

/// With `runs`, one beat comes in and one goes out in an iteration, nothing else leaves
/// or enters a PE, and every value has a part in what goes out: see Execute.h.
Problem randomProblem(const Overlay &overlay, Random &random, unsigned mostNodes, bool runs);

/// Takes from PEs what units and register files can do, lets nodes ask for it, and makes units
/// slower that lanes can share; half of the times. PE 0 can do everything.
void makeExtrasScarce(Overlay &overlay, Problem &problem, Random &random);

} // namespace acis::map::fuzz
