// Text and JSON from one list of numbers.
#include "runtime/tools/acis-run/Report.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace acis::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *stallNames[NumStalls] = {"streamIn",  "streamOut", "memRead", "memWrite",
                                               "interlock", "vreg",      "drain",   "launch"};

double gigabitsPerSecond(uint64_t bytes, const RunReport &report) {
  double seconds = static_cast<double>(report.counters.cycles) / (report.overlay->clockMhz * 1e6);
  return static_cast<double>(bytes) * 8 / seconds / 1e9;
}

/// The numbers of a report. Stalls and instructions are objects of their own.
Json numbers(const RunReport &report) {
  const Counters &c = report.counters;
  Json json = {{"engine", report.engine},         {"handler", report.handler},
               {"overlay", report.overlay->name}, {"packetsIn", c.packetsIn},
               {"packetsOut", c.packetsOut},      {"bytesIn", c.bytesIn},
               {"bytesOut", c.bytesOut},          {"beatsIn", c.beatsIn},
               {"beatsOut", c.beatsOut},          {"iterations", c.iterations},
               {"tilesSkipped", c.tilesSkipped}};
  if (c.cycles) {
    json["cycles"] = c.cycles;
    json["clockMhz"] = report.overlay->clockMhz;
    json["gbpsIn"] = gigabitsPerSecond(c.bytesIn, report);
    json["gbpsOut"] = gigabitsPerSecond(c.bytesOut, report);
    for (unsigned i = 0; i < NumStalls; ++i)
      json["stalls"][stallNames[i]] = c.stalls[i];
  }
  json["instructions"] = Json::object();
  for (const auto &[mnemonic, count] : c.instructions)
    if (count)
      json["instructions"][mnemonic] = count;
  json["hostSeconds"] = report.hostSeconds;
  return json;
}

std::string quoted(const Json &value) {
  // Names come from files: anything that is no text is replaced, nothing thrown.
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

void addLine(std::string &text, const std::string &name, const Json &value, int indent) {
  std::string shown = value.is_string() ? value.get<std::string>() : quoted(value);
  if (value.is_number_float()) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.6g", value.get<double>());
    shown = buffer;
  }
  std::string label = std::string(static_cast<size_t>(indent), ' ') + name;
  label.resize(std::max<size_t>(label.size() + 1, 20), ' ');
  text += label + shown + "\n";
}

} // namespace

std::string textReport(const RunReport &report) {
  std::string text;
  const Json all = numbers(report);
  for (const auto &item : all.items()) {
    if (!item.value().is_object()) {
      addLine(text, item.key(), item.value(), 0);
      continue;
    }
    text += item.key() + "\n";
    for (const auto &inner : item.value().items())
      addLine(text, inner.key(), inner.value(), 2);
  }
  return text;
}

std::string jsonReport(const RunReport &report) { return quoted(numbers(report)) + "\n"; }

} // namespace acis::tools
