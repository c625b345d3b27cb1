// See Choices.h.
#include "runtime/host/device/Choices.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

namespace acis::device {

namespace {

constexpr size_t Large = 2 << 20, SmallestChunk = 4096, LargestChunk = 1 << 30;
constexpr const char *Names[] = {"whole", "chunks", "peer"};

std::optional<Way> wayNamed(std::string_view name) {
  for (Way way : {Way::Whole, Way::Chunks, Way::Peer})
    if (name == nameOf(way))
      return way;
  return std::nullopt;
}

Error wrong(const std::string &where, std::string_view value, const std::string &wanted) {
  return Error{where, "'" + std::string(value) + "' is not " + wanted};
}

/// As it is, or with K, M or G.
std::optional<size_t> bytesOf(std::string_view text) {
  size_t value = 0, unit = 1;
  const size_t at = text.find_first_of("KMG");
  if (at != std::string_view::npos) {
    if (at + 1 != text.size())
      return std::nullopt;
    unit = size_t(1) << (text[at] == 'K' ? 10 : text[at] == 'M' ? 20 : 30);
    text = text.substr(0, at);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > SIZE_MAX / unit)
    return std::nullopt;
  return value * unit;
}

std::string range(size_t least, size_t most) {
  return std::to_string(least) + (most == SIZE_MAX ? " or more" : " to " + std::to_string(most));
}

Result<std::vector<Step>> parseSteps(const nlohmann::json &all, const char *name) {
  std::vector<Step> steps;
  if (!all.contains(name) || !all[name].is_array() || all[name].empty())
    return Error{name, "is not an array of steps"};
  for (const nlohmann::json &one : all[name]) {
    const std::string where = name + ("[" + std::to_string(steps.size()) + "]");
    if (!one.is_object() || !one.contains("from") || !one["from"].is_number_unsigned() ||
        !one.contains("way") || !one["way"].is_string())
      return Error{where, "has no \"from\", a number of bytes, and \"way\""};
    Step step;
    step.from = one["from"].get<size_t>();
    const std::string way = one["way"].get<std::string>();
    const std::optional<Way> known = wayNamed(way);
    if (!known)
      return wrong(where, way, "whole, chunks or peer");
    step.way = *known;
    if (one.contains("chunk")) {
      if (!one["chunk"].is_number_unsigned() || one["chunk"].get<size_t>() < SmallestChunk ||
          one["chunk"].get<size_t>() > LargestChunk)
        return Error{where,
                     "\"chunk\" is not a number of bytes, " + range(SmallestChunk, LargestChunk)};
      step.chunk = one["chunk"].get<size_t>();
    }
    if (steps.empty() ? step.from != 0 : step.from <= steps.back().from)
      return Error{where, "\"from\" is not above the step before; the first is 0"};
    steps.push_back(step);
  }
  return steps;
}

nlohmann::json jsonOf(const std::vector<Step> &steps) {
  nlohmann::json all = nlohmann::json::array();
  for (const Step &step : steps) {
    nlohmann::json one = {{"from", step.from}, {"way", nameOf(step.way)}};
    if (step.way == Way::Chunks)
      one["chunk"] = step.chunk;
    all.push_back(one);
  }
  return all;
}

Status readTable(const char *path, Choices &choices) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{"ACIS_DEVICE_TABLE", std::string(path) + " cannot be read"};
  Result<Choices> parsed = Choices::parse(text.str());
  if (!parsed)
    return Error{"ACIS_DEVICE_TABLE", std::string(path) + ": " + parsed.error().str()};
  choices = std::move(*parsed);
  return {};
}

/// A size of a variable that is set.
Status readBytes(const char *(*environment)(const char *), const char *name, size_t least,
                 size_t most, std::optional<size_t> &value) {
  const char *text = environment(name);
  if (!text || !*text)
    return {};
  value = bytesOf(text);
  if (!value || *value < least || *value > most)
    return wrong(name, text, "a number of bytes, " + range(least, most));
  return {};
}

Status readFlag(const char *(*environment)(const char *), const char *name, bool &value) {
  const char *text = environment(name);
  if (!text || !*text)
    return {};
  if (std::string_view(text) != "0" && std::string_view(text) != "1")
    return wrong(name, text, "0 or 1");
  value = *text == '1';
  return {};
}

/// One way for all sizes that it can be used for, within a host and between hosts.
Status force(const char *text, std::optional<size_t> from, Choices &choices) {
  std::optional<Way> way;
  if (text && *text && !(way = wayNamed(text)))
    return wrong("ACIS_DEVICE_WAY", text, "whole, chunks or peer");
  for (std::vector<Step> *steps : {&choices.host, &choices.network}) {
    if (way == Way::Whole)
      *steps = {Step{}};
    else if (way || from)
      *steps = {Step{}, Step{from.value_or(AnnouncementBytes), way.value_or(Way::Chunks)}};
  }
  return {};
}

} // namespace

