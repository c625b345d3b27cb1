// Datagrams between actors: how they are sent, and how an actor waits for them.
#pragma once

#include "runtime/sim/world/Turn.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acis::cluster {

struct Datagram {
  wire::Address from;
  uint16_t port = 0; ///< to which it goes
  std::vector<uint8_t> bytes;
};

/// Simulated time as the protocol counts it. It begins with a second: 0 is "never yet" there.
wire::Time now();
double toSeconds(wire::Time time);
/// Lets time pass in the calling actor.
void pass(double seconds);

/// Puts a datagram of `size` bytes on its way from the calling actor's host.
void transmit(simgrid::s4u::Mailbox *to, Datagram datagram, uint64_t size);

/// A mailbox of the actor that makes it; others may share it by turns. One receive is always
/// pending: before SimGrid 3.36 a Comm::wait_for that times out cancels the datagram on its way;
/// waiting for any of one does not.
class Inbox {
public:
  explicit Inbox(simgrid::s4u::Mailbox *box);
  ~Inbox();
  Inbox(const Inbox &) = delete;

  /// What has arrived, or nothing.
  std::unique_ptr<Datagram> poll();
  /// Until something arrives or the deadline comes; wire::Never: no deadline. Time passes in any
  /// case where nothing has arrived. Who shares the mailbox has its turn, and gives it while it
  /// sleeps.
  void sleep(wire::Time deadline, Turn *turn = nullptr);
  /// What a sleep has brought, if no other actor has it.
  std::unique_ptr<Datagram> received() { return arrived ? take() : nullptr; }
  /// The next datagram, or nothing if the deadline comes first.
  std::unique_ptr<Datagram> await(wire::Time deadline) {
    sleep(deadline);
    return received();
  }

private:
  void post();
  std::unique_ptr<Datagram> take();

  simgrid::s4u::Mailbox *box;
  std::vector<simgrid::s4u::CommPtr> pending;                               ///< none or one
  bool arrived = false;                                                     ///< what is pending
  std::unique_ptr<Datagram *> slot = std::make_unique<Datagram *>(nullptr); ///< where it comes
};

} // namespace acis::cluster
