// How many bytes a child has on their way at once: additive increase, multiplicative decrease as in
// RFC 5681, by what the parent answers. Both directions count, since an answer may be longer than
// what asked for it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acis::collective {

class Window {
public:
  /// `messageBytes`: what collectives are cut to; the window grows by so much in a round.
  explicit Window(uint32_t messageBytes) : unit(messageBytes), size(First * unit) {}

  /// Whether a message may go now. At least one may always be on its way, whatever its size.
  bool admits(uint64_t bytes) {
    limits = underWay > 0 && double(underWay + bytes) > size;
    return !limits;
  }
  /// Sent; numbers the messages that are, for lost().
  uint64_t sent(uint64_t bytes) {
    underWay += bytes;
    return ++last;
  }
  /// It is where it was to go, and what comes back is not here: others are late.
  void arrived(uint64_t bytes) { underWay -= bytes; }
  /// It was answered. A window that keeps nobody waiting does not grow.
  void answered(uint64_t bytes) {
    underWay -= bytes;
    if (limits)
      size += size < threshold ? double(bytes) : double(bytes) * unit / size;
  }
  /// A message with this number was lost, or its answer. All that were sent before this was last
  /// noticed are one event.
  void lost(uint64_t number) {
    if (number <= recovered)
      return;
    recovered = last;
    size = threshold = std::max(size / 2, Least * unit);
  }
  double bytes() const { return size; }

private:
  static constexpr double First = 8, Least = 2; ///< messages

  double unit, size, threshold = 1e18;
  uint64_t underWay = 0, last = 0, recovered = 0;
  bool limits = false; ///< the last message that was to go
};

} // namespace acis::collective
