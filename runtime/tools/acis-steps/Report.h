// What supersteps say about extra work: how long ranks wait, who is last, how the lag is spread,
// and what a deadline would be worth (Tables 6.2 and 6.3, Figures 6-5 to 6-8 of the dissertation).
#pragma once

#include "runtime/switch/control/Deadline.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace acis::steps {

struct Report {
  uint32_t ranks = 0;
  size_t steps = 0;
  double idleRatio = 0, idleTime = 0; ///< means over steps and ranks; seconds
  double work = 0, lag = 0;           ///< means; seconds
  std::vector<double> laggards;       ///< how often each rank is last, sorted; 1: as by chance
  std::vector<double> lags;           ///< of each step, sorted; seconds
  struct Best {
    double utility = 0;
    control::Choice choice;
  };
  std::vector<Best> deadlines; ///< for utilities 0.1, 0.2, ..., 1
  /// What is reached if the deadline is computed again after so many iterations, from those before.
  struct Online {
    uint32_t every = 0;
    double half = 0, most = 0; ///< mean worth for utilities 0.5 and 0.9
  };
  std::vector<Online> online;

  double quantile(double part) const; ///< of the lag
};

Report analyse(const control::Samples &samples, uint32_t window);
nlohmann::json toJson(const Report &report);
std::string toText(const Report &report);
/// Four panels: leader and laggard of each step, laggards, deadlines, density of the lag.
std::string toSvg(const Report &report, const control::Samples &samples);

} // namespace acis::steps
