// A HostSession on a socket, with a lock, a thread that keeps it alive, and waiting.
#include "runtime/host/client/Session.h"

#include "runtime/host/client/HostSession.h"
#include "runtime/switch/wire/Absence.h"
#include "runtime/switch/wire/Faults.h"
#include "runtime/switch/wire/OwnThread.h"
#include "runtime/switch/wire/Spinner.h"
#include "runtime/switch/wire/UdpSocket.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sched.h>
#include <thread>

namespace acis {

using namespace wire;
using State = collective::ParentLink::State;

namespace {

constexpr size_t socketBytes = 4 << 20;
constexpr Time backgroundPeriod = 20 * Millisecond;
/// Taken from the socket before anything is repeated.
constexpr unsigned MostBatches = 16;
/// With more than this to be folded by the switch, a wait sleeps between two arrivals: a wakeup
/// is short beside it, and who polls takes a core from the switch, or from a rank that has yet to
/// send.
constexpr uint64_t mostPolledFor = 65'536;

FaultRates ratesOf(const FaultOptions &options) {
  return {options.loss,    options.duplicate, options.reorder,
          options.corrupt, options.delay,     Time(options.delayTime.count()),
          options.seed};
}

class UdpSession final : public Session {
public:
  UdpSession(const client::HostSession::Config &config, const SessionOptions &options,
             UdpSocket udp, const Address &peer)
      : options(options), spinner(Time(options.spin.count())), socket(std::move(udp)),
        faults(ratesOf(options.faults),
               [this](const Address &to, std::span<const uint8_t> bytes) {
                 ++count.packetsSent;
                 count.bytesSent += bytes.size();
                 socket.send(to, bytes);
               }),
        session(
            config,
            [this](std::span<const uint8_t> bytes) { faults.pass({}, bytes, systemTime()); },
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

  ~UdpSession() override {
    (void)close(std::chrono::milliseconds(200));
    if (thread.joinable()) {
      {
        std::lock_guard guard(lock);
        stopping = true;
      }
      wake.notify_all();
      thread.join();
    }
  }

  Status attach() {
    Status status = waitFor(
        Time(options.openTimeout.count()), [&] { return session.state() == State::Attached; },
        [&] { return session.whyWaiting(); });
    if (status && options.background)
      thread = ownThread([this] { background(); });
    return status;
  }

  Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) override {
    {
      std::unique_lock guard(lock);
      step();
    }
    if (Status status = locked([&] { return session.join(context, ranks, systemTime()); }); !status)
      return status;
    if (Status status = waitFor(
            Time(options.openTimeout.count()),
            [&] { return session.joinAnswer(context).has_value(); },
            [&] {
              return "context " + std::to_string(context) + ": a switch above has not confirmed it";
            });
        !status)
      return status;
    std::lock_guard guard(lock);
    const std::string refusal = *session.joinAnswer(context);
    return refusal.empty() ? Status::ok() : Status(Error{"", refusal});
  }

  Status reach(std::span<const uint32_t> ranks) override {
    // They are a communicator for a moment, whose entry goes through all of the tree.
    constexpr uint32_t context = UINT32_MAX;
    if (Status added = addCommunicator(context, ranks);
        !added && !added.error().what.starts_with("full:"))
      return added;
    retireCommunicator(context);
    return {};
  }

  Status freeCommunicator(uint32_t context) override {
    // What was sent eagerly must have arrived.
    const Time timeout = Time(options.openTimeout.count());
    if (Status status = waitFor(
            timeout, [&] { return session.idle(context); },
            [&] { return "context " + std::to_string(context) + " has collectives under way"; });
        !status)
      return status;
    {
      std::lock_guard guard(lock);
      session.leave(context, systemTime());
    }
    return waitFor(
        timeout, [&] { return !session.isLeaving(context); },
        [&] { return std::string("the switch does not answer"); });
  }

  void retireCommunicator(uint32_t context) override {
    std::lock_guard guard(lock);
    session.retire(context, systemTime());
    socket.flush();
  }

  Result<uint64_t> loadOperator(std::span<const uint8_t> elf, const std::string &name) override;

  Status supports(const Collective &collective) const override {
    std::lock_guard guard(lock);
    Result<client::Plan> plan = session.plan(collective);
    return plan ? Status::ok() : Status(plan.error());
  }

  bool weigh(const Collective &collective) override {
    std::lock_guard guard(lock);
    return session.weigh(collective);
  }

  Result<Request> start(const Collective &collective) override {
    std::lock_guard guard(lock);
    if (!session.failure().empty())
      return Error{"", session.failure()};
    Result<Request> request = session.start(collective, systemTime());
    socket.flush();
    return request;
  }

