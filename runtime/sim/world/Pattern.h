// A collective, called again and again by all ranks of a simulated cluster: its times, its traffic,
// and whether its results are right.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/sim/world/World.h"

#include <string>
#include <vector>

namespace acis::cluster {

struct PatternOptions {
  Collective shape; ///< kind, operation, type, count, root
  uint32_t calls = 10;
  uint32_t warmUp = 1;                  ///< calls before those that are measured
  uint64_t seed = 1;                    ///< of the contents
  acis::Way way = acis::Way::Automatic; ///< of engines
  /// Ranks wait for each other before each call, at no cost: all begin at once, or as late as
  /// `lateness` says.
  bool together = false;
  /// By call, then by rank: seconds after the first. Calls beyond the last begin with the first
  /// again. Its rows have as many values as there are ranks.
  std::vector<std::vector<double>> lateness;
};

/// Seconds.
struct PatternResult {
  /// Of one call on one rank, over all of both.
  double least = 0, mean = 0, most = 0;
  /// From the first begin to the last end of the measured calls, for each.
  double perCall = 0;
  /// From the last begin of a call to its last end; only if ranks begin together.
  double afterLast = 0;
  double total = 0; ///< simulated, with attaching and warming up
  WorldCounters traffic;
  uint64_t repeated = 0; ///< messages that were sent again
  std::vector<LinkUse> links;
  std::optional<EngineCounters> hardware; ///< of all engines together, if there are any
  std::string timeline;                   ///< "": not asked for
};

/// Runs the engine, on which `options` says what the world has, and nothing else was started. Fails
/// with what a rank was refused, with a wrong result, or at the limit of simulated time with a
/// report of who waits for whom.
Result<PatternResult> runPattern(const Platform &platform, const WorldOptions &world,
                                 const PatternOptions &options);

} // namespace acis::cluster
