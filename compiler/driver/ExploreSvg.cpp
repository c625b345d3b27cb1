// The machines of a sweep as a picture: LUTs to the right, rate upwards, both by their logarithm.
#include "compiler/driver/Explore.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace acis::driver {
namespace {

constexpr double Width = 760, Height = 460, Left = 70, Right = 40, Top = 46, Bottom = 52;

/// 1, 2 or 5 times a power of ten, as they follow each other; `number` may be negative.
double roundNumber(int number) {
  constexpr double first[] = {1, 2, 5};
  return first[(number % 3 + 3) % 3] * std::pow(10, std::floor(number / 3.0));
}

/// Numbers on a line by their logarithm, from one round number to another.
struct Axis {
  int low = -60, high; ///< of roundNumber()
  double from, to;     ///< pixels

  Axis(double least, double most, double from, double to) : from(from), to(to) {
    while (roundNumber(low + 1) <= least)
      ++low;
    high = low + 1;
    while (roundNumber(high) < most)
      ++high;
  }
  double at(double value) const {
    const double first = std::log(roundNumber(low)), last = std::log(roundNumber(high));
    return from + (std::log(value) - first) / (last - first) * (to - from);
  }
  bool has(double value) const { return value > roundNumber(low) && value < roundNumber(high); }
};

std::string escaped(llvm::StringRef text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string label(double x, double y, const char *anchor, const std::string &text) {
  return llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"{2}\">{3}</text>\n", x, y,
                       anchor, escaped(text));
}

/// 20,000 as "20 k".
std::string shortly(double value) {
  const double unit = value >= 1e6 ? 1e6 : value >= 1e3 ? 1e3 : 1;
  char text[32];
  std::snprintf(text, sizeof text, "%g%s", value / unit,
                unit == 1e6   ? " M"
                : unit == 1e3 ? " k"
                              : "");
  return text;
}

std::string lines(const Axis &x, const Axis &y) {
  std::string out;
  for (int number = x.low; number <= x.high; ++number) {
    const double at = x.at(roundNumber(number));
    out += llvm::formatv("<path d=\"M{0:f1} {1}V{2}\" stroke=\"#ddd\"/>\n", at, y.from, y.to);
    out += label(at, y.from + 18, "middle", shortly(roundNumber(number)));
  }
  for (int number = y.low; number <= y.high; ++number) {
    const double at = y.at(roundNumber(number));
    out += llvm::formatv("<path d=\"M{0} {1:f1}H{2}\" stroke=\"#ddd\"/>\n", x.from, at, x.to);
    out += label(x.from - 8, at + 4, "end", shortly(roundNumber(number)));
  }
  return out;
}

std::string frontLine(const std::vector<const Explored *> &shown, const Axis &x, const Axis &y) {
  std::vector<const Explored *> front;
  std::copy_if(shown.begin(), shown.end(), std::back_inserter(front),
               [](const Explored *machine) { return machine->isBest; });
  std::sort(front.begin(), front.end(),
            [](const Explored *a, const Explored *b) { return a->cells[0] < b->cells[0]; });
  std::string path;
  for (const Explored *machine : front)
    path += path.empty()
                ? llvm::formatv("M{0:f1} {1:f1}", x.at(machine->cells[0]), y.at(machine->gigabits))
                      .str()
                : llvm::formatv("H{0:f1}V{1:f1}", x.at(machine->cells[0]), y.at(machine->gigabits))
                      .str();
  return "<path d=\"" + path + "\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"1.5\"/>\n";
}

std::string point(const Explored &machine, const Axis &x, const Axis &y) {
  const char *fill = machine.isBest ? "#c0392b" : "#7f8c9b";
  return llvm::formatv(
      "<circle cx=\"{0:f1}\" cy=\"{1:f1}\" r=\"{2}\" fill=\"{3}\"{4}><title>{5}: {6:f0} LUT, "
      "{7:f2} Gb/s, {8:f0} cycles</title></circle>\n",
      x.at(machine.cells[0]), y.at(machine.gigabits), machine.isBest ? 5 : 3.5,
      machine.fits ? fill : "#fff",
      machine.fits ? std::string() : std::string(" stroke=\"") + fill + "\"",
      escaped(machine.name()), machine.cells[0], machine.gigabits, machine.period);
}

} // namespace

std::string Exploration::svg() const {
  std::vector<const Explored *> shown;
  for (const Explored &machine : machines)
    if (machine.whyNot.empty())
      shown.push_back(&machine);
  std::string out = llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} "
                                  "{1}\" width=\"{0}\" height=\"{1}\" "
                                  "font-family=\"sans-serif\" font-size=\"12\">\n<rect "
                                  "width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                                  Width, Height);
  out +=
      label(Left, 20, "start",
            input + " on " + overlay + ", packets of " + std::to_string(payloadBytes) + " bytes");
  out += label(Left, 36, "start",
               "filled: fits " + device.name + "; red: nothing with as few LUTs is faster");
  if (shown.empty())
    return out + label(Width / 2, Height / 2, "middle", "it runs on none of these machines") +
           "</svg>\n";
  auto least = [&](auto value) {
    return value(**std::ranges::min_element(shown, {}, [&](auto *m) { return value(*m); }));
  };
  auto most = [&](auto value) {
    return value(**std::ranges::max_element(shown, {}, [&](auto *m) { return value(*m); }));
  };
  auto luts = [](const Explored &machine) { return std::max(1.0, machine.cells[0]); };
  auto rate = [](const Explored &machine) { return machine.gigabits; };
  const Axis x(least(luts), most(luts), Left, Width - Right),
      y(least(rate), most(rate), Height - Bottom, Top);
  out += lines(x, y) + frontLine(shown, x, y);
  for (const Explored *machine : shown) {
    out += point(*machine, x, y);
    if (machine->isBest)
      out += label(x.at(machine->cells[0]) + 8, y.at(machine->gigabits) + 14, "start",
                   machine->name());
  }
  if (const double all = device.has[0]; x.has(all)) {
    out +=
        llvm::formatv("<path d=\"M{0:f1} {1}V{2}\" stroke=\"#2c3e50\" stroke-dasharray=\"4 3\"/>\n",
                      x.at(all), y.from, y.to);
    out += label(x.at(all) + 4, y.to + 12, "start", device.name);
  }
  out += label((x.from + x.to) / 2, Height - 14, "middle", "LUTs of the core, estimated");
  out += llvm::formatv(
      "<text x=\"18\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {0})\">Gb/s of "
      "payload</text>\n",
      (y.from + y.to) / 2);
  return out + "</svg>\n";
}

} // namespace acis::driver
