// The two dataflows of the paper, result rows in lanes: row = group * lanes + lane.
#include "examples/gcn/Pack.h"
#include "examples/gcn/tiles.h"

#include <algorithm>

namespace acis::gcn {
namespace {

/// Sizes of a dataflow in its own terms.
struct LaneTiles {
  uint32_t depthTile; ///< dense rows in a tile
  uint32_t groups;    ///< groups of result rows in a row tile
  uint32_t rowTiles;  ///< row tiles in a block
  bool outputStationary;
};

class LanePacker {
public:
  LanePacker(const Graph &graph, const Dense &dense, const Tiles &tiles, const LaneTiles &sizes)
      : graph(graph), dense(dense), tiles(tiles), sizes(sizes),
        rowsPerTile(sizes.groups * tiles.lanes),
        denseTiles((graph.cols + sizes.depthTile - 1) / sizes.depthTile),
        byTile(size_t(numRowTiles()) * denseTiles) {}

  Packed run() {
    for (const Entry &entry : graph.entries)
      byTile[size_t(entry.row / rowsPerTile) * denseTiles + entry.col / sizes.depthTile].push_back(
          {entry.row % rowsPerTile, entry.col % sizes.depthTile});
    memory();
    header((numRowTiles() + sizes.rowTiles - 1) / sizes.rowTiles, denseTiles);
    for (uint32_t first = 0; first < numRowTiles(); first += sizes.rowTiles)
      block(first, std::min(sizes.rowTiles, numRowTiles() - first));
    return std::move(result);
  }

private:
  uint32_t numRowTiles() const { return (graph.rows + rowsPerTile - 1) / rowsPerTile; }

  const std::vector<Entry> &entriesOf(uint32_t rowTile, uint32_t denseTile) const {
    return byTile[size_t(rowTile) * denseTiles + denseTile];
  }

  /// The first dense tile from `tile` on that a row tile of the block needs.
  uint32_t nextTile(uint32_t tile, uint32_t first, uint32_t count) const {
    for (; tile < denseTiles; ++tile)
      for (uint32_t m = first; m < first + count; ++m)
        if (!entriesOf(m, tile).empty())
          return tile;
    return denseTiles;
  }

  void block(uint32_t first, uint32_t count) {
    header(count, 0);
    uint32_t t = nextTile(0, first, count);
    header(t, 0);
    while (t < denseTiles) {
      uint32_t next = nextTile(t + 1, first, count);
      header(next, 0);
      for (uint32_t m = 0; m < count; ++m)
        tile(m, entriesOf(first + m, t));
      t = next;
    }
    for (uint32_t m = 0; m < count; ++m)
      elements((first + m) * rowsPerTile);
  }

  void header(uint32_t a, uint32_t b) {
    result.stream.push_back(a);
    result.stream.push_back(b);
    result.stream.resize(result.stream.size() + tiles.lanes - 2, 0);
  }

  void memory() {
    for (uint32_t t = 0; t < denseTiles; ++t)
      for (uint32_t c = 0; c < tiles.vpes; ++c)
        for (uint32_t k = 0; k < sizes.depthTile; ++k)
          result.memory.push_back(valueOf(dense, uint64_t(t) * sizes.depthTile + k, c));
  }

  /// One list per lane and group (output stationary) or lane and dense row (weight
  /// stationary), all padded to the longest. `rowTile`: within the block.
  void tile(uint32_t rowTile, const std::vector<Entry> &entries) {
    uint32_t outer = sizes.outputStationary ? sizes.groups : sizes.depthTile;
    std::vector<std::vector<uint32_t>> lists(size_t(outer) * tiles.lanes);
    for (const Entry &entry : entries) {
      uint32_t group = entry.row / tiles.lanes, lane = entry.row % tiles.lanes;
      if (sizes.outputStationary)
        lists[size_t(group) * tiles.lanes + lane].push_back(entry.col);
      else
        lists[size_t(entry.col) * tiles.lanes + lane].push_back(rowTile * sizes.groups + group);
    }
    uint32_t depth = 0;
    for (const auto &list : lists)
      depth = std::max(depth, uint32_t(list.size()));
    header(depth, 0);
    uint32_t none = sizes.outputStationary ? sizes.depthTile : sizes.rowTiles * sizes.groups;
    size_t start = result.stream.size();
    result.stream.resize(start + size_t(depth) * lists.size(), none);
    for (uint32_t o = 0; o < outer; ++o)
      for (uint32_t lane = 0; lane < tiles.lanes; ++lane) {
        const auto &list = lists[size_t(o) * tiles.lanes + lane];
        for (uint32_t i = 0; i < list.size(); ++i) {
          size_t beat = size_t(i) * outer + o;
          result.stream[start + beat * tiles.lanes + lane] = list[i];
        }
      }
    result.beats += size_t(depth) * outer;
    result.padding += size_t(depth) * lists.size() - entries.size();
    result.tiles += !entries.empty();
  }

  void elements(uint32_t firstRow) {
    for (uint32_t u = 0; u < sizes.groups; ++u)
      for (uint32_t c = 0; c < tiles.vpes; ++c)
        for (uint32_t l = 0; l < tiles.lanes; ++l) {
          uint32_t row = firstRow + u * tiles.lanes + l;
          result.elements.push_back(row < graph.rows && c < FEATURES ? int64_t(row) * FEATURES + c
                                                                     : -1);
        }
  }

  const Graph &graph;
  const Dense &dense;
  const Tiles &tiles;
  const LaneTiles sizes;
  const uint32_t rowsPerTile, denseTiles;
  std::vector<std::vector<Entry>> byTile; ///< row tile by row tile; rows and columns within it
  Packed result;
};

} // namespace

static Status checkSizes(uint32_t a, uint32_t b, const char *dataflow) {
  if (a == 0 || b == 0 || a > 4096 || b > 4096)
    return Error{"", "tile sizes " + std::to_string(a) + ", " + std::to_string(b) +
                         " of dataflow " + dataflow + "; 1 to 4096 are allowed"};
  return {};
}

Result<Packed> packOutputStationary(const Graph &graph, const Dense &dense, const Tiles &tiles) {
  if (Status status = checkSizes(tiles.osVlen, tiles.osUnroll, "os"); !status)
    return status.error();
  return LanePacker(graph, dense, tiles, {tiles.osVlen, tiles.osUnroll, OS_ROW_TILES, true}).run();
}

Result<Packed> packWeightStationary(const Graph &graph, const Dense &dense, const Tiles &tiles) {
  if (Status status = checkSizes(tiles.wsUnroll, tiles.wsVlen, "ws"); !status)
    return status.error();
  return LanePacker(graph, dense, tiles, {tiles.wsUnroll, tiles.wsVlen, WS_ROW_TILES, false}).run();
}

} // namespace acis::gcn
