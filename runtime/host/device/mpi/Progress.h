// What a call does while it waits for something of this library's.
#pragma once

namespace acis::device {

/// Messages of other requests of the program: receives that have met an announcement go on.
void advanceOthers();

/// Between two looks: at first at once, then other processes of this machine get their turn.
class Backoff {
public:
  void pause();

private:
  unsigned looks = 0;
};

} // namespace acis::device
