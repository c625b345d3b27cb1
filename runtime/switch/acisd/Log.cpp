// See Log.h.
#include "runtime/switch/acisd/Log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <unistd.h>

namespace acis::acisd {

namespace {

constexpr size_t MostMessageBytes = 512; // JSON may take six bytes for one

std::string_view nameOf(LogLevel level) {
  switch (level) {
  case LogLevel::Info:
    return "info";
  case LogLevel::Warning:
    return "warning";
  case LogLevel::Error:
    return "error";
  }
  return "";
}

/// RFC 3339 in UTC: "2026-01-31T12:00:00.000Z".
std::string timeText(int64_t milliseconds) {
  const std::time_t seconds = std::time_t(milliseconds / 1000);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  char date[32], all[48];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(all, sizeof all, "%s.%03dZ", date, int(milliseconds % 1000));
  return all;
}

/// As a string of JSON; bytes that are no UTF-8 become U+FFFD.
std::string inQuotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string textOf(const LogLine &line, const std::string &message) {
  std::string out = " " + std::string(nameOf(line.level)) + " " + std::string(line.event);
  if (line.job)
    out += " job=" + std::to_string(*line.job);
  if (line.session)
    out += " session=" + std::to_string(*line.session);
  if (!line.peer.empty())
    out += " peer=" + inQuotes(line.peer);
  if (!line.address.empty())
    out += " address=" + line.address;
  return message.empty() ? out : out + " " + inQuotes(message);
}

std::string jsonOf(const LogLine &line, const std::string &message) {
  nlohmann::ordered_json out = {{"level", nameOf(line.level)}, {"event", line.event}};
  if (line.job)
    out["job"] = *line.job;
  if (line.session)
    out["session"] = *line.session;
  if (!line.peer.empty())
    out["peer"] = line.peer;
  if (!line.address.empty())
    out["address"] = line.address;
  if (!message.empty())
    out["message"] = message;
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LogLevel levelOf(sw::Event::What what) {
  using What = sw::Event::What;
  return what == What::JobFailed                                     ? LogLevel::Error
         : what == What::SessionDead || what == What::SessionRefused ? LogLevel::Warning
                                                                     : LogLevel::Info;
}

std::string_view nameOf(sw::Event::What what) {
  using What = sw::Event::What;
  switch (what) {
  case What::JobStarted:
    return "job-started";
  case What::JobEnded:
    return "job-ended";
  case What::JobFailed:
    return "job-failed";
  case What::SessionOpened:
    return "session-opened";
  case What::SessionClosed:
    return "session-closed";
  case What::SessionDead:
    return "session-dead";
  case What::SessionRefused:
    return "session-refused";
  }
  return "";
}

} // namespace

std::string formatLine(LogFormat format, const LogLine &line, int64_t milliseconds) {
  std::string message = line.message.substr(0, MostMessageBytes);
  if (message.size() < line.message.size())
    message += "...";
  const std::string time = timeText(milliseconds);
  if (format == LogFormat::Text)
    return time + textOf(line, message) + "\n";
  return "{\"time\":\"" + time + "\"," + jsonOf(line, message).substr(1) + "\n";
}

bool Log::put(const LogLine &line) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string text =
      formatLine(*format, line, std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  // A pipe that can be written has room for MostLineBytes (PIPE_BUF).
  pollfd ready = {descriptor, POLLOUT, 0};
  return poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) &&
         ::write(descriptor, text.data(), text.size()) == ssize_t(text.size());
}

void Log::write(const LogLine &line) {
  if (!format)
    return;
  std::lock_guard held(lock);
  if (lost > 0) {
    LogLine gap;
    gap.level = LogLevel::Warning;
    gap.event = "lines-lost";
    gap.message = std::to_string(lost) + " lines were left out: nobody has read the log";
    if (put(gap))
      lost = 0;
  }
  if (lost > 0 || !put(line))
    ++lost;
}

void Log::event(const sw::Event &event) {
  if (!format)
    return;
  LogLine line;
  line.level = levelOf(event.what);
  line.event = nameOf(event.what);
  line.job = event.job;
  if (event.session != 0)
    line.session = event.session;
  line.peer = event.peer;
  if (event.address)
    line.address = event.address->str();
  line.message = event.reason;
  write(line);
}

} // namespace acis::acisd
