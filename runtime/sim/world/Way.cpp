// See Way.h.
#include "runtime/sim/world/Way.h"

namespace acis::cluster {

namespace s4u = simgrid::s4u;

void Way::depart(Parcel parcel, double bandwidth) {
  free = s4u::Engine::get_clock() + double(parcel.size) / bandwidth;
  transmit(parcel.to, std::move(parcel.datagram), parcel.size);
}

/// One actor for all that ever waits: SimGrid asks for the sender when a datagram arrives.
void Way::carry(double bandwidth) {
  for (;;) {
    held->acquire();
    s4u::this_actor::sleep_until(free);
    Parcel parcel = std::move(waiting.front());
    waiting.pop_front();
    depart(std::move(parcel), bandwidth);
  }
}

void Way::send(Parcel parcel, double bandwidth) {
  if (waiting.empty() && free <= s4u::Engine::get_clock())
    return depart(std::move(parcel), bandwidth);
  waiting.push_back(std::move(parcel));
  if (!held) {
    held = s4u::Semaphore::create(0);
    s4u::Actor::create("way", s4u::this_actor::get_host(), [this, bandwidth] {
      carry(bandwidth);
    })->daemonize();
  }
  // Counted: to wake an actor that is about to suspend itself would be lost.
  held->release();
}

} // namespace acis::cluster
