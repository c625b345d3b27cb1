// Whether a switch has ended: the machine that it ran on answers what is sent to a port that no
// process has. One answer may be to a datagram of before the switch began, so they have to go on
// for a while, with nothing else between them.
#pragma once

#include "runtime/switch/wire/Clock.h"

#include <cstdint>

namespace acis::client {

class Absence {
public:
  /// Something has come from the switch.
  void heard() { answers = 0; }
  /// `refusals`: all answers since the socket was made (UdpSocket::refusals()).
  void note(uint64_t refusals, wire::Time now) {
    if (refusals == last)
      return;
    if (answers == 0)
      since = now;
    answers += refusals - last;
    last = refusals;
    latest = now;
  }
  /// Nothing but answers for so long.
  bool lasts(wire::Time time) const { return answers >= Fewest && latest - since >= time; }

private:
  static constexpr uint64_t Fewest = 3;
  uint64_t last = 0, answers = 0;
  wire::Time since = 0, latest = 0;
};

} // namespace acis::client
