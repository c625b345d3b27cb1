// Smaller grids inside an overlay.
//
// A search on a large grid can miss what the same search finds on a small one. Mapping a
// graph on the grids inside as well keeps a larger grid from giving a larger II.
#pragma once

#include "passes/mapper/Problem.h"

#include <vector>

namespace acis::map {

struct SubGrid {
  Overlay overlay;
  std::vector<unsigned> pes; ///< by PE of `overlay`: the PE of the whole grid
};

/// Squares of some sides (cut to the grid) in the corner of PE 0, smallest first, and the
/// mesh in a grid that has more links. Of a torus those of its mesh: a smaller torus is not
/// part of it. Of a chain its beginnings.
std::vector<SubGrid> subGrids(const Overlay &overlay);

/// The problem on a sub-grid; false if a node is pinned outside.
bool restrict(const Problem &problem, const SubGrid &grid, Problem &restricted);
/// A mapping on a sub-grid as one on the whole grid.
void widen(const SubGrid &grid, Mapping &mapping);

} // namespace acis::map
