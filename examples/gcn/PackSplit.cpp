// Dataflow `split`. Only dense rows that a tile's non-zeros name are loaded. They go to
// the VPEs so that all have about the same number of non-zeros; within a VPE, additions
// to one result row are kept so far apart that none waits for the one before it.
#include "examples/gcn/Pack.h"
#include "examples/gcn/tiles.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>

namespace acis::gcn {
namespace {

/// Beats from one addition to a row to the next: the adder's latency (8) and one.
constexpr uint32_t Distance = 9;
/// The last rows of the accumulator are never sent; padding adds to them in turn.
constexpr uint32_t DummyRows = 16;
constexpr uint32_t BeatWords = 16;

/// Where a dense row is: VPE and number within it.
struct Home {
  uint32_t vpe = 0, index = 0;
};

class SplitPacker {
public:
  SplitPacker(const Graph &graph, const Dense &dense, const Tiles &tiles)
      : graph(graph), dense(dense), tiles(tiles), rowsPerTile(tiles.splitRows - DummyRows) {}

  Packed run() {
    result.stream.assign(BeatWords, 0);
    std::vector<std::vector<Entry>> byTile((graph.rows + rowsPerTile - 1) / rowsPerTile);
    for (const Entry &entry : graph.entries)
      byTile[entry.row / rowsPerTile].push_back({entry.row % rowsPerTile, entry.col});
    for (uint32_t tile = 0; tile < byTile.size(); ++tile)
      rowTile(tile, byTile[tile]);
    result.stream[0] = uint32_t(result.tiles);
    return std::move(result);
  }

private:
  void rowTile(uint32_t tile, const std::vector<Entry> &entries) {
    std::vector<uint32_t> degree(graph.cols, 0), columns;
    for (const Entry &entry : entries)
      if (degree[entry.col]++ == 0)
        columns.push_back(entry.col);
    // Full tiles of columns; common and rare ones are mixed as the matrix has them.
    std::sort(columns.begin(), columns.end());
    uint32_t capacity = tiles.vpes * tiles.splitX, first = tile * rowsPerTile;
    uint32_t rows = std::min(rowsPerTile, graph.rows - first);
    size_t parts = std::max<size_t>(1, (columns.size() + capacity - 1) / capacity);
    std::vector<uint32_t> partOf(graph.cols, 0);
    for (size_t i = 0; i < columns.size(); ++i)
      partOf[columns[i]] = uint32_t(i * parts / columns.size());
    for (uint32_t part = 0; part < parts; ++part) {
      std::vector<uint32_t> used;
      std::vector<Entry> chosen;
      for (uint32_t col : columns)
        if (partOf[col] == part)
          used.push_back(col);
      for (const Entry &entry : entries)
        if (partOf[entry.col] == part)
          chosen.push_back(entry);
      denseTile(used, chosen, degree, part + 1 == parts ? rows : 0);
    }
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t f = 0; f < FEATURES; ++f)
        result.elements.push_back(int64_t(first + row) * FEATURES + f);
  }

  void denseTile(const std::vector<uint32_t> &columns, const std::vector<Entry> &entries,
                 const std::vector<uint32_t> &degree, uint32_t rowsToSend) {
    uint32_t perVpe = (uint32_t(columns.size()) + tiles.vpes - 1) / tiles.vpes;
    std::vector<Home> homes = spread(columns, degree, perVpe);
    uint32_t base = uint32_t(result.memory.size());
    result.memory.resize(base + size_t(perVpe) * tiles.vpes * FEATURES, 0);
    for (uint32_t col : columns)
      for (uint32_t f = 0; f < FEATURES; ++f)
        result.memory[base + (homes[col].vpe * perVpe + homes[col].index) * FEATURES + f] =
            valueOf(dense, col, f);

    std::vector<std::vector<Entry>> work(tiles.vpes);
    for (const Entry &entry : entries)
      work[homes[entry.col].vpe].push_back({entry.row, homes[entry.col].index});
    std::vector<std::vector<uint32_t>> words(tiles.vpes);
    size_t beats = 0;
    for (uint32_t vpe = 0; vpe < tiles.vpes; ++vpe) {
      words[vpe] = order(work[vpe]);
      beats = std::max(beats, words[vpe].size());
    }
    result.stream.insert(result.stream.end(), {base, perVpe, uint32_t(beats), rowsToSend});
    result.stream.resize(result.stream.size() + BeatWords - 4, 0);
    for (size_t beat = 0; beat < beats; ++beat)
      for (uint32_t vpe = 0; vpe < tiles.vpes; ++vpe)
        result.stream.push_back(beat < words[vpe].size() ? words[vpe][beat] : dummy(beat));
    result.beats += beats;
    result.padding += beats * tiles.vpes - entries.size();
    ++result.tiles;
  }

