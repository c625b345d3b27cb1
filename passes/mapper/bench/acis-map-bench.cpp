// Measures the mapper: II, bounds and time of the suite's loops and of random graphs.
#include "passes/mapper/suite/Suite.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace acis;
using namespace acis::map;

namespace {

struct Row {
  std::string overlay, name;
  unsigned nodes = 0, edges = 0;
  Bounds bound;
  unsigned ii = 0; ///< 0: not mapped
  double ms = 0;
  std::string error;

  unsigned mii() const { return std::max(bound.resMii, bound.recMii); }
};

Row measure(const Overlay &overlay, const suite::Loop &loop, unsigned repeat,
            const Options &options) {
  Row row;
  row.overlay = overlay.name;
  row.name = loop.name;
  row.nodes = unsigned(loop.problem.nodes.size());
  row.edges = unsigned(loop.problem.edges.size());
  if (Status status = loop.problem.check(overlay); !status) {
    row.error = status.error().str();
    return row;
  }
  row.bound = bounds(loop.problem, overlay);
  row.ms = 1e18;
  for (unsigned run = 0; run < repeat; ++run) {
    auto start = std::chrono::steady_clock::now();
    Result<Mapping> mapping = map::map(loop.problem, overlay, options);
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    row.ms = std::min(row.ms, took.count());
    if (!mapping)
      row.error = mapping.error().str();
    else
      row.ii = mapping->ii;
  }
  return row;
}

std::vector<suite::Loop> randomLoops(unsigned nodes, unsigned count) {
  std::vector<suite::Loop> loops;
  for (unsigned seed = 0; seed < count; ++seed) {
    suite::Shape shape;
    shape.nodes = nodes;
    shape.locality = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 6 : 16;
    shape.recurrences = seed % 2 == 0 ? 0 : 1 + seed % 4;
    shape.recurrenceLength = 3 + seed % 7;
    shape.fanOut = seed % 5 == 0 ? 8 : 0;
    loops.push_back({"random-" + std::to_string(nodes) + "-" + std::to_string(seed),
                     suite::randomGraph(shape, seed)});
  }
  return loops;
}

void print(const Row &row) {
  std::printf("%-24s %-18s %5u %5u %6u %6u %4u %+4d %9.2f %s\n", row.overlay.c_str(),
              row.name.c_str(), row.nodes, row.edges, row.bound.resMii, row.bound.recMii, row.ii,
              row.ii == 0 ? 0 : int(row.ii) - int(row.mii()), row.ms, row.error.c_str());
  std::fflush(stdout);
}

void summary(const std::vector<Row> &rows) {
  unsigned atBound = 0, mapped = 0, oneAbove = 0;
  double total = 0, worst = 0;
  for (const Row &row : rows) {
    mapped += row.ii != 0;
    atBound += row.ii != 0 && row.ii == row.mii();
    oneAbove += row.ii == row.mii() + 1;
    total += row.ms;
    worst = std::max(worst, row.ms);
  }
  std::printf("# %zu graphs, %u mapped, %u at the bound, %u one above; %.2f ms on average, %.2f ms "
              "at most\n",
              rows.size(), mapped, atBound, oneAbove, total / double(rows.size()), worst);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Measures the mapper on the loops of its suite and on random graphs."};
  std::vector<std::string> overlays{"mesh4x4-onecycle"};
  std::vector<unsigned> sizes;
  unsigned count = 20, repeat = 1;
  bool loops = false, quiet = false;
  std::string only;
  Options options;
  app.add_option("--overlay", overlays, "descriptions, by name or path")->delimiter(',');
  app.add_flag("--loops", loops, "the loops of the suite");
  app.add_option("--only", only, "only the loop of this name");
  app.add_option("--random", sizes, "random graphs of so many nodes")->delimiter(',');
  app.add_option("--count", count, "random graphs of each size");
  app.add_option("--repeat", repeat, "the best time of so many runs");
  app.add_flag("--quiet", quiet, "only the summary of each group");
  CLI11_PARSE(app, argc, argv);

  for (std::string name : overlays) {
    Result<Overlay> overlay =
        Overlay::load(name.find('.') == std::string::npos ? name + ".json" : name);
    if (!overlay) {
      std::fprintf(stderr, "acis-map-bench: error: %s\n", overlay.error().str().c_str());
      return 1;
    }
    std::vector<std::vector<suite::Loop>> groups;
    if (loops)
      groups.push_back(suite::loops());
    for (unsigned size : sizes)
      groups.push_back(randomLoops(size, count));
    for (const std::vector<suite::Loop> &group : groups) {
      std::vector<Row> rows;
      for (const suite::Loop &loop : group) {
        if (!only.empty() && loop.name != only)
          continue;
        rows.push_back(measure(*overlay, loop, repeat, options));
        if (!quiet)
          print(rows.back());
      }
      if (!rows.empty())
        summary(rows);
    }
  }
  return 0;
}
