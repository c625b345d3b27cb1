// Who of some actors works on what they share: a mutex that costs SimGrid nothing where it is free.
#pragma once

#include <simgrid/s4u/Semaphore.hpp>

namespace acis::cluster {

/// Actors change places only where they ask SimGrid for something, so a flag needs no protection.
class Turn {
public:
  void take() {
    while (isTaken) {
      ++waiting;
      given->acquire();
      --waiting;
    }
    isTaken = true;
  }
  void give() {
    isTaken = false;
    if (waiting > 0)
      given->release();
  }

private:
  bool isTaken = false;
  unsigned waiting = 0;
  simgrid::s4u::SemaphorePtr given = simgrid::s4u::Semaphore::create(0);
};

} // namespace acis::cluster
