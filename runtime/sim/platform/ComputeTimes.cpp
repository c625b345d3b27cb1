// See ComputeTimes.h.
#include "runtime/sim/platform/ComputeTimes.h"

#include "runtime/sim/platform/Fields.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

namespace acis::cluster {
namespace {

constexpr double Longest = 1e6; ///< seconds
const std::vector<std::string> Columns = {"step",    "rank",     "call",       "us",
                                          "seconds", "begin_ns", "arrival_ns", "end_ns"};

/// A row as it stands in the file: the text of each field, by its column; no value: open.
using Fields = std::map<std::string, std::string, std::less<>>;

Error unfit(const std::string &field, const std::string &found, const std::string &expected) {
  return {field, "found '" + found.substr(0, 40) + "'; expected " + expected};
}

bool isOpen(const Fields &fields, std::string_view name) {
  const auto at = fields.find(name);
  return at == fields.end() || at->second.empty() || at->second == "*";
}

template <typename T> std::optional<T> numberOf(const std::string &text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

Result<std::optional<uint64_t>> indexIn(const Fields &fields, const char *name) {
  if (isOpen(fields, name))
    return std::optional<uint64_t>();
  const std::string &text = fields.find(name)->second;
  const std::optional<uint64_t> value = numberOf<uint64_t>(text);
  if (!value || *value >= UINT32_MAX)
    return unfit(name, text, "a whole number from 0 on, or * for all");
  return value;
}

Result<double> timeIn(const Fields &fields, const char *name, double unit) {
  const std::string &text = fields.find(name)->second;
  const std::optional<double> value = numberOf<double>(text);
  if (!value || !(*value >= 0 && *value * unit <= Longest))
    return unfit(name, text, "a time from 0 to a million seconds");
  return *value * unit;
}

/// Of one of the three ways to say it: us, seconds, or two moments between which the work lies.
Result<double> secondsOf(const Fields &fields) {
  const bool us = !isOpen(fields, "us"), seconds = !isOpen(fields, "seconds");
  const bool moments = !isOpen(fields, "begin_ns") && !isOpen(fields, "arrival_ns");
  const unsigned ways = unsigned(us) + unsigned(seconds) + unsigned(moments);
  if (ways != 1)
    return Error{"", std::string(ways == 0 ? "no time" : "more than one time") +
                         "; a row has us, or seconds, or begin_ns and arrival_ns"};
  if (!moments)
    return us ? timeIn(fields, "us", 1e-6) : timeIn(fields, "seconds", 1);
  const Result<double> begin = timeIn(fields, "begin_ns", 1e-9);
  const Result<double> arrival = timeIn(fields, "arrival_ns", 1e-9);
  if (!begin || !arrival)
    return begin ? arrival : begin;
  if (*arrival < *begin)
    return unfit("arrival_ns", fields.find("arrival_ns")->second, "no less than begin_ns");
  return *arrival - *begin;
}

Result<ComputeTimes::Row> rowOf(const Fields &fields, const std::vector<std::string> &calls) {
  ComputeTimes::Row row;
  const auto step = indexIn(fields, "step"), rank = indexIn(fields, "rank");
  if (!step || !rank)
    return step ? rank.error() : step.error();
  const Result<double> seconds = secondsOf(fields);
  if (!seconds)
    return seconds.error();
  row.step = *step;
  row.rank = *rank;
  row.seconds = *seconds;
  if (isOpen(fields, "call"))
    return row;
  row.call = fields.find("call")->second;
  if (std::find(calls.begin(), calls.end(), row.call) == calls.end())
    return unfit("call", row.call, "a collective" + didYouMean(row.call, calls));
  return row;
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> out;
  for (;;) {
    const size_t at = line.find(',');
    std::string_view field = line.substr(0, at);
    field.remove_prefix(std::min(field.find_first_not_of(" \t"), field.size()));
    field.remove_suffix(field.size() - std::min(field.find_last_not_of(" \t") + 1, field.size()));
    out.emplace_back(field);
    if (at == line.npos)
      return out;
    line.remove_prefix(at + 1);
  }
}

Status checkColumns(const std::vector<std::string> &names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(Columns.begin(), Columns.end(), names[i]) == Columns.end()) {
      std::string allowed;
      for (const std::string &name : Columns)
        allowed += (allowed.empty() ? "" : ", ") + name;
      return Error{"", "unknown column '" + names[i].substr(0, 40) + "'; allowed are " + allowed +
                           didYouMean(names[i], Columns)};
    }
    if (std::find(names.begin(), names.begin() + long(i), names[i]) != names.begin() + long(i))
      return Error{"", "column '" + names[i] + "' stands there twice"};
  }
  return {};
}

std::string placeOf(const std::string &row, const std::string &field) {
  return field.empty() ? row : row + ": " + field;
}

using Add = std::function<Status(const std::string &place, const Fields &fields)>;

Status readCsv(std::string_view text, const Add &add) {
  std::vector<std::string> names;
  size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (line.empty() || line.starts_with('#'))
      continue;
    const std::string place = "line " + std::to_string(number);
    const std::vector<std::string> fields = split(line);
    if (names.empty()) {
      names = fields;
      if (Status known = checkColumns(names); !known)
        return Error{place, known.error().what};
      continue;
    }
    if (fields.size() != names.size())
      return Error{place, "found " + std::to_string(fields.size()) + " fields; expected " +
                              std::to_string(names.size()) + ", one for each column"};
    Fields row;
    for (size_t i = 0; i < names.size(); ++i)
      row[names[i]] = fields[i];
    if (Status added = add(place, row); !added)
      return added;
  }
  return {};
}

