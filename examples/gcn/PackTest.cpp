// What the packers promise to the handlers.
#include "examples/gcn/Pack.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

using namespace acis;
using namespace acis::gcn;

TEST(GcnPack, SplitKeepsRowsApartAndLosesNothing) {
  Graph graph = generateGraph(900, 9000, 3);
  Dense dense = generateDense(900, 16, 3);
  Tiles tiles;
  tiles.splitX = 20; // several tiles in both directions
  tiles.splitRows = 16 + 300;
  auto packed = packSplit(graph, dense, tiles);
  ASSERT_TRUE(packed) << packed.error().str();
  EXPECT_EQ(packed->elements.size(), 900u * 16);

  // Walks the stream and names each entry by its dense row's first value.
  std::map<float, uint32_t> columns;
  for (uint32_t col = 0; col < 900; ++col)
    columns[dense.values[col * 16]] = col;
  std::multiset<std::pair<uint32_t, uint32_t>> found;
  const std::vector<uint32_t> &in = packed->stream;
  size_t pos = 16;
  uint32_t firstRow = 0;
  EXPECT_GE(in[0], 9u);
  for (uint32_t t = 0; t < in[0]; ++t) {
    uint32_t base = in[pos], xrows = in[pos + 1], beats = in[pos + 2], rows = in[pos + 3];
    pos += 16;
    EXPECT_LE(xrows, tiles.splitX);
    for (uint32_t p = 0; p < 16; ++p) {
      std::map<uint32_t, uint32_t> last;
      for (uint32_t b = 0; b < beats; ++b) {
        uint32_t word = in[pos + b * 16 + p], row = word >> 16, col = word & 0xffff;
        ASSERT_LT(row, tiles.splitRows);
        ASSERT_LT(col, std::max(1u, xrows));
        if (last.count(row))
          EXPECT_GE(b - last[row], 9u) << "VPE " << p << ", row " << row;
        last[row] = b;
        if (row < 300)
          found.insert({firstRow + row, columns.at(packed->memory[base + (p * xrows + col) * 16])});
      }
    }
    pos += size_t(beats) * 16;
    firstRow += rows;
  }
  EXPECT_EQ(pos, in.size());
  std::multiset<std::pair<uint32_t, uint32_t>> expected;
  for (const Entry &entry : graph.entries)
    expected.insert({entry.row, entry.col});
  EXPECT_EQ(found, expected);
}

TEST(GcnPack, SplitIsBalanced) {
  Graph graph = generateGraph(2000, 30000, 1);
  auto packed = packSplit(graph, generateDense(2000, 16, 1), Tiles());
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->tiles, 1u);
  EXPECT_LE(packed->beats, (graph.entries.size() + 15) / 16 * 105 / 100);
}

TEST(GcnPack, OneRowAboveAllIsPaddedNotBroken) {
  Graph graph{1, 64, {}};
  for (uint32_t col = 0; col < 64; ++col)
    graph.entries.push_back({0, col});
  auto packed = packSplit(graph, generateDense(64, 16, 1), Tiles());
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->beats, 3u * 9 + 1); // four additions per VPE to the same row
}

TEST(GcnPack, LargestTileOfManyColumns) {
  Graph graph = generateGraph(70000, 140000, 5);
  auto packed = packSplit(graph, generateDense(70000, 16, 5), Tiles());
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->elements.size(), 70000u * 16);
}

TEST(GcnPack, EmptyGraphSendsZeros) {
  Graph graph{20, 20, {}};
  Dense dense = generateDense(20, 16, 1);
  for (Dataflow flow : {Dataflow::Split, Dataflow::OutputStationary, Dataflow::WeightStationary}) {
    auto packed = pack(graph, dense, flow, Tiles());
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->beats, 0u);
    EXPECT_GE(packed->elements.size(), 20u * 16);
  }
}

TEST(GcnPack, Refusals) {
  Graph graph = generateGraph(20, 30, 1);
  auto wide = pack(graph, generateDense(20, 17, 1), Dataflow::Split, Tiles());
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().str(), "features have 17 columns; the handlers take 16");
  auto other = pack(graph, generateDense(21, 16, 1), Dataflow::Split, Tiles());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().str(), "the adjacency matrix has 20 columns, the features have 21 rows");
  Tiles tiles;
  tiles.splitRows = 16;
  EXPECT_FALSE(pack(graph, generateDense(20, 16, 1), Dataflow::Split, tiles));
  tiles.osVlen = 0;
  EXPECT_FALSE(pack(graph, generateDense(20, 16, 1), Dataflow::OutputStationary, tiles));
}

static std::string refusal(const std::string &text) {
  std::string path = testing::TempDir() + "acis-gcn-" + std::to_string(getpid()) + ".txt";
  std::ofstream(path) << text;
  auto graph = readGraph(path);
  std::remove(path.c_str());
  return graph ? "" : graph.error().str().substr(path.size());
}

TEST(GcnGraph, Reading) {
  EXPECT_EQ(refusal("3 4\n2\n0 1 1\n2 3 1\n"), "");
  EXPECT_EQ(refusal("3 4\n0 1 1.0\n\n2 3 1"), ""); // without the number of entries
  EXPECT_EQ(refusal(""), ":0: expected the numbers of rows and columns");
  EXPECT_EQ(refusal("3\n"), ":1: expected the numbers of rows and columns");
  EXPECT_EQ(refusal("3 4\n1\n0 1\n"), ":3: expected 'row column value'");
  EXPECT_EQ(refusal("3 4\n1\n0 x 1\n"), ":3: expected 'row column value'");
  EXPECT_EQ(refusal("3 4\n1\n0 4 1\n"), ":3: entry 0, 4 is outside of 3 x 4");
  EXPECT_EQ(refusal("3 4\n1\n0 1 2\n"), ":3: an adjacency matrix holds ones only");
  EXPECT_EQ(refusal("3 4\n2\n0 1 1\n"), ": 1 entries; line 2 says 2");
  EXPECT_EQ(readGraph("/no/such/file").error().str(), "/no/such/file: cannot be read");
}

TEST(GcnGraph, PartsCoverAllRows) {
  Graph graph = generateGraph(100, 500, 2);
  size_t entries = 0;
  uint32_t next = 0;
  for (unsigned rank = 0; rank < 24; ++rank) {
    uint32_t first = 0;
    Graph part = partOf(graph, 24, rank, first);
    EXPECT_EQ(first, next);
    next += part.rows;
    entries += part.entries.size();
  }
  EXPECT_EQ(next, 100u);
  EXPECT_EQ(entries, graph.entries.size());
}
