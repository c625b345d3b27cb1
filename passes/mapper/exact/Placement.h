// What every mapping at an II has to fulfil, whatever its length: a "no" is a proof.
//
// In the formula: one unit or port for every node and slot; the times of nodes on a cycle,
// which cannot drift apart, with one cycle for every link between their PEs; and for each
// value that is used away from its producer a link into every PE where it is used or
// passes. Left out: times of all other nodes, how links follow on each other in time,
// registers, operand inputs.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mapper/exact/Cnf.h"

namespace acis::map::exact {

/// No: no mapping has this II. Yes: nothing is said. `ii` is at least the RecMII. `isOutside`: by
/// PE, if given, those where any value may be at any time.
Answer mayBePlaced(const Problem &problem, const Overlay &overlay, unsigned ii, Deadline deadline,
                   const std::vector<bool> &isOutside = {});

} // namespace acis::map::exact
