// The two dataflows of the paper, result rows in lanes: row = group * lanes + lane.
#include "examples/gcn/Pack.h"
#include "examples/gcn/tiles.h"

#include <algorithm>

namespace acis::gcn {
namespace {

class LanePacker {
public:
  /// `depthTile`: dense rows in a tile; `groups`: groups of result rows in a row tile.
  LanePacker(const Graph &graph, const Dense &dense, const Tiles &tiles, uint32_t depthTile,
             uint32_t groups, bool outputStationary)
      : graph(graph), dense(dense), tiles(tiles), depthTile(depthTile), groups(groups),
        outputStationary(outputStationary) {}

  Packed run() {
    uint32_t rowsPerTile = groups * tiles.lanes;
    uint32_t rowTiles = (graph.rows + rowsPerTile - 1) / rowsPerTile;
    uint32_t denseTiles = (graph.cols + depthTile - 1) / depthTile;
    memory(denseTiles);
    header(rowTiles, denseTiles);
    std::vector<std::vector<Entry>> byTile(size_t(rowTiles) * denseTiles);
    for (const Entry &entry : graph.entries)
      byTile[size_t(entry.row / rowsPerTile) * denseTiles + entry.col / depthTile].push_back(
          {entry.row % rowsPerTile, entry.col % depthTile});
    for (uint32_t m = 0; m < rowTiles; ++m) {
      for (uint32_t t = 0; t < denseTiles; ++t)
        if (const auto &entries = byTile[size_t(m) * denseTiles + t]; !entries.empty())
          tile(t, entries);
      header(denseTiles, 0);
      elements(m * rowsPerTile);
    }
    return std::move(result);
  }

private:
  void header(uint32_t a, uint32_t b) {
    result.stream.push_back(a);
    result.stream.push_back(b);
    result.stream.resize(result.stream.size() + tiles.lanes - 2, 0);
  }

  void memory(uint32_t denseTiles) {
    for (uint32_t t = 0; t < denseTiles; ++t)
      for (uint32_t c = 0; c < tiles.vpes; ++c)
        for (uint32_t k = 0; k < depthTile; ++k)
          result.memory.push_back(valueOf(dense, uint64_t(t) * depthTile + k, c));
  }

  /// One list per lane and group (output stationary) or lane and dense row (weight
  /// stationary), all padded to the longest.
  void tile(uint32_t number, const std::vector<Entry> &entries) {
    uint32_t outer = outputStationary ? groups : depthTile;
    std::vector<std::vector<uint32_t>> lists(size_t(outer) * tiles.lanes);
    for (const Entry &entry : entries) {
      uint32_t group = entry.row / tiles.lanes, lane = entry.row % tiles.lanes;
      if (outputStationary)
        lists[size_t(group) * tiles.lanes + lane].push_back(entry.col);
      else
        lists[size_t(entry.col) * tiles.lanes + lane].push_back(group);
    }
    uint32_t depth = 0;
    for (const auto &list : lists)
      depth = std::max(depth, uint32_t(list.size()));
    header(number, depth);
    uint32_t none = outputStationary ? depthTile : groups;
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
    ++result.tiles;
  }

  void elements(uint32_t firstRow) {
    for (uint32_t u = 0; u < groups; ++u)
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
  uint32_t depthTile, groups;
  bool outputStationary;
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
  return LanePacker(graph, dense, tiles, tiles.osVlen, tiles.osUnroll, true).run();
}

Result<Packed> packWeightStationary(const Graph &graph, const Dense &dense, const Tiles &tiles) {
  if (Status status = checkSizes(tiles.wsUnroll, tiles.wsVlen, "ws"); !status)
    return status.error();
  return LanePacker(graph, dense, tiles, tiles.wsUnroll, tiles.wsVlen, false).run();
}

} // namespace acis::gcn
