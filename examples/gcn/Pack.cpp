// What the packers share.
#include "examples/gcn/Pack.h"
#include "examples/gcn/tiles.h"

namespace acis::gcn {

Tiles::Tiles()
    : splitX(SPLIT_X), splitRows(SPLIT_ROWS), osVlen(OS_VLEN), osUnroll(OS_UNROLL),
      wsUnroll(WS_UNROLL), wsVlen(WS_VLEN) {}

float valueOf(const Dense &dense, uint64_t row, uint32_t f) {
  return row < dense.rows && f < dense.cols ? dense.values[row * dense.cols + f] : 0.0f;
}

Result<Packed> pack(const Graph &graph, const Dense &dense, Dataflow dataflow, const Tiles &tiles) {
  if (dense.cols > FEATURES)
    return Error{"", "features have " + std::to_string(dense.cols) +
                         " columns; the handlers take " + std::to_string(FEATURES)};
  if (dense.rows != graph.cols)
    return Error{"", "the adjacency matrix has " + std::to_string(graph.cols) +
                         " columns, the features have " + std::to_string(dense.rows) + " rows"};
  if (tiles.vpes < FEATURES && dataflow != Dataflow::Split)
    return Error{"", "this dataflow needs one VPE per feature: " + std::to_string(FEATURES)};
  switch (dataflow) {
  case Dataflow::Split:
    return packSplit(graph, dense, tiles);
  case Dataflow::OutputStationary:
    return packOutputStationary(graph, dense, tiles);
  case Dataflow::WeightStationary:
    break;
  }
  return packWeightStationary(graph, dense, tiles);
}

} // namespace acis::gcn
