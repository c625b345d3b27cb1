// See PlaceBound.cpp.
#pragma once

#include "passes/mapper/Problem.h"

namespace acis::map {

/// Raises bounds.placeMii while `from` (at least the RecMII) and the IIs after it are
/// impossible.
void boundPlaces(const Problem &problem, const Overlay &overlay, unsigned from, Bounds &bounds);

} // namespace acis::map
