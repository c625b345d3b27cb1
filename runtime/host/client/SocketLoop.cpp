#include "runtime/host/client/SocketLoop.h"

#include "runtime/switch/wire/OwnThread.h"

#include <sched.h>

namespace acis::client {

using namespace wire;
using State = collective::ParentLink::State;

namespace {

constexpr Time backgroundPeriod = 20 * Millisecond;
/// Taken from the socket before anything is repeated.
constexpr unsigned MostBatches = 16;

FaultRates ratesOf(const FaultOptions &options) {
  return {options.loss,    options.duplicate, options.reorder,
          options.corrupt, options.delay,     Time(options.delayTime.count()),
          options.seed};
}

} // namespace

SocketLoop::SocketLoop(const HostSession::Config &config, const SessionOptions &options,
                       UdpSocket udp, const Address &peer)
    : spinner(Time(options.spin.count())), socket(std::move(udp)),
      faults(ratesOf(options.faults),
             [this](const Address &to, std::span<const uint8_t> bytes) {
               ++count.packetsSent;
               count.bytesSent += bytes.size();
               socket.send(to, bytes);
             }),
      session(
          config, [this](std::span<const uint8_t> bytes) { faults.pass({}, bytes, systemTime()); },
          [this](const Address &group, bool begin) { return listen(group, begin); },
          [this](size_t bytes) { return socket.room(bytes); },
          [this] { return payloadOf(socket.longestWhole()); }),
      local(socket.localAddress()), peer(peer) {
  socket.segment();
  socket.takeGroups();
  session.sendInPieces([this](std::span<const uint8_t> head, std::span<const uint8_t> body) {
    if (faults.any())
      return faults.pass({}, head, body, systemTime());
    ++count.packetsSent;
    count.bytesSent += head.size() + body.size();
    socket.send({}, head, body);
  });
}

SocketLoop::~SocketLoop() {
  if (!thread.joinable())
    return;
  {
    const auto guard = hold();
    stopping = true;
  }
  wake.notify_all();
  thread.join();
}

void SocketLoop::runInBackground() {
  thread = ownThread([this] { background(); });
}

bool SocketLoop::isOver() const {
  return session.state() == State::Closed || session.state() == State::Failed;
}

const SessionCounters &SocketLoop::counters() {
  session.count(count);
  return count;
}

/// For HostSession. All groups of a switch have one port.
bool SocketLoop::listen(const Address &group, bool begin) {
  if (!begin) {
    groups->leaveGroup(group, local);
    return true;
  }
  if (!groups) {
    if (Result<UdpSocket> made = UdpSocket::listenToGroups(group.port, SocketBytes))
      groups.emplace(std::move(*made)).takeGroups();
    groupPort = group.port;
  }
  return groups && group.port == groupPort && groups->joinGroup(group, local);
}

/// What is long goes where the caller wants it, if it is what is expected next.
size_t
SocketLoop::receiveSome(UdpSocket &from,
                        const std::function<void(std::span<const UdpSocket::Arrived>)> &take) {
  expected.clear();
  session.expect(expected, UdpSocket::MostPlaces);
  if (expected.empty())
    return from.receive(take);
  places.clear();
  for (const Place &place : expected)
    places.push_back(place.bytes);
  return from.receiveInto(
      HeaderBytes, places,
      [&](size_t i, std::span<const uint8_t> head) { return expected[i].isFor(head); }, take);
}

/// Takes what has come on one socket; whether there was anything.
bool SocketLoop::receive(UdpSocket &from) {
  size_t all = 0;
  do {
    all += receiveSome(from, [&](std::span<const UdpSocket::Arrived> arrived) {
      const Time now = systemTime();
      for (const UdpSocket::Arrived &datagram : arrived) {
        if (&from != &socket && datagram.from != peer)
          continue; // what the connected socket does not get at all
        // What comes may end a call whose message has yet to go out of its buffer.
        if (socket.hasBodies())
          socket.flush();
        ++count.packetsReceived;
        count.bytesReceived += datagram.bytes.size() + datagram.rest.size();
        if (datagram.rest.empty())
          session.receive(datagram.bytes, now);
        else
          session.receive(datagram.bytes, datagram.rest, now);
      }
    });
  } while (from.mayHaveMore());
  heard |= all > 0;
  return all > 0;
}

Time SocketLoop::step() {
  // A result that goes to all is nearly always what is waited for. But what is here already is
  // not asked for again.
  passed = groups && receive(*groups) && !passed && systemTime() < due;
  for (unsigned batch = 0; !passed && batch < MostBatches && receive(socket); ++batch) {
    absence.heard();
    if (!socket.mayHaveMore())
      break;
  }
  const Time now = systemTime();
  if (absence.note(socket.refusals(), now))
    session.ask(now); // the answer may be forged; a switch that is there says so
  // One that is to begin may be a little later than its hosts.
  if (absence.lasts(session.state() == State::Attached ? Second : 2 * Second) && !isOver())
    session.nobodyListens();
  return speak(now);
}

Time SocketLoop::speak(Time now) {
  due = session.tick(now);
  const Time next = std::min(due, faults.tick(now));
  socket.flush();
  return next;
}

void SocketLoop::offerCore(std::unique_lock<std::mutex> &guard, Time now) {
  guard.unlock();
  sched_yield();
  guard.lock();
  spinner.yielded(now, systemTime());
}

void SocketLoop::background() {
  std::unique_lock guard(lock);
  while (!stopping) {
    wake.wait_for(guard, std::chrono::nanoseconds(backgroundPeriod));
    // Who waits makes progress; taking its datagram would leave it asleep.
    if (!stopping && waiters == 0)
      step();
  }
}

} // namespace acis::client
