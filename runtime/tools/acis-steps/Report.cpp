#include "runtime/tools/acis-steps/Report.h"

#include "runtime/tools/acis-steps/Format.h"

#include <algorithm>

namespace acis::steps {

using control::Samples;

namespace {

/// Mean worth with deadlines that are computed after every so many steps from the last `window`;
/// none before.
double onlineRate(const Samples &samples, uint32_t every, uint32_t window, double utility) {
  double deadline = 0, sum = 0;
  for (size_t i = 0; i < samples.iterations(); ++i) {
    if (i > 0 && i % every == 0) {
      const size_t first = i - std::min<size_t>(i, window);
      const auto at = samples.work.begin();
      deadline = control::bestDeadline(
                     {samples.members,
                      {at + long(first * samples.members), at + long(i * samples.members)}},
                     utility)
                     .deadline;
    }
    const double lag = samples.lag(i);
    for (uint32_t p = 0; p < samples.members; ++p)
      sum += control::workRate(samples.work[i * samples.members + p], lag, deadline, utility);
  }
  return sum / double(samples.work.size());
}

} // namespace

Report analyse(const Samples &samples, uint32_t window) {
  Report out;
  out.ranks = samples.members;
  out.steps = samples.iterations();
  std::vector<uint64_t> last(samples.members);
  for (size_t i = 0; i < out.steps; ++i) {
    const auto row = samples.work.begin() + long(i * samples.members);
    const auto slowest = std::max_element(row, row + samples.members);
    ++last[size_t(slowest - row)];
    out.lags.push_back(*slowest);
    out.lag += *slowest / double(out.steps);
    for (uint32_t p = 0; p < samples.members; ++p) {
      const control::Split split = control::splitOf(row[p], *slowest, 0);
      out.work += row[p] / double(samples.work.size());
      out.idleTime += split.idle / double(samples.work.size());
      out.idleRatio += split.whole > 0 ? split.idle / split.whole / double(samples.work.size()) : 0;
    }
  }
  for (uint64_t times : last)
    out.laggards.push_back(double(times) * double(samples.members) / double(out.steps));
  std::sort(out.laggards.rbegin(), out.laggards.rend());
  std::sort(out.lags.begin(), out.lags.end());
  for (int tenth = 1; tenth <= 10; ++tenth)
    out.deadlines.push_back({tenth / 10.0, control::bestDeadline(samples, tenth / 10.0)});
  for (uint32_t every = 4; every < out.steps; every *= 4)
    out.online.push_back({every, onlineRate(samples, every, std::max(window, every), 0.5),
                          onlineRate(samples, every, std::max(window, every), 0.9)});
  return out;
}

double Report::quantile(double part) const { return lags[size_t(part * double(lags.size() - 1))]; }

nlohmann::json toJson(const Report &report) {
  nlohmann::json deadlines = nlohmann::json::array(), online = nlohmann::json::array();
  for (const Report::Best &best : report.deadlines)
    deadlines.push_back({{"utility", best.utility},
                         {"deadline", best.choice.deadline},
                         {"rate", best.choice.rate}});
  for (const Report::Online &one : report.online)
    online.push_back({{"every", one.every}, {"rate0.5", one.half}, {"rate0.9", one.most}});
  return {{"ranks", report.ranks},
          {"steps", report.steps},
          {"idleRatio", report.idleRatio},
          {"idleTime", report.idleTime},
          {"work", report.work},
          {"lag",
           {{"mean", report.lag},
            {"p10", report.quantile(0.1)},
            {"p50", report.quantile(0.5)},
            {"p90", report.quantile(0.9)},
            {"p99", report.quantile(0.99)}}},
          {"laggards", report.laggards},
          {"baseline", report.deadlines.front().choice.baseline},
          {"deadlines", deadlines},
          {"online", online}};
}

std::string toText(const Report &report) {
  std::string out = format("%u ranks, %zu supersteps\n", report.ranks, report.steps);
  out += format("idle           %6.2f %% of an iteration, %.6f s\n", 100 * report.idleRatio,
                report.idleTime);
  out += format("work           %.6f s on average\n", report.work);
  out += format("lag            %.6f s on average; p10 %.6f, p50 %.6f, p90 %.6f, p99 %.6f\n",
                report.lag, report.quantile(0.1), report.quantile(0.5), report.quantile(0.9),
                report.quantile(0.99));
  out +=
      format("laggards       the most frequent %.2f times as often as by chance, the least %.2f\n",
             report.laggards.front(), report.laggards.back());
  out +=
      format("\nworth of the time %6.2f %% without extra work; with it, until the best deadline:\n",
             100 * report.deadlines.front().choice.baseline);
  out += "  utility    deadline, s     worth\n";
  for (const Report::Best &best : report.deadlines)
    out += format("  %7.1f %14.6f %7.2f %%\n", best.utility, best.choice.deadline,
                  100 * best.choice.rate);
  if (!report.online.empty())
    out += "\ndeadline computed from earlier iterations, again after\n"
           "  iterations    worth at utility 0.5     at 0.9\n";
  for (const Report::Online &one : report.online)
    out += format("  %10u %20.2f %% %10.2f %%\n", one.every, 100 * one.half, 100 * one.most);
  return out;
}

} // namespace acis::steps
