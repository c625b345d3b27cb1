#include "runtime/tools/acis-steps/Trace.h"

#include <charconv>
#include <cmath>
#include <random>

namespace acis::steps {

namespace {

constexpr std::string_view header = "step,rank,call,begin_ns,arrival_ns,end_ns";

Error atLine(size_t line, const std::string &what) {
  return {"line " + std::to_string(line), what};
}

/// Up to the next separator; what follows it stays in `rest`. False: there is none.
bool cut(std::string_view &rest, char separator, std::string_view &field) {
  const size_t at = rest.find(separator);
  if (at == std::string_view::npos)
    return false;
  field = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return true;
}

bool number(std::string_view text, uint64_t &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

struct Row {
  uint64_t step = 0, rank = 0;
  std::string_view call;
  Moment moment;
};

bool parseRow(std::string_view line, Row &row) {
  std::string_view step, rank, begin, arrival;
  return cut(line, ',', step) && cut(line, ',', rank) && cut(line, ',', row.call) &&
         cut(line, ',', begin) && cut(line, ',', arrival) && number(step, row.step) &&
         number(rank, row.rank) && number(begin, row.moment.begin) &&
         number(arrival, row.moment.arrival) && number(line, row.moment.end) &&
         row.moment.begin <= row.moment.arrival && row.moment.arrival <= row.moment.end &&
         !row.call.empty() &&
         row.call.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == row.call.npos;
}

} // namespace

control::Samples Trace::samples() const {
  control::Samples out{ranks, {}};
  for (const Moment &moment : moments)
    out.work.push_back(double(moment.arrival - moment.begin) * 1e-9);
  return out;
}

Result<Trace> parseTrace(std::string_view text) {
  std::string_view line;
  if (!cut(text, '\n', line) || line != header)
    return atLine(1, "expected '" + std::string(header) + "', which ACIS_STEPS writes");
  Trace trace;
  size_t count = 1;
  while (!text.empty()) {
    ++count;
    Row row;
    if (!cut(text, '\n', line))
      return atLine(count, "the file is cut off");
    if (!parseRow(line, row))
      return atLine(count, "expected step, rank, call, and three times that do not fall");
    const bool isNext = trace.ranks == 0 && row.step == 1 && row.rank == 0;
    if (isNext)
      trace.ranks = uint32_t(trace.moments.size());
    const uint64_t ranks = trace.ranks ? trace.ranks : UINT32_MAX;
    const size_t at = trace.moments.size();
    if (row.step != at / ranks || row.rank != at % ranks)
      return atLine(count, "step " + std::to_string(row.step) + " of rank " +
                               std::to_string(row.rank) + "; step " + std::to_string(at / ranks) +
                               " of rank " + std::to_string(at % ranks) + " is missing");
    if (row.rank == 0)
      trace.calls.emplace_back(row.call);
    trace.moments.push_back(row.moment);
  }
  if (trace.ranks == 0)
    trace.ranks = uint32_t(trace.moments.size());
  if (trace.moments.empty())
    return atLine(count, "there is no superstep");
  if (trace.moments.size() != trace.ranks * trace.steps())
    return atLine(count, "the file is cut off: the last step has " +
                             std::to_string(trace.moments.size() % trace.ranks) + " of " +
                             std::to_string(trace.ranks) + " ranks");
  return trace;
}

std::string timelineOf(const Trace &trace) {
  std::string out = "{\"traceEvents\":[\n";
  auto event = [&](uint32_t rank, const std::string &name, uint64_t from, uint64_t to) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "{\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"", rank,
                  double(from) / 1000, double(to - from) / 1000);
    out += text + name + "\"},\n";
  };
  for (size_t step = 0; step < trace.steps(); ++step)
    for (uint32_t rank = 0; rank < trace.ranks; ++rank) {
      const Moment &moment = trace.at(step, rank);
      event(rank, "work " + std::to_string(step), moment.begin, moment.arrival);
      event(rank, trace.calls[step], moment.arrival, moment.end);
    }
  for (uint32_t rank = 0; rank < trace.ranks; ++rank)
    out += "{\"ph\":\"M\",\"pid\":0,\"tid\":" + std::to_string(rank) +
           ",\"name\":\"thread_name\",\"args\":{\"name\":\"rank " + std::to_string(rank) + "\"}}" +
           (rank + 1 < trace.ranks ? ",\n" : "\n");
  return out + "]}\n";
}

namespace {

/// Mean of slack / lag, and of slack, for times exp(width * z).
std::pair<double, double> idleOf(const control::Samples &normal, double width) {
  double ratio = 0, time = 0;
  control::Samples one{normal.members, {}};
  for (size_t i = 0; i < normal.iterations(); ++i) {
    const double lag = std::exp(width * normal.lag(i));
    for (uint32_t p = 0; p < normal.members; ++p) {
      const double slack = lag - std::exp(width * normal.work[i * normal.members + p]);
      ratio += slack / lag;
      time += slack;
    }
  }
  return {ratio / double(normal.work.size()), time / double(normal.work.size())};
}

} // namespace

Result<control::Samples> drawSamples(const Model &model) {
  control::Samples samples{model.ranks, {}};
  std::mt19937_64 random(model.seed);
  std::normal_distribution<double> normal;
  for (uint64_t i = 0; i < uint64_t(model.ranks) * model.steps; ++i)
    samples.work.push_back(normal(random));
  // The ratio grows with the width.
  double low = 0, high = 64;
  if (samples.work.empty() || model.ranks < 2 || !(model.idleRatio > 0) ||
      idleOf(samples, high).first <= model.idleRatio)
    return Error{"", "ranks cannot be idle for " + std::to_string(model.idleRatio) + " of " +
                         std::to_string(model.steps) + " iterations of " +
                         std::to_string(model.ranks) + " ranks; more than 0 and less than " +
                         "1 - 1 / ranks is possible"};
  for (unsigned round = 0; round < 50; ++round) {
    const double middle = (low + high) / 2;
    (idleOf(samples, middle).first < model.idleRatio ? low : high) = middle;
  }
  const double scale = model.idleSeconds / idleOf(samples, low).second;
  for (double &work : samples.work)
    work = scale * std::exp(low * work);
  return samples;
}

} // namespace acis::steps