  /// Heaviest columns first, each to the VPE with the least to do that has room.
  std::vector<Home> spread(std::vector<uint32_t> columns, const std::vector<uint32_t> &degree,
                           uint32_t perVpe) const {
    std::sort(columns.begin(), columns.end(), [&](uint32_t a, uint32_t b) {
      return std::make_tuple(degree[b], a) < std::make_tuple(degree[a], b);
    });
    using Load = std::tuple<uint64_t, uint32_t, uint32_t>; // non-zeros, columns, VPE
    std::priority_queue<Load, std::vector<Load>, std::greater<>> open;
    for (uint32_t vpe = 0; vpe < tiles.vpes; ++vpe)
      open.push({0, 0, vpe});
    std::vector<Home> homes(graph.cols);
    for (uint32_t col : columns) {
      auto [load, count, vpe] = open.top();
      open.pop();
      homes[col] = {vpe, count};
      if (count + 1 < perVpe)
        open.push({load + degree[col], count + 1, vpe});
    }
    return homes;
  }

  /// Rows with the most additions left come first; a row rests for Distance beats.
  std::vector<uint32_t> order(const std::vector<Entry> &work) const {
    std::vector<std::vector<uint32_t>> left(rowsPerTile);
    std::priority_queue<std::pair<size_t, uint32_t>> ready; // additions left, row
    for (const Entry &entry : work)
      left[entry.row].push_back(entry.col);
    for (uint32_t row = 0; row < rowsPerTile; ++row)
      if (!left[row].empty())
        ready.push({left[row].size(), row});
    std::deque<std::pair<size_t, uint32_t>> resting; // beat from which it may be used, row
    std::vector<uint32_t> words;
    while (!ready.empty() || !resting.empty()) {
      if (!resting.empty() && resting.front().first <= words.size()) {
        uint32_t row = resting.front().second;
        ready.push({left[row].size(), row});
        resting.pop_front();
      }
      if (ready.empty()) {
        words.push_back(dummy(words.size()));
        continue;
      }
      uint32_t row = ready.top().second;
      ready.pop();
      size_t beat = words.size();
      words.push_back(row << 16 | left[row].back());
      left[row].pop_back();
      if (!left[row].empty())
        resting.push_back({beat + Distance, row});
    }
    return words;
  }

  uint32_t dummy(size_t beat) const { return (rowsPerTile + uint32_t(beat % DummyRows)) << 16; }

  const Graph &graph;
  const Dense &dense;
  const Tiles &tiles;
  uint32_t rowsPerTile;
  Packed result;
};

} // namespace

Result<Packed> packSplit(const Graph &graph, const Dense &dense, const Tiles &tiles) {
  if (tiles.splitRows <= DummyRows || tiles.splitRows > 65536 || tiles.splitX == 0 ||
      tiles.splitX > 65536)
    return Error{"", "tile sizes " + std::to_string(tiles.splitX) + ", " +
                         std::to_string(tiles.splitRows) + " of dataflow split; 1 to 65536 and " +
                         std::to_string(DummyRows + 1) + " to 65536 are allowed"};
  if (tiles.vpes == 0 || tiles.vpes > BeatWords)
    return Error{"", std::to_string(tiles.vpes) + " VPEs; a beat has words for 1 to 16"};
  return SplitPacker(graph, dense, tiles).run();
}

} // namespace acis::gcn
