// A graph as the input stream and memory image of one of the three GCN handlers.
#pragma once

#include "examples/gcn/Graph.h"

namespace acis::gcn {

enum class Dataflow : uint8_t { Split, OutputStationary, WeightStationary };

/// Sizes that the handler was compiled with (tiles.h).
struct Tiles {
  uint32_t vpes = 16, lanes = 16;
  uint32_t splitX, splitRows;
  uint32_t osVlen, osUnroll, wsUnroll, wsVlen;
  Tiles();
};

struct Packed {
  std::vector<uint32_t> stream;
  std::vector<float> memory;
  /// By element of the output stream: row * FEATURES + feature, or -1 if it is padding.
  std::vector<int64_t> elements;
  /// For reports: beats of non-zeros, and how many of their words are padding.
  uint64_t beats = 0, padding = 0, tiles = 0;
};

/// Columns of `dense`: up to FEATURES; the rest is zero. Rows of the graph: the rank's.
Result<Packed> pack(const Graph &graph, const Dense &dense, Dataflow dataflow, const Tiles &tiles);

// The parts of pack().
Result<Packed> packSplit(const Graph &graph, const Dense &dense, const Tiles &tiles);
Result<Packed> packOutputStationary(const Graph &graph, const Dense &dense, const Tiles &tiles);
Result<Packed> packWeightStationary(const Graph &graph, const Dense &dense, const Tiles &tiles);

/// dense[row][f], 0 outside of the matrix.
float valueOf(const Dense &dense, uint64_t row, uint32_t f);

} // namespace acis::gcn
