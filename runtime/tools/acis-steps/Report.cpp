#include "runtime/tools/acis-steps/Report.h"

#include <algorithm>
#include <cstdio>

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

template <typename... T> std::string format(const char *form, T... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
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

namespace {

/// One panel with its axes; values are in its own units.
class Panel {
public:
  Panel(unsigned number, const std::string &title, double mostX, double mostY, const char *unitX,
        const char *unitY)
      : left(70 + (number % 2) * 470), top(40 + (number / 2) * 330), mostX(mostX > 0 ? mostX : 1),
        mostY(mostY > 0 ? mostY : 1) {
    text(left, top - 14, title, "start", 15);
    out += format("<path d='M%g %gV%gH%g' fill='none' stroke='black'/>\n", left, top, top + height,
                  left + width);
    for (int i = 0; i <= 4; ++i) {
      text(left - 6, y(this->mostY * i / 4) + 4, format("%.3g", this->mostY * i / 4), "end", 11);
      text(x(this->mostX * i / 4), top + height + 16, format("%.3g", this->mostX * i / 4), "middle",
           11);
    }
    text(left + width / 2, top + height + 34, unitX, "middle", 12);
    text(left + width, top - 2, unitY, "end", 12);
  }

  void line(const std::vector<std::pair<double, double>> &points, const char *colour,
            const char *name = "") {
    out += "<polyline fill='none' stroke='" + std::string(colour) + "' points='";
    for (const auto &[a, b] : points)
      out += format("%.1f,%.1f ", x(a), y(b));
    out += "'/>\n";
    if (*name) {
      text(left + 8, top + 14 + 15 * named++, name, "start", 12, colour);
    }
  }
  void bar(double from, double to, double value) {
    out += format("<rect x='%.1f' y='%.1f' width='%.2f' height='%.1f' fill='#4878a8'/>\n", x(from),
                  y(value), std::max(0.5, x(to) - x(from) - 0.5), top + height - y(value));
  }
  const std::string &svg() const { return out; }

private:
  static constexpr double width = 370, height = 230;
  double x(double value) const { return left + width * std::min(value / mostX, 1.0); }
  double y(double value) const { return top + height * (1 - std::min(value / mostY, 1.0)); }
  void text(double atX, double atY, const std::string &what, const char *anchor, int size,
            const char *colour = "black") {
    out += format("<text x='%.1f' y='%.1f' font-family='sans-serif' font-size='%d' fill='%s' "
                  "text-anchor='%s'>",
                  atX, atY, size, colour, anchor) +
           what + "</text>\n";
  }
  double left, top, mostX, mostY;
  int named = 0;
  std::string out;
};

std::string stepsPanel(const Report &report, const Samples &samples) {
  std::vector<std::pair<double, double>> leader, laggard, difference;
  const size_t stride = std::max<size_t>(1, report.steps / 800);
  for (size_t i = 0; i < report.steps; i += stride) {
    const auto row = samples.work.begin() + long(i * samples.members);
    const auto [least, most] = std::minmax_element(row, row + samples.members);
    leader.push_back({double(i), *least});
    laggard.push_back({double(i), *most});
    difference.push_back({double(i), *most - *least});
  }
  Panel panel(0, "Work of the leader and the laggard", double(report.steps), report.lags.back(),
              "superstep", "s");
  panel.line(laggard, "#c0504d", "laggard");
  panel.line(leader, "#4878a8", "leader");
  panel.line(difference, "#7f7f7f", "difference");
  return panel.svg();
}

std::string laggardsPanel(const Report &report) {
  Panel panel(1, "How often each rank is last", report.ranks, report.laggards.front(),
              "ranks, most frequent first", "1: as by chance");
  for (size_t i = 0; i < report.laggards.size(); ++i)
    panel.bar(double(i), double(i + 1), report.laggards[i]);
  return panel.svg();
}

std::string deadlinesPanel(const Report &report) {
  double most = 0;
  std::vector<std::pair<double, double>> points;
  for (const Report::Best &best : report.deadlines) {
    points.push_back({best.utility, best.choice.deadline});
    most = std::max(most, best.choice.deadline);
  }
  Panel panel(2, "Best deadline", 1, most, "utility of extra work", "s");
  panel.line(points, "#c0504d");
  return panel.svg();
}

std::string densityPanel(const Report &report) {
  constexpr size_t bins = 40;
  const double least = report.lags.front(), range = report.lags.back() - least;
  std::vector<double> density(bins);
  for (double lag : report.lags) {
    const size_t bin = range > 0 ? std::min(bins - 1, size_t((lag - least) / range * bins)) : 0;
    density[bin] += 1 / double(report.steps);
  }
  Panel panel(3, format("Lag, from %.6f s", least), range,
              *std::max_element(density.begin(), density.end()), "s above the least",
              "part of the steps");
  for (size_t bin = 0; bin < bins; ++bin)
    panel.bar(range * double(bin) / bins, range * double(bin + 1) / bins, density[bin]);
  return panel.svg();
}

} // namespace

std::string toSvg(const Report &report, const Samples &samples) {
  return "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='680'>\n"
         "<rect width='960' height='680' fill='white'/>\n" +
         stepsPanel(report, samples) + laggardsPanel(report) + deadlinesPanel(report) +
         densityPanel(report) + "</svg>\n";
}

} // namespace acis::steps
