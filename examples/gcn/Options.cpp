// Command line and input of the two programs.
#include "examples/gcn/Options.h"

#include "backend/support/Nearest.h"
#include "examples/gcn/tiles.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace acis::gcn {

const char *const CommonHelp =
    "  --dataflow=split|os|ws   which handler (split)\n"
    "  --graph=FILE --features=FILE\n"
    "                           coordinate files; with ACIS_DATA, --dataset=NAME takes\n"
    "                           NAME_A.txt and NAME_feat_L2.txt of $ACIS_DATA/graphs\n"
    "  --nodes=N --edges=N --seed=N\n"
    "                           without files: a generated graph (500, 3000, 1)\n"
    "  --ranks=N --rank=N       take the rows of one of N ranks (1, 0)\n"
    "  --tile=A,B               tile sizes that the handler is compiled with, see tiles.h:\n"
    "                           SPLIT_X,SPLIT_ROWS, OS_VLEN,OS_UNROLL or WS_UNROLL,WS_VLEN\n"
    "  --help, --version\n";

static bool number(const char *text, uint64_t &value, const char **end = nullptr) {
  const char *stop = text + std::strlen(text);
  auto [at, error] = std::from_chars(text, stop, value);
  if (end)
    *end = at;
  return error == std::errc() && (end || at == stop) && value <= 0xffffffff;
}

static bool tileSizes(const char *text, uint64_t (&sizes)[2]) {
  const char *end = nullptr;
  return number(text, sizes[0], &end) && *end == ',' && number(end + 1, sizes[1]);
}

static void setTiles(Options &options, const uint64_t (&sizes)[2]) {
  uint32_t a = uint32_t(sizes[0]), b = uint32_t(sizes[1]);
  Tiles &tiles = options.tiles;
  if (options.dataflow == Dataflow::Split) {
    tiles.splitX = a;
    tiles.splitRows = b;
  } else if (options.dataflow == Dataflow::OutputStationary) {
    tiles.osVlen = a;
    tiles.osUnroll = b;
  } else {
    tiles.wsUnroll = a;
    tiles.wsVlen = b;
  }
}

/// An error if there is no such option.
static Status checkName(const std::string &option, bool check) {
  std::vector<std::string> names = {"--dataflow", "--graph", "--features", "--dataset",
                                    "--nodes",    "--edges", "--seed",     "--ranks",
                                    "--rank",     "--tile",  "--in",       "--mem"};
  if (check)
    names.insert(names.end(), {"--out", "--native"});
  std::string name = option.substr(0, option.find('='));
  bool isKnown = std::find(names.begin(), names.end(), name) != names.end();
  if (isKnown && name != option)
    return Status::ok();
  if (isKnown)
    return Error{"", "'" + option + "' needs a value: '" + option + "=...'; see --help"};
  names.insert(names.end(), {"--help", "--version"});
  return Error{"",
               "unknown argument '" + option + "'" + didYouMean(option, names) + "; see --help"};
}

Result<Options> parseOptions(int argc, char **argv, bool check) {
  Options options;
  uint64_t sizes[2] = {0, 0};
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i];
    if (Status status = checkName(option, check); !status)
      return status.error();
    size_t equals = option.find('=');
    std::string name = option.substr(0, equals);
    const char *value = argv[i] + equals + 1;
    uint64_t parsed = 0;
    bool good = true;
    if (name == "--dataflow") {
      std::string flow = value;
      good = flow == "split" || flow == "os" || flow == "ws";
      options.dataflow = flow == "os"   ? Dataflow::OutputStationary
                         : flow == "ws" ? Dataflow::WeightStationary
                                        : Dataflow::Split;
    } else if (name == "--graph") {
      options.graph = value;
    } else if (name == "--features") {
      options.features = value;
    } else if (name == "--dataset") {
      const char *data = std::getenv("ACIS_DATA");
      if (!data || !*data)
        return Error{"", "--dataset needs the environment variable ACIS_DATA"};
      options.graph = std::string(data) + "/graphs/" + value + "_A.txt";
      options.features = std::string(data) + "/graphs/" + value + "_feat_L2.txt";
    } else if (name == "--tile") {
      good = tileSizes(value, sizes);
    } else if (name == "--in") {
      options.in = value;
    } else if (name == "--mem") {
      options.mem = value;
    } else if (name == "--out") {
      options.out = value;
    } else if (name == "--native") {
      options.native = value;
    } else if ((good = number(value, parsed)) && name == "--nodes") {
      options.nodes = uint32_t(parsed);
      good = parsed > 0;
    } else if (good && name == "--edges") {
      options.edges = uint32_t(parsed);
    } else if (good && name == "--seed") {
      options.seed = parsed;
    } else if (good && name == "--ranks") {
      options.ranks = uint32_t(parsed);
      good = parsed > 0;
    } else if (good && name == "--rank") {
      options.rank = uint32_t(parsed);
    }
    if (!good)
      return Error{"", "'" + std::string(value) + "' is no value for " + name + "; see --help"};
  }
  if (options.graph.empty() != options.features.empty())
    return Error{"", "--graph and --features are given together"};
  if (options.rank >= options.ranks)
    return Error{"", "rank " + std::to_string(options.rank) + " of " +
                         std::to_string(options.ranks) + "; ranks count from 0"};
  if (sizes[0] != 0 || sizes[1] != 0)
    setTiles(options, sizes);
  return options;
}

Result<Input> readInput(const Options &options) {
  Input input;
  Graph whole;
  if (options.graph.empty()) {
    whole = generateGraph(options.nodes, options.edges, options.seed);
    input.features = generateDense(options.nodes, FEATURES, options.seed);
  } else {
    Result<Graph> graph = readGraph(options.graph);
    if (!graph)
      return graph.error();
    Result<Dense> features = readDense(options.features);
    if (!features)
      return features.error();
    whole = std::move(*graph);
    input.features = std::move(*features);
  }
  if (options.ranks > whole.rows)
    return Error{"", std::to_string(options.ranks) + " ranks for " + std::to_string(whole.rows) +
                         " rows"};
  input.graph = partOf(whole, options.ranks, options.rank, input.firstRow);
  return input;
}

} // namespace acis::gcn
