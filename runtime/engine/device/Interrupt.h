// Ending a run of an engine in software before it is done.
#pragma once

#include <functional>

namespace acis {

/// Asked every few milliseconds of a run: whether it is to end. It then ends as by a trap with
/// this text. Empty: nobody is asked.
using Interrupt = std::function<bool()>;
inline constexpr const char *TrapInterrupted = "interrupted";

/// Whether there is somebody who wants it.
inline bool isWanted(const Interrupt &interrupt) { return interrupt && interrupt(); }

} // namespace acis
