// Reading, generating and multiplying matrices.
#include "examples/gcn/Graph.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

namespace acis::gcn {
namespace {

/// Numbers of a text, with the line they are on.
class Reader {
public:
  Reader(const std::string &text, const std::string &path) : text(text), path(path) {}

  Error fail(const std::string &what) const {
    return Error{path + ":" + std::to_string(line), what};
  }
  /// Moves to the next line that is not empty; false at the end.
  bool nextLine() {
    while (at < text.size()) {
      size_t end = std::min(text.find('\n', at), text.size());
      current = std::string_view(text).substr(at, end - at);
      at = end + 1;
      ++line;
      if (current.find_first_not_of(" \t\r") != std::string_view::npos)
        return true;
    }
    return false;
  }
  template <typename T> bool number(T &value) {
    size_t begin = current.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
      return false;
    current.remove_prefix(begin);
    auto [end, error] = std::from_chars(current.data(), current.data() + current.size(), value);
    if (error != std::errc())
      return false;
    current.remove_prefix(size_t(end - current.data()));
    return current.empty() || current.find_first_of(" \t\r") == 0;
  }
  bool lineEnded() const { return current.find_first_not_of(" \t\r") == std::string_view::npos; }

private:
  const std::string &text, &path;
  std::string_view current;
  size_t at = 0;
  unsigned line = 0;
};

} // namespace

static Status
readCoordinates(const std::string &path, uint32_t &rows, uint32_t &cols,
                const std::function<Status(Reader &, uint32_t, uint32_t, double)> &add,
                const std::function<void()> &sized) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{path, "cannot be read"};
  std::stringstream buffer;
  buffer << file.rdbuf();
  std::string text = buffer.str();
  Reader reader(text, path);
  if (!reader.nextLine() || !reader.number(rows) || !reader.number(cols) || !reader.lineEnded() ||
      rows == 0 || cols == 0)
    return reader.fail("expected the numbers of rows and columns");
  sized();
  uint64_t promised = 0, found = 0;
  bool counted = false;
  for (bool first = true; reader.nextLine(); first = false) {
    uint32_t row, col;
    double value;
    if (!reader.number(row))
      return reader.fail("expected a row number");
    if (first && reader.lineEnded()) { // the number of entries
      promised = row;
      counted = true;
      continue;
    }
    if (!reader.number(col) || !reader.number(value) || !reader.lineEnded())
      return reader.fail("expected 'row column value'");
    if (row >= rows || col >= cols)
      return reader.fail("entry " + std::to_string(row) + ", " + std::to_string(col) +
                         " is outside of " + std::to_string(rows) + " x " + std::to_string(cols));
    if (Status status = add(reader, row, col, value); !status)
      return status;
    ++found;
  }
  if (counted && found != promised)
    return Error{path, std::to_string(found) + " entries; line 2 says " + std::to_string(promised)};
  return {};
}

Result<Graph> readGraph(const std::string &path) {
  Graph graph;
  Status status = readCoordinates(
      path, graph.rows, graph.cols,
      [&](Reader &reader, uint32_t row, uint32_t col, double value) -> Status {
        if (value != 1)
          return reader.fail("an adjacency matrix holds ones only");
        graph.entries.push_back({row, col});
        return {};
      },
      [] {});
  if (!status)
    return status.error();
  return graph;
}

Result<Dense> readDense(const std::string &path) {
  Dense dense;
  Status status = readCoordinates(
      path, dense.rows, dense.cols,
      [&](Reader &, uint32_t row, uint32_t col, double value) -> Status {
        dense.values[size_t(row) * dense.cols + col] = float(value);
        return {};
      },
      [&] { dense.values.assign(size_t(dense.rows) * dense.cols, 0); });
  if (!status)
    return status.error();
  return dense;
}

namespace {
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  uint64_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1dull >> 16;
  }
  double unit() { return double(next() & 0xffffffff) / 4294967296.0; }

private:
  uint64_t state;
};
} // namespace

Graph generateGraph(uint32_t nodes, uint32_t edges, uint64_t seed) {
  Graph graph{nodes, nodes, {}};
  Random random(seed);
  std::vector<uint64_t> keys;
  for (uint32_t e = 0; e < edges; ++e) {
    // The cube makes low-numbered columns common; rows of the last eighth stay empty.
    double skew = random.unit();
    uint32_t col = uint32_t(skew * skew * skew * nodes) * 7919ull % nodes;
    uint32_t row = uint32_t(random.unit() * (nodes - nodes / 8));
    if (random.next() % 16 == 0)
      row = nodes / 2; // a hub
    keys.push_back(uint64_t(col) << 32 | row);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (uint64_t key : keys)
    graph.entries.push_back({uint32_t(key), uint32_t(key >> 32)});
  return graph;
}

Dense generateDense(uint32_t rows, uint32_t cols, uint64_t seed) {
  Dense dense{rows, cols, {}};
  Random random(seed + 1);
  for (size_t i = 0; i < size_t(rows) * cols; ++i)
    dense.values.push_back(float(random.unit() * 2 - 1));
  return dense;
}

Graph partOf(const Graph &graph, unsigned ranks, unsigned rank, uint32_t &firstRow) {
  firstRow = uint32_t(uint64_t(graph.rows) * rank / ranks);
  uint32_t endRow = uint32_t(uint64_t(graph.rows) * (rank + 1) / ranks);
  Graph part{endRow - firstRow, graph.cols, {}};
  for (const Entry &entry : graph.entries)
    if (entry.row >= firstRow && entry.row < endRow)
      part.entries.push_back({entry.row - firstRow, entry.col});
  return part;
}

void multiply(const Graph &graph, const Dense &dense, std::vector<double> &product,
              std::vector<double> &scale) {
  product.assign(size_t(graph.rows) * dense.cols, 0);
  scale = product;
  for (const Entry &entry : graph.entries)
    for (uint32_t f = 0; f < dense.cols; ++f) {
      double value = dense.values[size_t(entry.col) * dense.cols + f];
      product[size_t(entry.row) * dense.cols + f] += value;
      scale[size_t(entry.row) * dense.cols + f] += std::fabs(value);
    }
}

} // namespace acis::gcn
