// The way from one node to another: datagrams leave one after the other, as from a real port. A
// flow model alone would let all that wait share the link, and all would arrive with the last.
#pragma once

#include "runtime/sim/world/Inbox.h"

#include <simgrid/s4u/Semaphore.hpp>

#include <deque>

namespace acis::cluster {

struct Parcel {
  simgrid::s4u::Mailbox *to;
  Datagram datagram;
  uint64_t size; ///< on links, headers included
};

class Way {
public:
  /// From the calling actor's host; at once if what was sent before has left at `bandwidth`, bytes
  /// per second, of the first link.
  void send(Parcel parcel, double bandwidth);

private:
  void depart(Parcel parcel, double bandwidth);
  void carry(double bandwidth);

  std::deque<Parcel> waiting;
  double free = 0;                 ///< when the last that left has its last byte on the first link
  simgrid::s4u::SemaphorePtr held; ///< how many wait; none before the first did
};

} // namespace acis::cluster
