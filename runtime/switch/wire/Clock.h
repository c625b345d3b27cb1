// Time in the protocol: nanoseconds of a clock that only goes forward. State machines are
// given it; only sockets and daemons read the system's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace acis::wire {

using Time = uint64_t;
inline constexpr Time Never = ~Time(0);
inline constexpr Time Microsecond = 1'000, Millisecond = 1'000'000, Second = 1'000'000'000;

inline Time systemTime() {
  return Time(std::chrono::duration_cast<std::chrono::nanoseconds>(
                  std::chrono::steady_clock::now().time_since_epoch())
                  .count());
}

/// "1.5 s" for messages.
inline std::string seconds(Time time) {
  const Time tenths = time / (Second / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

} // namespace acis::wire
