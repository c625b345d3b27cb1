// Extra work until a deadline (000 6.2.3): what becomes of an iteration's time, what it is worth,
// and the deadline that is worth most over iterations that were measured (Algorithm 3).
//
// All times are of one unit, from the begin of their iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acis::control {

/// What a member does in one iteration, of which it works `work` and the last member `lag`. The
/// parts work + extra + idle are the whole. A deadline of 0 is none.
struct Split {
  double extra = 0, idle = 0, whole = 0;
};
Split splitOf(double work, double lag, double deadline);

/// Equation 6.1: the worth of the whole, where work counts 1, extra work `utility` and idling 0.
/// An iteration that takes no time wastes none: 1.
double workRate(double work, double lag, double deadline, double utility);

/// The application's work of each member, one row for each iteration.
struct Samples {
  uint32_t members = 0;
  std::vector<double> work;

  size_t iterations() const { return members ? work.size() / members : 0; }
  double lag(size_t iteration) const; ///< the largest of its row
};

/// Mean over iterations and members; 0 if there are none.
double meanRate(const Samples &samples, double deadline, double utility);

struct Choice {
  double deadline = 0; ///< the least of the best
  double rate = 0;     ///< mean with it
  double baseline = 0; ///< mean without
};

/// The best of all deadlines. Between two neighbouring lags the mean is convex: each member's rate
/// is constant up to its work and then rises linearly up to the lag, or falls as a + b / T after
/// it. So its maximum is at a lag, or 0; with sums over sorted work these take O(I P log(I P)).
Choice bestDeadline(const Samples &samples, double utility);

} // namespace acis::control
