// How often who waits for the switch looks after the MPI underneath.
#pragma once

#include <algorithm>
#include <chrono>

namespace acis::mpi {

/// A wait goes on in slices, at whose ends that is done: the first one is short, and each is twice
/// as long as the one before, up to the longest. Where many ranks share few processors each look
/// takes one from others, who then take longer, and wait for each other in more slices: so the
/// longest gets longer where a rank is woken late, and short again where it is not.
class Pace {
public:
  using Time = std::chrono::nanoseconds;
  /// So late is every process now and then.
  static constexpr Time Late = std::chrono::milliseconds(1);

  /// The longest slice is `least` where processors are free, and never longer than `most`.
  explicit Pace(Time least = std::chrono::milliseconds(2),
                Time most = std::chrono::milliseconds(32))
      : least(least), most(most), longest(least) {}

  /// Late enough not to delay a collective whose peers are all there.
  Time first() const { return longest / 10; }
  Time after(Time slice) const { return std::min(2 * slice, longest); }
  /// A slice has ended without what was waited for, after so long.
  void ended(Time slice, Time took) {
    if (took > slice + std::max(slice, Late))
      longest = std::min(2 * longest, most);
    else
      longest = std::max(longest - longest / 8, least);
  }

private:
  Time least, most, longest;
};

} // namespace acis::mpi