  Result<bool> test(Request request) override {
    std::lock_guard guard(lock);
    if (session.isDone(request) && session.failure().empty())
      return true;
    step();
    if (!session.failure().empty())
      return Error{"", session.failure()};
    return session.isDone(request);
  }

  Status wait(Request request, Nanoseconds timeout) override {
    return waitFor(
        Time(timeout.count()), [&] { return session.isDone(request); },
        [&] { return session.missing(request) + " within " + seconds(Time(timeout.count())); },
        [&] { return session.bytesToFold(request) <= mostPolledFor; });
  }

  Status progress() override {
    return locked([&] {
      step();
      return session.failure().empty() ? Status::ok() : Status(Error{"", session.failure()});
    });
  }

  Status drain(Nanoseconds timeout) override {
    return waitFor(
        Time(timeout.count()), [&] { return isOver() || session.idle(); },
        [] { return std::string("collectives are under way"); });
  }

  Status close(Nanoseconds timeout) override {
    Status status = drain(timeout);
    {
      std::lock_guard guard(lock);
      session.close(systemTime());
      socket.flush();
    }
    Status left = waitFor(
        Time(timeout.count()), [&] { return isOver(); },
        [] { return std::string("the switch does not answer"); });
    return status ? left : status;
  }

  Status openControl(uint32_t context, std::span<const uint32_t> ranks,
                     const Policy &policy) override {
    if (Status opened =
            locked([&] { return session.openControl(context, ranks, policy, systemTime()); });
        !opened)
      return opened;
    Status heard = waitFor(
        Time(options.openTimeout.count()), [&] { return session.control(context)->isHeard(); },
        [] { return std::string("the switch does not answer"); });
    std::lock_guard guard(lock);
    const std::string failure = session.control(context)->order().failure;
    if (heard && failure.empty())
      return {};
    session.closeControl(context);
    return heard ? Status(Error{"", failure}) : heard;
  }

  Status beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout,
                        Nanoseconds waited) override {
    Result<bool> begun = false;
    const auto isOver = [&] {
      begun = session.beginIteration(context, iteration, systemTime());
      return !begun || *begun;
    };
    const Status status = waitFor(Time(timeout.count()), isOver, [&] {
      return "iteration " + std::to_string(iteration) + " may not begin within " +
             seconds(Time((waited + timeout).count())) + ": the switch waits for " +
             session.control(context)->slowestText();
    });
    return begun ? status : Status(begun.error());
  }

  Status endIteration(uint32_t context, uint64_t iteration) override {
    return locked([&] {
      const Status ended = session.endIteration(context, iteration, systemTime());
      socket.flush();
      return ended;
    });
  }

  Result<ControlState> control(uint32_t context) override {
    std::lock_guard guard(lock);
    step();
    return session.controlState(context);
  }

  size_t taskBytes() const override {
    std::lock_guard guard(lock);
    return session.datagramBytes();
  }

  Status putTask(uint32_t context, std::span<const uint8_t> task) override {
    return locked([&]() -> Status {
      client::HostControl *group = session.control(context);
      if (Status usable = isUsable(group, context); !usable)
        return usable;
      if (task.size() > session.datagramBytes())
        return Error{"", "a task of " + std::to_string(task.size()) + " bytes; at most " +
                             std::to_string(session.datagramBytes()) +
                             " are moved, a packet of the switch (acisd --packet-bytes)"};
      group->tasks().put({task.begin(), task.end()}, systemTime());
      step();
      return {};
    });
  }

  Result<NextTask> nextTask(uint32_t context, Nanoseconds timeout) override {
    NextTask out;
    Status usable;
    const auto isOver = [&] { // may be asked again
      if (!usable || out.what != NextTask::What::None)
        return true;
      client::HostControl *group = session.control(context);
      usable = isUsable(group, context);
      if (!usable)
        return true;
      using Next = client::HostTasks::Next;
      const Next next = group->tasks().next(out.task, systemTime());
      out.what = next == Next::Task    ? NextTask::What::Task
                 : next == Next::Ended ? NextTask::What::Ended
                                       : NextTask::What::None;
      group->pump(systemTime());
      if (next == Next::Wait)
        group->wait(systemTime());
      socket.flush();
      return next != Next::Wait;
    };
    const Status status = waitFor(Time(timeout.count()), isOver, [&] {
      out.waitsFor = "rank " + std::to_string(session.control(context)->busiest());
      return std::string();
    });
    if (!usable)
      return usable.error();
    if (!status && out.waitsFor.empty())
      return status.error();
    return out;
  }

