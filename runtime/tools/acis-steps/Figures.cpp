// Figures 6-5 to 6-8 of the dissertation, of a report, as one SVG.
#include "runtime/tools/acis-steps/Format.h"
#include "runtime/tools/acis-steps/Report.h"

#include <algorithm>
#include <cmath>

namespace acis::steps {

using control::Samples;

namespace {

/// Seconds in the unit in which `most` is read best.
struct Unit {
  const char *name;
  double perSecond;

  static Unit of(double most) {
    if (most >= 1)
      return {"s", 1};
    return most >= 1e-3 ? Unit{"ms", 1e3} : Unit{"us", 1e6};
  }
};

/// Distance of marks: 1, 2 or 5 times a power of ten, so that there are two to six up to `most`.
double markStep(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 2)));
  for (double factor : {1.0, 2.0, 5.0})
    if (most / (factor * power) <= 6)
      return factor * power;
  return 10 * power;
}

/// One panel with its axes from 0; values are in its own units.
class Panel {
public:
  Panel(unsigned number, const std::string &title, double mostX, double mostY,
        const std::string &nameX, const std::string &nameY)
      : left(70 + (number % 2) * 470), top(60 + (number / 2) * 340), mostX(mostX > 0 ? mostX : 1),
        mostY(mostY > 0 ? mostY * 1.05 : 1) {
    text(left, top - 34, title, "start", 15);
    text(left, top - 10, nameY, "start", 12);
    text(left + width / 2, top + height + 34, nameX, "middle", 12);
    out += format("<path d='M%g %gV%gH%g' fill='none' stroke='black'/>\n", left, top, top + height,
                  left + width);
    marks(this->mostX, [&](double at, const std::string &what) {
      text(x(at), top + height + 16, what, "middle", 11);
    });
    marks(this->mostY, [&](double at, const std::string &what) {
      out += format("<path d='M%g %.1fh%g' stroke='#e4e4e4'/>\n", left, y(at), width);
      text(left - 6, y(at) + 4, what, "end", 11);
    });
  }

  void line(const std::vector<std::pair<double, double>> &points, const char *colour,
            const std::string &name = "") {
    out += "<polyline fill='none' stroke='" + std::string(colour) + "' points='";
    for (const auto &[a, b] : points)
      out += format("%.1f,%.1f ", x(a), y(b));
    out += "'/>\n";
    if (!name.empty()) // beside each other above the panel
      text(left + width - 80 * named++, top - 10, name, "end", 12, colour);
  }
  void bar(double from, double to, double value) {
    out += format("<rect x='%.1f' y='%.1f' width='%.2f' height='%.1f' fill='#4878a8'/>\n", x(from),
                  y(value), std::max(0.5, x(to) - x(from) - 0.5), top + height - y(value));
  }
  const std::string &svg() const { return out; }

private:
  static constexpr double width = 370, height = 230;
  template <typename Draw> static void marks(double most, Draw draw) {
    const double step = markStep(most);
    for (int i = 0; i * step <= most * 1.0001; ++i)
      draw(i * step, format("%.10g", i * step));
  }
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
  const Unit unit = Unit::of(report.lags.back());
  const size_t stride = std::max<size_t>(1, report.steps / 800);
  for (size_t i = 0; i < report.steps; i += stride) {
    const auto row = samples.work.begin() + long(i * samples.members);
    const auto [least, most] = std::minmax_element(row, row + samples.members);
    leader.push_back({double(i), *least * unit.perSecond});
    laggard.push_back({double(i), *most * unit.perSecond});
    difference.push_back({double(i), (*most - *least) * unit.perSecond});
  }
  Panel panel(0, "Work of the leader and the laggard", double(report.steps),
              report.lags.back() * unit.perSecond, "superstep", unit.name);
  panel.line(difference, "#7f7f7f", "difference");
  panel.line(leader, "#4878a8", "leader");
  panel.line(laggard, "#c0504d", "laggard");
  return panel.svg();
}

std::string laggardsPanel(const Report &report) {
  Panel panel(1, "How often each rank is last", report.ranks, report.laggards.front(),
              "ranks, most frequent first", "times as often as by chance");
  for (size_t i = 0; i < report.laggards.size(); ++i)
    panel.bar(double(i), double(i + 1), report.laggards[i]);
  return panel.svg();
}

std::string deadlinesPanel(const Report &report) {
  double most = 0;
  for (const Report::Best &best : report.deadlines)
    most = std::max(most, best.choice.deadline);
  const Unit unit = Unit::of(most);
  std::vector<std::pair<double, double>> points;
  for (const Report::Best &best : report.deadlines)
    points.push_back({best.utility, best.choice.deadline * unit.perSecond});
  Panel panel(2, "Best deadline", 1, most * unit.perSecond, "utility of extra work", unit.name);
  panel.line(points, "#c0504d");
  return panel.svg();
}

std::string densityPanel(const Report &report) {
  constexpr size_t bins = 40;
  const double least = report.lags.front(), range = report.lags.back() - least;
  const Unit unit = Unit::of(range), from = Unit::of(least);
  std::vector<double> density(bins);
  for (double lag : report.lags) {
    const size_t bin = range > 0 ? std::min(bins - 1, size_t((lag - least) / range * bins)) : 0;
    density[bin] += 1 / double(report.steps);
  }
  Panel panel(3, format("Lag above the least, %.4g %s", least * from.perSecond, from.name),
              range * unit.perSecond, *std::max_element(density.begin(), density.end()), unit.name,
              "part of the steps");
  for (size_t bin = 0; bin < bins; ++bin)
    panel.bar(range * unit.perSecond * double(bin) / bins,
              range * unit.perSecond * double(bin + 1) / bins, density[bin]);
  return panel.svg();
}

} // namespace

std::string toSvg(const Report &report, const Samples &samples) {
  return "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='710'>\n"
         "<rect width='960' height='710' fill='white'/>\n" +
         stepsPanel(report, samples) + laggardsPanel(report) + deadlinesPanel(report) +
         densityPanel(report) + "</svg>\n";
}

} // namespace acis::steps
