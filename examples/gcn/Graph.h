// A 0/1 adjacency matrix and a dense feature matrix, read from coordinate files or
// generated.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::gcn {

struct Entry {
  uint32_t row, col;
};

struct Graph {
  uint32_t rows = 0, cols = 0;
  std::vector<Entry> entries;
};

/// Row-major, `cols` floats a row.
struct Dense {
  uint32_t rows = 0, cols = 0;
  std::vector<float> values;
};

/// Coordinate form: "rows columns", optionally the number of entries, then
/// "row column value" lines, 0-based. An adjacency matrix holds ones.
Result<Graph> readGraph(const std::string &path);
Result<Dense> readDense(const std::string &path);

/// `edges` entries with skewed degrees; some rows are empty. The same for a seed on
/// every host.
Graph generateGraph(uint32_t nodes, uint32_t edges, uint64_t seed);
Dense generateDense(uint32_t rows, uint32_t cols, uint64_t seed);

/// The rows of rank `rank` of `ranks`, as even as possible; renumbered from 0.
Graph partOf(const Graph &graph, unsigned ranks, unsigned rank, uint32_t &firstRow);

/// graph * dense in double precision, and the sum of magnitudes of each element.
void multiply(const Graph &graph, const Dense &dense, std::vector<double> &product,
              std::vector<double> &scale);

} // namespace acis::gcn
