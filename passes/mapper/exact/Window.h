// The nodes of one cycle of values alone, on so much of a grid as they can reach.
//
// With few cycles to spare they are all close to one of them, wherever that one is. So the first
// one is put into the middle of a window of an unbounded grid whose PEs have the equipment of all
// PEs together: what has no place there has none on any grid of this kind, and the window is as
// small for 256 PEs as for 16.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mapper/exact/Cnf.h"

namespace acis::map::exact {

/// No: no mapping has this II. Yes: nothing is said. `ii` is at least the RecMII.
Answer mayCyclesBePlaced(const Problem &problem, const Overlay &overlay, unsigned ii,
                         Deadline deadline);

} // namespace acis::map::exact
