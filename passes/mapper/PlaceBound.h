// The parts of bounds() that the search needs by themselves; see Bounds.cpp, PlaceBound.cpp.
#pragma once

#include "passes/mapper/Problem.h"

namespace acis::map {

/// The strongly connected components: nodes that lie on cycles together, each in its order. Most
/// are of one node.
std::vector<std::vector<unsigned>> componentsOf(const Problem &problem);

/// Sets bounds.resMii and its reason.
void boundResources(const Problem &problem, const Overlay &overlay, Bounds &bounds);

/// Raises bounds.placeMii while `from` (at least the RecMII) and the IIs after it are
/// impossible.
void boundPlaces(const Problem &problem, const Overlay &overlay, unsigned from, Bounds &bounds);

} // namespace acis::map