  Result<GroupSum> sum(uint32_t context, std::span<const double> share,
                       Nanoseconds timeout) override {
    if (Status begun = locked([&] { return beginSum(context, share); }); !begun)
      return begun.error();
    GroupSum out;
    Status usable;
    const auto isOver = [&] {
      client::HostControl *group = session.control(context);
      usable = isUsable(group, context);
      return !usable || group->sum().isOver();
    };
    bool isLate = false;
    const Status status = waitFor(Time(timeout.count()), isOver, [&] {
      isLate = true;
      return std::string();
    });
    if (!usable)
      return usable.error();
    if (!status && !isLate)
      return status.error();
    std::lock_guard guard(lock);
    client::HostControl &group = *session.control(context);
    client::HostSum &made = group.sum();
    out = {made.number(), made.isMade(), group.isIn(), group.whoIsIn(), {}};
    if (made.isMade()) {
      out.values.resize(share.size());
      std::memcpy(out.values.data(), made.sum().elements.data(), 8 * share.size());
    }
    if (made.isOver())
      made.take();
    return out;
  }

  Status closeControl(uint32_t context, Nanoseconds timeout) override {
    {
      std::lock_guard guard(lock);
      client::HostControl *group = session.control(context);
      if (!group)
        return {};
      group->leave(systemTime());
    }
    Status left = waitFor(
        Time(timeout.count()), [&] { return session.control(context)->hasLeft(); },
        [] { return std::string("the switch does not answer"); });
    std::lock_guard guard(lock);
    session.closeControl(context);
    return left;
  }

  Result<uint64_t> startAccess(const Access &access, bool polled) override {
    std::lock_guard guard(lock);
    if (!session.failure().empty())
      return Error{"", session.failure()};
    const uint64_t id = session.memory().start(access, polled);
    session.tick(systemTime());
    socket.flush();
    return id;
  }

  Result<bool> testAccess(uint64_t id) override {
    std::lock_guard guard(lock);
    if (!session.memory().isDone(id))
      step();
    if (session.memory().isDone(id))
      return true;
    if (!session.failure().empty())
      return Error{"", session.failure()};
    return false;
  }

  Result<Outcome> waitAccess(uint64_t id, Nanoseconds timeout) override {
    const Status done = waitFor(
        Time(timeout.count()), [&] { return session.memory().isDone(id); },
        [&] {
          return "the memory node has not answered within " + seconds(Time(timeout.count()));
        });
    if (!done)
      return done.error();
    std::lock_guard guard(lock);
    return session.memory().take(id);
  }

  uint32_t accessBytes() const override {
    std::lock_guard guard(lock);
    return session.accessBytes();
  }

  const SessionCounters &counters() const override {
    std::lock_guard guard(lock);
    session.count(count);
    return count;
  }

private:
  bool isOver() const {
    return session.state() == State::Closed || session.state() == State::Failed;
  }

  Status isUsable(const client::HostControl *, uint32_t context) {
    const Result<client::HostControl *> group = session.usableControl(context);
    return group ? Status() : Status(group.error());
  }

  /// Under the lock.
  Status beginSum(uint32_t context, std::span<const double> share) {
    client::HostControl *group = session.control(context);
    if (Status usable = isUsable(group, context); !usable)
      return usable;
    const size_t most = (session.datagramBytes() - PartialSum::bytesOfWho(Report::MostMembers)) / 8;
    if (share.empty() || share.size() > most)
      return Error{"", "a share of " + std::to_string(share.size()) + " numbers; 1 to " +
                           std::to_string(most) +
                           " are allowed, as many as a packet of the switch " +
                           "has room for (acisd --packet-bytes)"};
    if (!group->sum().isUnderWay()) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(share.data());
      if (bytes)
        group->sum().give({bytes, bytes + 8 * share.size()}, systemTime());
      else
        group->sum().ask(8 * share.size(), systemTime());
      step();
    }
    return {};
  }

  template <typename F> Status locked(F f) {
    std::lock_guard guard(lock);
    return f();
  }

  /// For HostSession. All groups of a switch have one port.
  bool listen(const Address &group, bool begin) {
    if (!begin) {
      groups->leaveGroup(group, local);
      return true;
    }
    if (!groups) {
      if (Result<UdpSocket> made = UdpSocket::listenToGroups(group.port, socketBytes))
        groups.emplace(std::move(*made)).takeGroups();
      groupPort = group.port;
    }
    return groups && group.port == groupPort && groups->joinGroup(group, local);
  }

  /// What is long goes where the caller wants it, if it is what is expected next.
  size_t receiveSome(UdpSocket &from,
                     const std::function<void(std::span<const UdpSocket::Arrived>)> &take) {
    expected.clear();
    session.expect(expected, UdpSocket::MostPlaces);
    if (expected.empty())
      return from.receive(take);
    places.clear();
    for (const client::Place &place : expected)
      places.push_back(place.bytes);
    return from.receiveInto(
        HeaderBytes, places,
        [&](size_t i, std::span<const uint8_t> head) { return expected[i].isFor(head); }, take);
  }

