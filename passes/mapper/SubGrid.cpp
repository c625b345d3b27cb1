// See SubGrid.h.
#include "passes/mapper/SubGrid.h"

#include <algorithm>

namespace acis::map {

static SubGrid corner(const Overlay &overlay, unsigned rows, unsigned cols) {
  SubGrid grid{overlay, {}};
  grid.overlay.rows = rows;
  grid.overlay.cols = cols;
  grid.overlay.pes.clear();
  grid.overlay.links.clear();
  std::vector<unsigned> inside(overlay.numPes(), ~0u);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned col = 0; col < cols; ++col) {
      unsigned pe = row * overlay.cols + col;
      inside[pe] = unsigned(grid.pes.size());
      grid.pes.push_back(pe);
      grid.overlay.pes.push_back(overlay.pes[pe]);
    }
  for (const Link &link : overlay.links)
    if (inside[link.from] != ~0u && inside[link.to] != ~0u)
      grid.overlay.links.push_back({inside[link.from], inside[link.to], link.port, link.inPort});
  return grid;
}

std::vector<SubGrid> subGrids(const Overlay &overlay) {
  std::vector<SubGrid> grids;
  if (overlay.topology == Topology::Torus)
    return grids;
  bool chain = overlay.topology == Topology::Chain;
  if (chain && overlay.rows > 1)
    return grids;
  for (unsigned rows = overlay.rows, cols = overlay.cols; cols > 2 || rows > 2;) {
    rows = std::max(chain ? 1u : std::min(2u, rows), rows / 2);
    cols = std::max(std::min(2u, cols), cols / 2);
    grids.push_back(corner(overlay, rows, cols));
  }
  return grids;
}

bool restrict(const Problem &problem, const SubGrid &grid, Problem &restricted) {
  restricted = problem;
  for (Node &node : restricted.nodes) {
    if (!node.pe)
      continue;
    auto found = std::find(grid.pes.begin(), grid.pes.end(), *node.pe);
    if (found == grid.pes.end())
      return false;
    node.pe = unsigned(found - grid.pes.begin());
  }
  return true;
}

void widen(const SubGrid &grid, Mapping &mapping) {
  for (Placement &place : mapping.places)
    place.pe = grid.pes[place.pe];
  for (std::vector<Step> &route : mapping.routes)
    for (Step &step : route)
      step.pe = grid.pes[step.pe];
}

} // namespace acis::map
