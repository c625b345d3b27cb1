// Links of a grid from its topology.
#include "backend/overlay/Fields.h"

namespace acis::overlay {

namespace {

struct Direction {
  int row, col;
};

// A link that leaves in direction d is out-link d of its PE, and in-link
// d ^ 1 of the one it reaches: in-link numbers say from which side it comes.
constexpr Direction directions[Overlay::MaxLinks] = {
    {0, 1},   // 0 east
    {0, -1},  // 1 west
    {1, 0},   // 2 south
    {-1, 0},  // 3 north
    {1, 1},   // 4 south-east
    {-1, -1}, // 5 north-west
    {1, -1},  // 6 south-west
    {-1, 1},  // 7 north-east
};

// One-hop links leave in the same four directions and skip one PE.
constexpr Direction hops[Overlay::MaxLinks] = {
    {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {0, 2}, {0, -2}, {2, 0}, {-2, 0},
};

void chainLinks(unsigned pes, std::vector<Link> &links) {
  for (unsigned pe = 0; pe < pes; ++pe) {
    if (pe + 1 < pes)
      links.push_back({pe, pe + 1, 0, 1});
    if (pe > 0)
      links.push_back({pe, pe - 1, 1, 0});
  }
}

} // namespace

std::vector<Link> deriveLinks(unsigned rows, unsigned cols, Topology topology) {
  std::vector<Link> links;
  if (topology == Topology::Chain) {
    chainLinks(rows * cols, links);
    return links;
  }
  bool wraps = topology == Topology::Torus;
  const Direction *to = topology == Topology::OneHop ? hops : directions;
  unsigned used = topology == Topology::King || topology == Topology::OneHop ? 8 : 4;
  int height = static_cast<int>(rows), width = static_cast<int>(cols);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (unsigned d = 0; d < used; ++d) {
        int toRow = row + to[d].row, toCol = col + to[d].col;
        if (wraps) {
          toRow = (toRow + height) % height;
          toCol = (toCol + width) % width;
        }
        bool inside = toRow >= 0 && toRow < height && toCol >= 0 && toCol < width;
        if (!inside || (toRow == row && toCol == col))
          continue;
        links.push_back({static_cast<unsigned>(row * width + col),
                         static_cast<unsigned>(toRow * width + toCol), d, d ^ 1});
      }
  return links;
}

} // namespace acis::overlay
