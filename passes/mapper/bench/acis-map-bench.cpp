// Measures the mapper: II, bounds and time of the suite's loops and of random graphs.
#include "backend/support/CommandLine.h"
#include "passes/mapper/exact/Exact.h"
#include "passes/mapper/suite/Suite.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

using namespace acis;
using namespace acis::map;

namespace {

struct Row {
  std::string overlay, name;
  unsigned nodes = 0, edges = 0;
  Bounds bound;
  unsigned ii = 0; ///< 0: not mapped
  double ms = 0;
  unsigned proven = 0;  ///< no mapping has a smaller II
  unsigned optimum = 0; ///< best II known, 0: none
  double exactMs = 0;
  std::string error;

  unsigned mii() const { return bound.mii(); }
};

/// Milliseconds of this process on a processor, which other processes do not disturb; of
/// the clock on the wall when several threads work.
double now(const Options &options) {
  if (options.threads == 1)
    return 1e3 * double(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Row measure(const Overlay &overlay, const suite::Loop &loop, unsigned repeat,
            const Options &options) {
  Row row;
  row.overlay = overlay.name;
  row.name = loop.name;
  row.nodes = unsigned(loop.problem.nodes.size());
  row.edges = unsigned(loop.problem.edges.size());
  if (StatusOf<Unmapped> status = loop.problem.check(overlay); !status) {
    row.error = status.error().str();
    return row;
  }
  row.bound = bounds(loop.problem, overlay);
  row.ms = 1e18;
  for (unsigned run = 0; run < repeat; ++run) {
    double start = now(options);
    Result<Mapping, Unmapped> mapping = map::map(loop.problem, overlay, options);
    row.ms = std::min(row.ms, now(options) - start);
    if (!mapping)
      row.error = mapping.error().str();
    else
      row.ii = mapping->ii;
  }
  return row;
}

/// What the solver says to the search's answer.
void prove(Row &row, const Overlay &overlay, const suite::Loop &loop, double seconds,
           const Options &options) {
  row.proven = row.mii();
  row.optimum = row.ii;
  if (row.ii == 0 || row.ii == row.mii())
    return;
  Result<Mapping, Unmapped> known = map::map(loop.problem, overlay, options);
  if (!known)
    return;
  ExactOptions exact;
  exact.seconds = seconds;
  exact.known = &*known;
  auto start = std::chrono::steady_clock::now();
  Result<ExactResult, Unmapped> result = mapExact(loop.problem, overlay, exact);
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  row.exactMs = took.count();
  if (!result)
    return;
  row.proven = result->lowerBound;
  row.optimum = result->mapping.ii;
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

void print(const Row &row, bool exact) {
  std::printf("%-24s %-18s %5u %5u %6u %6u %6u %4u %9.2f", row.overlay.c_str(), row.name.c_str(),
              row.nodes, row.edges, row.bound.resMii, row.bound.recMii, row.bound.placeMii, row.ii,
              row.ms);
  if (exact)
    std::printf(" %6u %4u %9.0f", row.proven, row.optimum, row.exactMs);
  std::printf(" %s\n", row.ii == 0           ? row.error.c_str()
                       : row.ii == row.mii() ? ""
                                             : ("+" + std::to_string(row.ii - row.mii())).c_str());
  std::fflush(stdout);
}

void summary(const std::vector<Row> &rows) {
  unsigned atBound = 0, mapped = 0, oneAbove = 0, optimal = 0;
  std::vector<double> times;
  double total = 0;
  for (const Row &row : rows) {
    mapped += row.ii != 0;
    atBound += row.ii != 0 && row.ii == row.mii();
    oneAbove += row.ii == row.mii() + 1;
    optimal += row.ii != 0 && row.ii == row.proven;
    total += row.ms;
    times.push_back(row.ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("# %zu graphs, %u mapped, %u at the bound, %u one above, %u proven optimal; ms: %.2f "
              "on average, %.2f median, %.2f at most\n",
              rows.size(), mapped, atBound, oneAbove, optimal, total / double(rows.size()),
              times[times.size() / 2], times.back());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Measures the mapper on the loops of its suite and on random graphs."};
  std::vector<std::string> overlays{"mesh4x4-onecycle"};
  std::vector<unsigned> sizes;
  unsigned count = 20, repeat = 1;
  bool loops = false, quiet = false;
  std::string only;
  double seconds = 0;
  Options options;
  app.add_option("--overlay", overlays, "descriptions, by name or path")->delimiter(',');
  app.add_flag("--loops", loops, "the loops of the suite");
  app.add_option("--only", only, "only the loop of this name");
  app.add_option("--random", sizes, "random graphs of so many nodes")->delimiter(',');
  app.add_option("--count", count, "random graphs of each size");
  app.add_option("--repeat", repeat, "the best time of so many runs");
  app.add_option("--exact", seconds,
                 "ask the SAT solver about every graph above its bound, so many seconds each");
  app.add_option("--threads", options.threads, "threads of the search");
  app.add_option("--seed", options.seed, "seed of the search");
  app.add_flag("--quiet", quiet, "only the summary of each group");
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-map-bench"))
    return *code;
  if (!loops && sizes.empty()) {
    std::fprintf(stderr, "acis-map-bench: error: nothing to map; give --loops or --random=<nodes>\n"
                         "see acis-map-bench --help\n");
    return 1;
  }

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
        if (seconds > 0)
          prove(rows.back(), *overlay, loop, seconds, options);
        if (!quiet)
          print(rows.back(), seconds > 0);
      }
      if (!rows.empty())
        summary(rows);
    }
  }
  return 0;
}