  /// Takes what has come on one socket; whether there was anything.
  bool receive(UdpSocket &from) {
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

  /// Under the lock: takes what has come, sends what is due. Returns when to go on.
  Time step() {
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
    due = session.tick(now);
    const Time next = std::min(due, faults.tick(now));
    socket.flush();
    return next;
  }

  /// Until done() or the timeout: polls for a while after each arrival, if it is soon(), then
  /// sleeps.
  template <typename Done, typename What, typename Soon>
  Status waitFor(Time timeout, Done done, What what, Soon soon) {
    const Time start = systemTime();
    const Time limit = timeout > Never - start ? Never : start + timeout;
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
  template <typename Done, typename What> Status waitFor(Time timeout, Done done, What what) {
    return waitFor(timeout, done, what, [] { return true; });
  }

  void offerCore(std::unique_lock<std::mutex> &guard, Time now) {
    guard.unlock();
    sched_yield();
    guard.lock();
    spinner.yielded(now, systemTime());
  }

  template <typename Done, typename What, typename Soon>
  Status waitLocked(std::unique_lock<std::mutex> &guard, Time limit, Done done, What what,
                    Soon soon) {
    for (;;) {
      heard = false;
      const Time next = step();
      if (done())
        return Status::ok();
      if (!session.failure().empty())
        return Error{"", session.failure()};
      const Time now = systemTime();
      if (now >= limit)
        return Error{"", what()};
      if (heard)
        spinner.begin(now);
      if (spinner.polls(now) && soon()) {
        offerCore(guard, now);
      } else if (next > now) {
        guard.unlock();
        socket.sleep(std::min({next, limit, now + Second}) - now, groups ? &*groups : nullptr);
        const Time woken = systemTime();
        guard.lock();
        if (woken >= next)
          session.late(woken - next);
      }
    }
  }

  void background() {
    std::unique_lock guard(lock);
    while (!stopping) {
      wake.wait_for(guard, std::chrono::nanoseconds(backgroundPeriod));
      // Who waits makes progress; taking its datagram would leave it asleep.
      if (!stopping && waiters == 0)
        step();
    }
  }

  SessionOptions options;
  Spinner spinner;
  UdpSocket socket;
  wire::Absence absence;
  Faults<Address> faults;
  client::HostSession session;
  const Address local, peer;
  std::optional<UdpSocket> groups; ///< what the switch sends to several at once
  uint16_t groupPort = 0;
  mutable std::mutex lock;
  std::condition_variable wake;
  std::thread thread;
  bool stopping = false, heard = false;
  bool passed = false;                 ///< the last step() did not look at `socket`
  std::vector<client::Place> expected; ///< of receiveSome()
  std::vector<std::span<uint8_t>> places;
  Time due = 0; ///< when the session wants to repeat something
  unsigned waiters = 0;
  mutable SessionCounters count;
};

Result<uint64_t> UdpSession::loadOperator(std::span<const uint8_t> elf, const std::string &name) {
  const uint64_t hash = operatorHash(elf, name);
  {
    std::lock_guard guard(lock);
    if (!session.failure().empty())
      return Error{"", session.failure()};
    session.upload(elf, name, hash, systemTime());
  }
  if (Status status = waitFor(
          Time(options.openTimeout.count()), [&] { return session.uploadAnswer().has_value(); },
          [] { return std::string("the switch has not taken the operator"); });
      !status)
    return status.error();
  std::lock_guard guard(lock);
  if (!session.uploadAnswer()->refusal.empty())
    return Error{"", session.uploadAnswer()->refusal};
  return hash;
}

} // namespace

Result<std::unique_ptr<Session>> Session::open(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options) {
  Result<Address> address = parseAddress(endpoint.address);
  if (!address)
    return address.error();
  Result<std::optional<Key>> key = parseKey(endpoint.key);
  if (!key)
    return key.error();
  Result<UdpSocket> socket = UdpSocket::connect(*address, socketBytes);
  if (!socket)
    return socket.error();
  client::HostSession::Config config;
  config.link.job = endpoint.job;
  config.link.key = *key;
  config.link.who.id = rank;
  config.link.who.size = size;
  config.link.who.turn = options.turn;
  config.link.parentName = "switch " + endpoint.address;
  config.link.deadAfter = Time(options.deadAfter.count());
  config.link.nonce = randomBits();
  config.placement = {options.leafOfRank, options.parentOfSwitch};
  config.eagerBytes = options.eagerBytes;
  config.way = options.way;
  auto session = std::make_unique<UdpSession>(config, options, std::move(*socket), *address);
  if (Status status = session->attach(); !status)
    return Error{endpoint.address, status.error().what};
  return std::unique_ptr<Session>(std::move(session));
}

} // namespace acis
