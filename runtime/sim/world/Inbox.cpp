// See Inbox.h.
#include "runtime/sim/world/Inbox.h"

#include <cmath>
#include <exception>

namespace acis::cluster {

namespace s4u = simgrid::s4u;

namespace {

/// Longer waits are taken for endless.
constexpr double Longest = 1e6;

void destroy(void *datagram) { delete static_cast<Datagram *>(datagram); }

} // namespace

wire::Time now() { return wire::Second + wire::Time(std::llround(s4u::Engine::get_clock() * 1e9)); }

double toSeconds(wire::Time time) { return double(time - wire::Second) * 1e-9; }

void pass(double seconds) {
  if (seconds > 0)
    s4u::this_actor::sleep_for(seconds);
}

void transmit(s4u::Mailbox *to, Datagram content, uint64_t size) {
  auto datagram = std::make_unique<Datagram>(std::move(content));
  s4u::CommPtr comm = to->put_init(datagram.release(), size);
  // SMPI replaces the default, by one that copies what its messages point to.
  comm->set_copy_data_callback(s4u::Comm::copy_pointer_callback);
  comm->detach(destroy);
}

Inbox::Inbox(s4u::Mailbox *box) : box(box) { box->set_receiver(s4u::Actor::self()); }

Inbox::~Inbox() {
  if (!pending.empty() && std::uncaught_exceptions() > 0) {
    // An actor that is being ended cannot ask for anything. What is on its way may still arrive.
    pending[0].detach();
    (void)slot.release();
    return;
  }
  if (!pending.empty())
    pending[0]->cancel();
  delete *slot;
}

void Inbox::post() {
  if (!pending.empty())
    return;
  s4u::CommPtr comm = box->get_init();
  comm->set_dst_data(reinterpret_cast<void **>(slot.get()), sizeof *slot);
  comm->set_copy_data_callback(s4u::Comm::copy_pointer_callback);
  comm->start();
  pending.push_back(std::move(comm));
}

std::unique_ptr<Datagram> Inbox::take() {
  pending.clear();
  arrived = false;
  return std::unique_ptr<Datagram>(std::exchange(*slot, nullptr));
}

std::unique_ptr<Datagram> Inbox::poll() {
  post();
  return arrived || pending[0]->test() ? take() : nullptr;
}

void Inbox::sleep(wire::Time deadline, Turn *turn) {
  post();
  double wait = -1;
  if (deadline != wire::Never) {
    // Not less than the protocol's smallest step, or a deadline that has passed were waited for
    // without end.
    wait = std::max(double(deadline - wire::Second) * 1e-9 - s4u::Engine::get_clock(), 1e-9);
    if (wait > Longest)
      wait = -1;
  }
  const std::vector<s4u::CommPtr> one = pending;
  if (turn)
    turn->give();
  const bool isDone = s4u::Comm::wait_any_for(one, wait) == 0;
  if (turn)
    turn->take();
  if (isDone && pending == one)
    arrived = true;
}

} // namespace acis::cluster
