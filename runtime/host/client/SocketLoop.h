// What is between a HostSession and its socket: a lock, a thread that keeps the session alive, and
// waiting. The session and all of this but hold(), locked() and waitFor() are used under the lock.
#pragma once

#include "runtime/host/client/HostSession.h"
#include "runtime/switch/wire/Absence.h"
#include "runtime/switch/wire/Faults.h"
#include "runtime/switch/wire/Spinner.h"
#include "runtime/switch/wire/UdpSocket.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace acis::client {

class SocketLoop {
public:
  static constexpr size_t SocketBytes = 4 << 20;

  /// `udp` is connected to `peer`, the switch.
  SocketLoop(const HostSession::Config &config, const SessionOptions &options, wire::UdpSocket udp,
             const wire::Address &peer);
  ~SocketLoop(); ///< ends the thread

  /// From now on a thread makes progress while nobody waits.
  void runInBackground();

  HostSession &hosted() { return session; }
  std::unique_lock<std::mutex> hold() { return std::unique_lock(lock); }
  template <typename F> auto locked(F f) {
    const auto guard = hold();
    return f();
  }

  /// Takes what has come, sends what is due. Returns when to go on.
  wire::Time step();
  /// Sends what step() or the session have given to the socket.
  void flush() { socket.flush(); }
  /// Nothing can come any more: the session is closed or has failed.
  bool isOver() const;
  const SessionCounters &counters();

  /// Until done() or the timeout, whose error is what(): polls for a while after each arrival, if
  /// it is soon(), then sleeps. For as long as this process is kept from running, though it has
  /// something to do, the timeout stands still.
  template <typename Done, typename What, typename Soon>
  Status waitFor(wire::Time timeout, Done done, What what, Soon soon) {
    const wire::Time start = wire::systemTime();
    const wire::Time limit = timeout > wire::Never - start ? wire::Never : start + timeout;
    std::unique_lock guard(lock);
    ++waiters;
    spinner.begin(start);
    // What was just sent has no answer yet: it may come from who shares this core.
    if (spinner.polls(start) && soon() && !done())
      offerCore(guard, start);
    const Status status = waitLocked(guard, limit, done, what, soon);
    --waiters;
    return status;
  }
  template <typename Done, typename What> Status waitFor(wire::Time timeout, Done done, What what) {
    return waitFor(timeout, done, what, [] { return true; });
  }

private:
  void offerCore(std::unique_lock<std::mutex> &guard, wire::Time now);
  template <typename Done, typename What, typename Soon>
  Status waitLocked(std::unique_lock<std::mutex> &guard, wire::Time limit, Done done, What what,
                    Soon soon) {
    for (;;) {
      heard = false;
      wire::Time next = step();
      if (done())
        return Status::ok();
      if (!session.failure().empty())
        return Error{"", session.failure()};
      const wire::Time now = wire::systemTime();
      if (now >= limit)
        return Error{"", what()};
      if (heard)
        spinner.begin(now);
      if (spinner.polls(now) && soon()) {
        offerCore(guard, now);
      } else if (next = std::min(next, speak(now)); next > now) { // done() may have set a time
        const wire::Time until = std::min({next, limit, now + wire::Second});
        guard.unlock();
        socket.sleep(until - now, groups ? &*groups : nullptr);
        const wire::Time woken = wire::systemTime();
        guard.lock();
        if (woken >= next)
          session.late(woken - next);
        if (woken > until && limit != wire::Never)
          limit += woken - until;
      }
    }
  }

  bool listen(const wire::Address &group, bool begin);
  size_t receiveSome(wire::UdpSocket &from,
                     const std::function<void(std::span<const wire::UdpSocket::Arrived>)> &take);
  bool receive(wire::UdpSocket &from);
  /// The second half of step(): sends what is due. Returns when to go on.
  wire::Time speak(wire::Time now);
  void background();

  wire::Spinner spinner;
  wire::UdpSocket socket;
  wire::Absence absence;
  wire::Faults<wire::Address> faults;
  HostSession session;
  const wire::Address local, peer;
  std::optional<wire::UdpSocket> groups; ///< what the switch sends to several at once
  uint16_t groupPort = 0;
  std::mutex lock;
  std::condition_variable wake;
  std::thread thread;
  bool stopping = false, heard = false;
  bool passed = false;         ///< the last step() did not look at `socket`
  std::vector<Place> expected; ///< of receiveSome()
  std::vector<std::span<uint8_t>> places;
  wire::Time due = 0; ///< when the session wants to repeat something
  unsigned waiters = 0;
  SessionCounters count;
};

} // namespace acis::client
