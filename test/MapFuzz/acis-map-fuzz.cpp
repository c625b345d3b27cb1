// Random graphs on random overlays: every mapping is verified, some are executed.
#include "backend/support/CommandLine.h"
#include "passes/mapper/Timing.h"
#include "test/MapFuzz/Execute.h"
#include "test/MapFuzz/Generate.h"

#include <cstdio>

using namespace acis;
using namespace acis::map;

namespace {

struct Counts {
  unsigned verified = 0, atBound = 0, refused = 0, executed = 0, above = 0;
};

/// One graph; false and a message when something is wrong.
bool runOne(uint64_t seed, bool executes, unsigned mostNodes, Counts &counts) {
  Random random(seed * 2 + executes);
  Overlay overlay = fuzz::randomOverlay(random);
  Problem problem = fuzz::randomProblem(overlay, random, mostNodes, executes);
  if (seed % 4 == 3)
    fuzz::makeExtrasScarce(overlay, problem, random);
  if (!problem.check(overlay)) {
    ++counts.refused;
    return true;
  }
  Bounds bound = bounds(problem, overlay);
  auto wrong = [&](const std::string &what) {
    std::printf("seed %llu%s: %s\n", (unsigned long long)seed, executes ? " (executed)" : "",
                what.c_str());
    return false;
  };
  Result<Mapping, Unmapped> mapping = map::map(problem, overlay, {});
  if (!mapping) {
    ++counts.refused;
    return mayTryElse(mapping.error().refusal) || wrong(mapping.error().str());
  }
  if (Status status = verify(problem, overlay, *mapping); !status)
    return wrong(status.error().str());
  if (mapping->ii < bound.mii())
    return wrong("II " + std::to_string(mapping->ii) + " is below the bound " +
                 std::to_string(bound.mii()));
  ++counts.verified;
  counts.atBound += mapping->ii == bound.mii();
  counts.above += mapping->ii > bound.mii() + 1;
  if (!executes)
    return true;
  ++counts.executed;
  Status status = fuzz::runAndCompare(problem, overlay, *mapping, 3 + unsigned(seed % 9), seed);
  return status || wrong(status.error().str());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Maps random graphs on random overlays, verifies every mapping and runs some on "
               "both engines against an interpreter of the graph."};
  unsigned verified = 1000, executed = 100, nodes = 40;
  uint64_t first = 0;
  app.add_option("--verify", verified, "mappings to verify, in all (default 1000)");
  app.add_option("--execute", executed, "of them to execute (default 100)");
  app.add_option("--nodes", nodes, "most nodes of a graph (default 40)");
  app.add_option("--seed", first, "first seed");
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-map-fuzz"))
    return *code;

  Counts counts;
  unsigned failures = 0;
  for (uint64_t seed = first; counts.verified < verified && failures < 10; ++seed)
    failures += !runOne(seed, counts.executed < executed && seed % 2 == 0, nodes, counts);
  std::printf("%u mappings verified, %u executed on both engines, %u not mapped, %u failures; %u "
              "at the bound, %u more than one above\n",
              counts.verified, counts.executed, counts.refused, failures, counts.atBound,
              counts.above);
  return failures != 0;
}
