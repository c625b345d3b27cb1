// The log of acisd: one line for each thing that happens to jobs, sessions, handlers and the
// process, as text or as a JSON object.
#pragma once

#include "runtime/switch/core/Journal.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace acis::acisd {

enum class LogFormat : uint8_t { Text, Json };
enum class LogLevel : uint8_t { Info, Warning, Error };

/// A line without its time. Fields that are empty, or not there, are left out.
struct LogLine {
  LogLevel level = LogLevel::Info;
  std::string_view event; ///< "session-opened", in kebab-case
  std::optional<uint32_t> job, session;
  std::string peer;    ///< "rank 3", "switch 1"
  std::string address; ///< "10.0.0.1:9000"
  std::string message;
};

/// `line` in a format, at so many milliseconds since 1970, with a newline. At most MostLineBytes:
/// a longer message is cut.
std::string formatLine(LogFormat format, const LogLine &line, int64_t milliseconds);
constexpr size_t MostLineBytes = 4096;

/// Writes to a descriptor, which the caller owns. It never waits: lines that a pipe has no room for
/// are left out, and counted by the next one that is written ("lines-lost"). Safe for threads.
class Log final : public sw::Journal {
public:
  /// Without a format nothing is written.
  Log(std::optional<LogFormat> format, int descriptor) : format(format), descriptor(descriptor) {}

  void write(const LogLine &line);
  void event(const sw::Event &event) override;

private:
  bool put(const LogLine &line);

  std::optional<LogFormat> format;
  int descriptor;
  std::mutex lock;
  uint64_t lost = 0; ///< lines since the last one that was written
};

} // namespace acis::acisd
