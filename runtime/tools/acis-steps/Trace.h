// Supersteps of an MPI program, as libacis-mpi writes them (ACIS_STEPS): a CSV file with a row for
// each step and rank, in this order.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/control/Deadline.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acis::steps {

/// Nanoseconds since the program began.
struct Moment {
  uint64_t begin = 0, arrival = 0, end = 0;
};

struct Trace {
  uint32_t ranks = 0;
  std::vector<std::string> calls; ///< the collective that ends each step
  std::vector<Moment> moments;    ///< by step, then rank

  size_t steps() const { return calls.size(); }
  const Moment &at(size_t step, uint32_t rank) const { return moments[step * ranks + rank]; }
  /// Each rank's work, in seconds.
  control::Samples samples() const;
};

/// Fails on a text that is not such a file, or is cut off, with the line.
Result<Trace> parseTrace(std::string_view text);

/// Events that Perfetto shows: for each rank a track with work and waiting.
std::string timelineOf(const Trace &trace);

/// Steps whose work is drawn at random: lognormal around one mean, so wide that ranks are idle for
/// `idleRatio` of an iteration on average, and so long that this is `idleSeconds`.
struct Model {
  uint32_t ranks = 0, steps = 0;
  double idleRatio = 0, idleSeconds = 0;
  uint64_t seed = 1;
};
/// Fails on a ratio that such steps do not have.
Result<control::Samples> drawSamples(const Model &model);

} // namespace acis::steps
