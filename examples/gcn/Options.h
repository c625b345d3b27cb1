// The command line that gcn-pack and gcn-check have in common.
#pragma once

#include "examples/gcn/Pack.h"

namespace acis::gcn {

struct Options {
  Dataflow dataflow = Dataflow::Split;
  std::string graph, features; ///< files; both empty: generated
  uint32_t nodes = 500, edges = 3000, ranks = 1, rank = 0;
  uint64_t seed = 1;
  Tiles tiles;
  std::string in, mem, out, native;
};

/// Options both programs have, for --help.
extern const char *const CommonHelp;
Result<Options> parseOptions(int argc, char **argv, bool check);

/// The rank's part of the graph, and the features.
struct Input {
  Graph graph;
  Dense features;
  uint32_t firstRow = 0;
};
Result<Input> readInput(const Options &options);

} // namespace acis::gcn
