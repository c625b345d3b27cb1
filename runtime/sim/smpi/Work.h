// What the ranks of an MPI program compute between their collectives: as a file says, so that it
// takes simulated time; or measured, for such a file.
#pragma once

#include "runtime/sim/platform/ComputeTimes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::cluster {

class Work {
public:
  struct Options {
    std::optional<ComputeTimes> times; ///< no value: none are given
    double scale = 1;                  ///< of these times
    std::string record;                ///< file for what was computed; "": none
  };
  explicit Work(Options options);

  /// Superstep `step` of the rank whose actor this is ends now with `call`. Gives what it takes;
  /// time does not pass here.
  double endOf(uint32_t rank, uint64_t step, const std::string &call);

  /// Supersteps that no row speaks of: how many, and the first.
  struct Unsaid {
    uint64_t count = 0;
    std::string first; ///< "step 3 of rank 0, which ends with barrier"
  };
  const Unsaid &unsaid() const { return missing; }
  uint64_t steps() const { return ended; }

  /// Fails if the file cannot be written.
  Status writeRecord() const;

private:
  struct Row {
    uint64_t step;
    uint32_t rank;
    std::string call;
    double seconds;
  };
  const Options options;
  Unsaid missing;
  uint64_t ended = 0;
  std::vector<Row> rows;
};

} // namespace acis::cluster
