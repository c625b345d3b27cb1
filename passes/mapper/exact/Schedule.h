// The whole mapping at one II as a formula, with times and routes of bounded length.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mapper/exact/Cnf.h"

namespace acis::map::exact {

struct Reach {
  unsigned slack = 0;  ///< cycles by which a node may be later than its earliest time
  unsigned travel = 0; ///< cycles that a value may be on its way
};

/// Yes: `mapping` is one (to be verified). No: there is none within this reach.
Answer findMapping(const Problem &problem, const Overlay &overlay, unsigned ii, const Reach &reach,
                   Deadline deadline, Mapping &mapping);

} // namespace acis::map::exact