const char *nameOf(Way way) { return Names[size_t(way)]; }

std::vector<Step> Choices::defaults() { return {Step{}, Step{Large, Way::Chunks}}; }

Step Choices::of(size_t bytes, bool isSameHost) const {
  Step chosen;
  for (const Step &step : isSameHost ? host : network)
    if (step.from <= bytes)
      chosen = step;
  if (bytes < AnnouncementBytes)
    chosen.way = Way::Whole;
  return chosen;
}

std::string Choices::json() const {
  return nlohmann::json{
      {"host", jsonOf(host)}, {"network", jsonOf(network)}, {"row_bytes", rowBytes}}
      .dump();
}

Result<Choices> Choices::parse(std::string_view text) {
  const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object())
    return Error{"", "is not a JSON object"};
  Choices made;
  for (const auto &[name, steps] : {std::pair("host", &made.host), {"network", &made.network}}) {
    Result<std::vector<Step>> parsed = parseSteps(all, name);
    if (!parsed)
      return parsed.error();
    *steps = std::move(*parsed);
  }
  if (all.contains("row_bytes")) {
    if (!all["row_bytes"].is_number_unsigned())
      return Error{"row_bytes", "is not a number of bytes"};
    made.rowBytes = all["row_bytes"].get<size_t>();
  }
  return made;
}

Result<Settings> Settings::read(const char *(*environment)(const char *)) {
  Settings made;
  std::optional<size_t> chunk, from, rows, buffered;
  if (const char *path = environment("ACIS_DEVICE_TABLE"); path && *path)
    if (Status status = readTable(path, made.choices); !status)
      return status.error();
  for (Status status :
       {readBytes(environment, "ACIS_DEVICE_CHUNK", SmallestChunk, LargestChunk, chunk),
        readBytes(environment, "ACIS_DEVICE_FROM", AnnouncementBytes, SIZE_MAX, from),
        readBytes(environment, "ACIS_DEVICE_ROW_BYTES", 0, SIZE_MAX, rows),
        readBytes(environment, "ACIS_DEVICE_BUFFERED", 0, SIZE_MAX, buffered),
        readFlag(environment, "ACIS_DEVICE_P2P", made.exports),
        readFlag(environment, "ACIS_DEVICE_SHARED", made.shares),
        force(environment("ACIS_DEVICE_WAY"), from, made.choices)})
    if (!status)
      return status.error();
  // A table says itself where exported memory is best.
  const auto isSet = [&](const char *name) { return environment(name) && *environment(name); };
  if (made.exports && !isSet("ACIS_DEVICE_WAY") && !isSet("ACIS_DEVICE_TABLE"))
    made.choices.host = {Step{}, Step{from.value_or(Large), Way::Peer}};
  for (std::vector<Step> *steps : {&made.choices.host, &made.choices.network})
    for (Step &step : *steps)
      step.chunk = chunk.value_or(step.chunk);
  made.choices.rowBytes = rows.value_or(made.choices.rowBytes);
  made.buffered = buffered.value_or(made.buffered);
  if (const char *why = environment("ACIS_DEVICE_WHY"))
    made.why = why;
  return made;
}

namespace {

const Result<Settings> &readOnce() {
  static const Result<Settings> &read = *new Result<Settings>(
      Settings::read([](const char *name) -> const char * { return std::getenv(name); }));
  return read;
}

} // namespace

const Settings &settings() {
  static const Settings &defaults = *new Settings;
  return readOnce() ? *readOnce() : defaults;
}

const Status &settingsError() {
  static const Status &status = *new Status(readOnce() ? Status() : Status(readOnce().error()));
  return status;
}

} // namespace acis::device
