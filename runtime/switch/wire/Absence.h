// Whether a process at the other end has ended: the machine that it ran on answers what is sent to
// a port that nobody has. One answer may be to a datagram of before it began, or forged, so they
// have to go on for a while, with nothing else between them.
#pragma once

#include "runtime/switch/wire/Clock.h"

#include <cstdint>

namespace acis::wire {

class Absence {
public:
  /// Something has come from there.
  void heard() { answers = 0; }
  /// `refusals`: all answers since the socket was made (UdpSocket::refusals()). Whether there are
  /// new ones.
  bool note(uint64_t refusals, Time now) {
    if (refusals == last)
      return false;
    refused(refusals - last, now);
    last = refusals;
    return true;
  }
  /// So many answers have come.
  void refused(uint64_t more, Time now) {
    if (answers == 0)
      since = now;
    answers += more;
    latest = now;
  }
  /// Nothing but answers for so long.
  bool lasts(Time time) const { return answers >= Fewest && latest - since >= time; }

private:
  static constexpr uint64_t Fewest = 3;
  uint64_t last = 0, answers = 0;
  Time since = 0, latest = 0;
};

} // namespace acis::wire