Status readJson(std::string_view text, const Add &add) {
  const Json file = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!file.is_array())
    return Error{"", "is no JSON array of rows, as [{\"rank\": 0, \"us\": 12.5}]"};
  for (size_t i = 0; i < file.size(); ++i) {
    const std::string place = "[" + std::to_string(i) + "]";
    if (Status known = checkFields(file[i], place, Columns); !known)
      return known;
    Fields row;
    for (const auto &[name, value] : file[i].items())
      row[name] = value.is_string() ? value.get<std::string>() : value.dump();
    if (Status added = add(place, row); !added)
      return added;
  }
  return {};
}

} // namespace

void ComputeTimes::add(Row row) {
  named[row.step.has_value()][row.rank.has_value()][!row.call.empty()] = true;
  last[{{row.step.value_or(Any), row.rank.value_or(Any)}, row.call}] = all.size();
  all.push_back(std::move(row));
}

Result<ComputeTimes> ComputeTimes::parse(std::string_view text,
                                         const std::vector<std::string> &calls) {
  ComputeTimes out;
  const auto add = [&](const std::string &place, const Fields &fields) -> Status {
    Result<Row> row = rowOf(fields, calls);
    if (!row)
      return Error{placeOf(place, row.error().where), row.error().what};
    out.add(std::move(*row));
    return {};
  };
  const size_t begin = text.find_first_not_of(" \t\r\n");
  const bool isJson = begin != text.npos && (text[begin] == '[' || text[begin] == '{');
  if (Status done = isJson ? readJson(text, add) : readCsv(text, add); !done)
    return done.error();
  if (out.all.empty())
    return Error{"", "has no rows; the first line names columns, as rank,us, and each other one is "
                     "a row"};
  return out;
}

Result<ComputeTimes> ComputeTimes::readFile(const std::string &path,
                                            const std::vector<std::string> &calls) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{path, "cannot be read, or is empty; docs/simulation.md says what it has"};
  Result<ComputeTimes> out = parse(text.str(), calls);
  if (!out)
    return Error{out.error().where.empty() ? path : path + ": " + out.error().where,
                 out.error().what};
  return out;
}

std::optional<double> ComputeTimes::of(uint64_t step, uint32_t rank,
                                       const std::string &call) const {
  std::optional<size_t> best;
  for (unsigned open = 0; open < 8; ++open) {
    if (!named[!(open & 4)][!(open & 2)][!(open & 1)])
      continue;
    const auto at =
        last.find({{open & 4 ? Any : step, open & 2 ? Any : rank}, open & 1 ? "" : call});
    if (at != last.end())
      best = std::max(best.value_or(0), at->second);
  }
  return best ? std::optional(all[*best].seconds) : std::nullopt;
}

} // namespace acis::cluster
