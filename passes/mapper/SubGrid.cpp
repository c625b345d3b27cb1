// See SubGrid.h.
#include "passes/mapper/SubGrid.h"

#include <algorithm>

namespace acis::map {

/// The part of `whole` with the rows and columns beside PE 0.
static SubGrid corner(const SubGrid &whole, unsigned rows, unsigned cols) {
  const Overlay &overlay = whole.overlay;
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
      grid.pes.push_back(whole.pes[pe]);
      grid.overlay.pes.push_back(overlay.pes[pe]);
    }
  for (const Link &link : overlay.links)
    if (inside[link.from] != ~0u && inside[link.to] != ~0u)
      grid.overlay.links.push_back({inside[link.from], inside[link.to], link.port, link.inPort});
  return grid;
}

/// The same PEs with the links of a mesh only.
static SubGrid meshOf(const Overlay &overlay) {
  SubGrid grid{overlay, {}};
  for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
    grid.pes.push_back(pe);
  grid.overlay.topology = Topology::Mesh;
  std::erase_if(grid.overlay.links, [&](const Link &link) {
    unsigned rows = link.from / overlay.cols > link.to / overlay.cols
                        ? link.from / overlay.cols - link.to / overlay.cols
                        : link.to / overlay.cols - link.from / overlay.cols;
    unsigned cols = link.from % overlay.cols > link.to % overlay.cols
                        ? link.from % overlay.cols - link.to % overlay.cols
                        : link.to % overlay.cols - link.from % overlay.cols;
    return rows + cols != 1;
  });
  return grid;
}

static void addCorners(const SubGrid &whole, std::vector<SubGrid> &grids) {
  unsigned rows = whole.overlay.rows, cols = whole.overlay.cols;
  for (unsigned side : {2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u})
    if (side < std::max(rows, cols))
      grids.push_back(corner(whole, std::min(side, rows), std::min(side, cols)));
}

std::vector<SubGrid> subGrids(const Overlay &overlay) {
  std::vector<SubGrid> grids;
  if (overlay.topology == Topology::Chain && overlay.rows > 1)
    return grids;
  SubGrid mesh = meshOf(overlay);
  if (overlay.topology == Topology::Torus) {
    addCorners(mesh, grids);
    grids.push_back(std::move(mesh));
    return grids;
  }
  SubGrid whole{overlay, mesh.pes};
  addCorners(whole, grids);
  if (overlay.topology == Topology::King || overlay.topology == Topology::OneHop)
    grids.push_back(std::move(mesh));
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
