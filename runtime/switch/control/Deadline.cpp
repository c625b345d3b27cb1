#include "runtime/switch/control/Deadline.h"

#include <algorithm>

namespace acis::control {

Split splitOf(double work, double lag, double deadline) {
  Split split;
  split.extra = std::max(0.0, deadline - work);
  split.whole = std::max(lag, deadline);
  split.idle = split.whole - work - split.extra;
  return split;
}

double workRate(double work, double lag, double deadline, double utility) {
  const Split split = splitOf(work, lag, deadline);
  return split.whole > 0 ? (work + utility * split.extra) / split.whole : 1;
}

double Samples::lag(size_t iteration) const {
  const auto row = work.begin() + long(iteration * members);
  return *std::max_element(row, row + members);
}

double meanRate(const Samples &samples, double deadline, double utility) {
  double sum = 0;
  for (size_t i = 0; i < samples.iterations(); ++i) {
    const double lag = samples.lag(i);
    for (size_t p = 0; p < samples.members; ++p)
      sum += workRate(samples.work[i * samples.members + p], lag, deadline, utility);
  }
  return samples.work.empty() ? 0 : sum / double(samples.iterations() * samples.members);
}

namespace {

/// Sums over a deadline that grows. An iteration is *over* when its lag is below the deadline.
class Sweep {
public:
  Sweep(const Samples &samples, double utility) : samples(samples), utility(utility) {
    for (size_t i = 0; i < samples.iterations(); ++i) {
      const double lag = samples.lag(i);
      Iteration iteration{lag, 0};
      for (size_t p = 0; p < samples.members; ++p) {
        const double work = samples.work[i * samples.members + p];
        iteration.work += work;
        if (lag > 0)
          members.push_back({work, lag});
      }
      if (lag > 0)
        notOver += iteration.work / lag;
      else
        notOver += samples.members;
      iterations.push_back(iteration);
    }
    std::sort(members.begin(), members.end(),
              [](const Member &a, const Member &b) { return a.work < b.work; });
    std::sort(iterations.begin(), iterations.end(),
              [](const Iteration &a, const Iteration &b) { return a.lag < b.lag; });
  }

  const std::vector<double> lags() const {
    std::vector<double> out;
    for (const Iteration &iteration : iterations)
      out.push_back(iteration.lag);
    return out;
  }

  /// Deadlines come in ascending order.
  double rateAt(double deadline) {
    for (; early < members.size() && members[early].work < deadline; ++early) {
      perLag += 1 / members[early].lag;
      workPerLag += members[early].work / members[early].lag;
    }
    for (; over < iterations.size() && iterations[over].lag < deadline; ++over)
      end(iterations[over]);
    double sum = notOver + utility * (deadline * perLag - workPerLag);
    if (over > 0)
      sum += double(over * samples.members) * utility + (1 - utility) * workOver / deadline;
    return sum / double(iterations.size() * samples.members);
  }

private:
  struct Member {
    double work, lag;
  };
  struct Iteration {
    double lag, work;
  };

  /// All its members were early.
  void end(const Iteration &iteration) {
    workOver += iteration.work;
    if (iteration.lag == 0) {
      notOver -= samples.members;
      return;
    }
    notOver -= iteration.work / iteration.lag;
    perLag -= double(samples.members) / iteration.lag;
    workPerLag -= iteration.work / iteration.lag;
  }

  const Samples &samples;
  double utility;
  std::vector<Member> members;       ///< of iterations that take time, by work
  std::vector<Iteration> iterations; ///< by lag
  size_t early = 0, over = 0;        ///< so many have less than the deadline
  double notOver = 0;                ///< work per lag of iterations that are not over
  double perLag = 0, workPerLag = 0; ///< of the early in those: of 1, of their work
  double workOver = 0;
};

} // namespace

Choice bestDeadline(const Samples &samples, double utility) {
  if (samples.iterations() == 0)
    return {};
  Sweep sweep(samples, utility);
  Choice best;
  best.rate = best.baseline = sweep.rateAt(0);
  for (double lag : sweep.lags()) {
    const double rate = sweep.rateAt(lag);
    // Rounding of the sums must not make a later one of equals the best.
    if (rate > best.rate + 1e-12) {
      best.rate = rate;
      best.deadline = lag;
    }
  }
  return best;
}

} // namespace acis::control
