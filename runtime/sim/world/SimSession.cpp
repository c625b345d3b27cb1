// See SimSession.h.
#include "runtime/sim/world/SimSession.h"

#include "runtime/host/client/HostSession.h"

#include <algorithm>
#include <exception>
#include <map>

namespace acis::cluster {
namespace {

using State = collective::ParentLink::State;
using wire::Time;
namespace s4u = simgrid::s4u;

constexpr Time DeadAfter = 1'000'000 * wire::Second; ///< see Devices.cpp
/// Who only looks lets so much time pass, or a loop of looks would not end.
constexpr double LookTime = 100e-9;
/// Between two pieces of extra work, as on metal (docs/control.md).
constexpr double ControlLookTime = 1e-6;

/// The two ends of a session: of the rank, and the switch or memory node.
struct Ends {
  wire::Address own, other;
};

class SimSession final : public Session {
public:
  /// `rank` of the world.
  SimSession(World &world, uint32_t rank, const client::HostSession::Config &config,
             const wire::FaultRates &rates, const SessionOptions &options, const Ends &ends)
      : world(world), rank(rank), options(options), self(ends.own), other(ends.other),
        inbox(world.boxOf(self)),
        faults(rates,
               [this](const wire::Address &to, std::span<const uint8_t> bytes) {
                 this->world.transmit(self, to, bytes);
               }),
        session(config, [this](std::span<const uint8_t> bytes) {
          ++count.packetsSent;
          count.bytesSent += bytes.size();
          faults.pass(other, bytes, now());
        }) {
    if (isWithMemory())
      world.keep();
    else
      world.watch(rank, [this] { return waitsFor ? waiting() : "computes, or waits in MPI"; });
  }

  ~SimSession() override {
    // An actor that is being ended cannot wait.
    if (!world.isOver() && std::uncaught_exceptions() == 0) {
      (void)close(std::chrono::milliseconds(200));
      turn.take(); // not while it sends
      if (servant)
        servant->kill();
    }
    world.accessesOf(rank) -= accesses;
    if (!isWithMemory())
      world.watchNoMore(rank);
  }

  void measure(const Bench &with) { bench = with; }

  Status attach() {
    return waitFor(
        options.openTimeout, [&] { return session.state() == State::Attached; },
        [this] { return nameOfOther() + " does not answer"; });
  }

  Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) override {
    return inCall([&]() -> Status {
      if (Status status = session.join(context, ranks, now()); !status)
        return status;
      if (Status status = wait(
              options.openTimeout, [&] { return session.joinAnswer(context).has_value(); },
              [&] {
                return "context " + std::to_string(context) +
                       ": a switch above has not confirmed it";
              });
          !status)
        return status;
      const std::string refusal = *session.joinAnswer(context);
      return refusal.empty() ? Status::ok() : Status(Error{"", refusal});
    });
  }

  Status freeCommunicator(uint32_t context) override {
    return inCall([&]() -> Status {
      if (Status status = wait(
              options.openTimeout, [&] { return session.idle(context); },
              [&] { return "context " + std::to_string(context) + " has collectives under way"; });
          !status)
        return status;
      session.leave(context, now());
      return wait(
          options.openTimeout, [&] { return !session.isLeaving(context); },
          [] { return std::string("the switch does not answer"); });
    });
  }

  void retireCommunicator(uint32_t context) override {
    (void)inCall([&] {
      session.retire(context, now());
      return Status();
    });
  }

  Result<uint64_t> loadOperator(std::span<const uint8_t> elf, const std::string &name) override {
    return inCall([&]() -> Result<uint64_t> {
      const uint64_t hash = wire::operatorHash(elf, name);
      session.upload(elf, name, hash, now());
      if (Status status = wait(
              options.openTimeout, [&] { return session.uploadAnswer().has_value(); },
              [] { return std::string("the switch has not taken the operator"); });
          !status)
        return status.error();
      if (!session.uploadAnswer()->refusal.empty())
        return Error{"", session.uploadAnswer()->refusal};
      return hash;
    });
  }

  Status supports(const Collective &collective) const override {
    Result<client::Plan> plan = session.plan(collective);
    return plan ? Status::ok() : Status(plan.error());
  }

  bool weigh(const Collective &collective) override { return session.weigh(collective); }

  Result<Request> start(const Collective &collective) override {
    return inCall([&]() -> Result<Request> {
      if (!session.failure().empty())
        return Error{"", session.failure()};
      const double begin = simgrid::s4u::Engine::get_clock();
      pass(world.platform().host.overhead);
      Result<Request> request = session.start(collective, now());
      if (request && world.timeline())
        drawn[*request] = {begin, nameOfCall(collective),
                           collective.count * bytesOf(collective.type)};
      draw();
      return request;
    });
  }

  Result<bool> test(Request request) override {
    return inCall([&]() -> Result<bool> {
      look();
      if (!session.failure().empty())
        return Error{"", session.failure()};
      if (!session.isDone(request))
        return false;
      pass(world.platform().host.overhead);
      return true;
    });
  }

  Status wait(Request request, Nanoseconds timeout) override {
    return inCall([&]() -> Status {
      const Status status = wait(
          timeout, [&] { return session.isDone(request); },
          [&] {
            return session.missing(request) + " within " + wire::seconds(Time(timeout.count()));
          });
      if (status)
        pass(world.platform().host.overhead);
      return status;
    });
  }

  Status progress() override {
    return inCall([&]() -> Status {
      look();
      return session.failure().empty() ? Status::ok() : Status(Error{"", session.failure()});
    });
  }

  Status drain(Nanoseconds timeout) override {
    return waitFor(
        timeout, [&] { return isLeft() || session.idle(); },
        [] { return std::string("collectives are under way"); });
  }

  Status close(Nanoseconds timeout) override {
    if (isLeft())
      return {};
    const Status status = drain(timeout);
    return inCall([&]() -> Status {
      session.close(now());
      const Status left = wait(
          timeout, [&] { return isLeft(); },
          [] { return std::string("the switch does not answer"); });
      return status ? left : status;
    });
  }

  Status openControl(uint32_t context, std::span<const uint32_t> ranks,
                     const wire::Policy &policy) override {
    return inCall([&]() -> Status {
      if (Status opened = session.openControl(context, ranks, policy, now()); !opened)
        return opened;
      const Status heard = wait(
          options.openTimeout, [&] { return session.control(context)->isHeard(); },
          [] { return std::string("the switch does not answer"); });
      const std::string failure = session.control(context)->order().failure;
      if (heard && failure.empty())
        return {};
      session.closeControl(context);
      return heard ? Status(Error{"", failure}) : heard;
    });
  }

  Status beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout,
                        Nanoseconds waited) override {
    return inCall([&]() -> Status {
      Result<bool> begun = false;
      const Status status = wait(
          timeout,
          [&] {
            begun = session.beginIteration(context, iteration, now());
            return !begun || *begun;
          },
          [&] {
            return "iteration " + std::to_string(iteration) + " may not begin within " +
                   wire::seconds(Time((waited + timeout).count())) + ": the switch waits for " +
                   session.control(context)->slowestText();
          });
      return begun ? status : Status(begun.error());
    });
  }

  Status endIteration(uint32_t context, uint64_t iteration) override {
    return inCall([&]() -> Status { return session.endIteration(context, iteration, now()); });
  }

  Result<ControlState> control(uint32_t context) override {
    return inCall([&]() -> Result<ControlState> {
      pass(ControlLookTime);
      look();
      return session.controlState(context);
    });
  }

  Status closeControl(uint32_t context, Nanoseconds timeout) override {
    return inCall([&]() -> Status {
      client::HostControl *group = session.control(context);
      if (!group)
        return {};
      group->leave(now());
      const Status left = wait(
          timeout, [&] { return session.control(context)->hasLeft(); },
          [] { return std::string("the switch does not answer"); });
      session.closeControl(context);
      return left;
    });
  }

  /// A call makes requests to several nodes, and several to each: the host's overhead is that of
  /// the call, before its first request and behind its last answer.
  Result<uint64_t> startAccess(const wire::Access &access, bool polled) override {
    return inCall([&]() -> Result<uint64_t> {
      if (!session.failure().empty())
        return Error{"", session.failure()};
      if (world.accessesOf(rank)++ == 0)
        pass(world.platform().host.overhead);
      ++accesses;
      const uint64_t id = session.memory().start(access, polled);
      tick();
      return id;
    });
  }

  Result<bool> testAccess(uint64_t id) override {
    return inCall([&]() -> Result<bool> {
      look();
      if (session.memory().isDone(id))
        return true;
      if (!session.failure().empty())
        return Error{"", session.failure()};
      return false;
    });
  }

  Result<wire::Outcome> waitAccess(uint64_t id, Nanoseconds timeout) override {
    return inCall([&]() -> Result<wire::Outcome> {
      world.waitsFor(rank, nameOfOther() + " has not answered");
      const Status done = wait(
          timeout, [&] { return session.memory().isDone(id); },
          [&] {
            return nameOfOther() + " has not answered within " +
                   wire::seconds(Time(timeout.count()));
          });
      world.waitsFor(rank, "");
      if (!done)
        return done.error();
      --accesses;
      if (--world.accessesOf(rank) == 0)
        pass(world.platform().host.overhead);
      return session.memory().take(id);
    });
  }

  uint32_t accessBytes() const override { return session.accessBytes(); }

  const SessionCounters &counters() const override {
    session.count(count);
    return count;
  }

private:
  bool isWithMemory() const { return self.port != World::AcisPort; }
  std::string nameOfOther() const { return isWithMemory() ? world.nameOf(other) : "the switch"; }

  /// Around everything that takes simulated time, so that SMPI does not take it for computation.
  /// Not by a destructor: what takes time may end the actor, by an exception.
  template <typename Body> std::invoke_result_t<Body> inCall(Body body) {
    if (bench.stop)
      bench.stop();
    isPresent = true;
    turn.take();
    std::invoke_result_t<Body> result = body();
    isPresent = false;
    leave();
    turn.give();
    if (bench.go)
      bench.go();
    return result;
  }

  /// Whether something is under way that needs this end, as resending what was lost does.
  bool isBusy() const { return !isLeft() && session.failure().empty() && !session.idle(); }

  /// To the servant, until the next call.
  void leave() {
    if (!isBusy())
      return;
    if (!servant) {
      servant = s4u::Actor::create("servant", s4u::this_actor::get_host(), [this] { serve(); });
      servant->daemonize();
    }
    if (!isServing) {
      isServing = true;
      called->release();
    } else if (tick() < sleepsUntil) {
      transmit(world.boxOf(self), {}, 0); // wakes it
    }
  }

  /// What the thread of a session does on metal: progress while the program is elsewhere.
  void serve() {
    for (;;) {
      called->acquire();
      turn.take();
      while (!isPresent && isBusy()) {
        sleepsUntil = tick();
        inbox.sleep(sleepsUntil, &turn);
        if (isPresent)
          break; // the call takes what has come
        if (std::unique_ptr<Datagram> datagram = inbox.received())
          receive(*datagram);
      }
      isServing = false;
      turn.give();
    }
  }

  bool isLeft() const {
    return session.state() == State::Closed || session.state() == State::Failed;
  }

  /// Without how long it has waited so far: MPI looks again and again.
  std::string waiting() const {
    std::string text = waitsFor();
    if (const size_t from = text.find(" within "); from != std::string::npos)
      text.erase(from, text.find(": ", from) - from);
    return text;
  }

  static std::string nameOfCall(const Collective &call) {
    std::string name(nameOf(call.kind));
    if (call.task)
      name += " + op";
    if (call.task && call.task->next)
      name += " + " + std::string(nameOf(call.task->next->kind));
    return name;
  }

  /// Requests that are complete.
  void draw() {
    std::erase_if(drawn, [&](const auto &item) {
      if (!session.isDone(item.first))
        return false;
      Timeline &timeline = *world.timeline();
      timeline.span(timeline.track("ranks", "rank " + std::to_string(rank)), item.second.name,
                    item.second.begin, simgrid::s4u::Engine::get_clock(),
                    {item.second.bytes, "switch"});
      return true;
    });
  }

  void receive(const Datagram &datagram) {
    if (datagram.bytes.empty())
      return; // see leave()
    ++count.packetsReceived;
    count.bytesReceived += datagram.bytes.size();
    session.receive(datagram.bytes, now());
    draw();
  }

  Time tick() { return std::min(session.tick(now()), faults.tick(now())); }

  /// Takes what has come. Time passes if it was looked at this instant before.
  void look() {
    if (lastLook == now())
      pass(LookTime);
    lastLook = now();
    while (std::unique_ptr<Datagram> datagram = inbox.poll())
      receive(*datagram);
    tick();
  }

  template <typename Done, typename What>
  Status waitFor(Nanoseconds timeout, Done done, What what) {
    return inCall([&]() -> Status { return wait(timeout, done, what); });
  }

  /// Until done(), a failure or the timeout.
  template <typename Done, typename What> Status wait(Nanoseconds timeout, Done done, What what) {
    const Time start = now(), most = Time(timeout.count());
    const Time limit = most > wire::Never - start ? wire::Never : start + most;
    waitsFor = [&what] { return what(); };
    Status status;
    for (;;) {
      const Time next = tick();
      if (done())
        break;
      if (!session.failure().empty()) {
        status = Error{"", session.failure()};
        break;
      }
      if (now() >= limit) {
        status = Error{"", what()};
        break;
      }
      inbox.sleep(std::min(next, limit), &turn);
      if (std::unique_ptr<Datagram> datagram = inbox.received())
        receive(*datagram);
    }
    waitsFor = {};
    return status;
  }

  World &world;
  const uint32_t rank;
  const SessionOptions options;
  Bench bench; ///< none until the session is open
  const wire::Address self, other;
  uint32_t accesses = 0; ///< under way
  Inbox inbox;
  wire::Faults<wire::Address> faults;
  client::HostSession session;
  std::function<std::string()> waitsFor; ///< set while something is waited for
  // The servant, and who of it and the rank works on the session.
  s4u::ActorPtr servant; ///< none before it is needed
  s4u::SemaphorePtr called = s4u::Semaphore::create(0);
  Turn turn;
  bool isPresent = false; ///< the rank is in a call
  bool isServing = false; ///< the servant was called
  Time sleepsUntil = 0;   ///< the servant, if it sleeps
  Time lastLook = 0;
  struct Drawn {
    double begin;
    std::string name;
    uint64_t bytes;
  };
  std::map<Request, Drawn> drawn; ///< requests under way, for the timeline
  mutable SessionCounters count;
};

} // namespace

namespace {

/// Of a rank of the world.
Result<std::unique_ptr<Session>> open(World &world, client::HostSession::Config config,
                                      uint32_t rank, const Ends &ends,
                                      const SessionOptions &options, const Bench &bench) {
  if (bench.stop)
    bench.stop();
  const uint64_t number = ends.own.port - World::AcisPort; // of the rank's sessions
  config.link.deadAfter = DeadAfter;
  config.link.nonce = world.options().faults.seed * 65'536 + rank + 1 + (number << 32);
  config.eagerBytes = options.eagerBytes;
  wire::FaultRates rates = world.options().faults;
  rates.seed = rates.seed * 2'000'003 + rank + number * 65'537;
  auto session = std::make_unique<SimSession>(world, rank, config, rates, options, ends);
  const Status status = session->attach();
  session->measure(bench);
  if (bench.go)
    bench.go();
  return status ? Result<std::unique_ptr<Session>>(std::move(session)) : status.error();
}

} // namespace

Result<std::unique_ptr<Session>> openSession(World &world, uint32_t rank,
                                             const SessionOptions &options, const Bench &bench) {
  if (world.isWatched(rank))
    return Error{"", "this rank has a session with its switch already; memory nodes are called "
                     "memory0, memory1, ..."};
  const Placement &placement = world.placement();
  const uint16_t leaf = placement.leafOfRank[rank];
  client::HostSession::Config config;
  config.link.job = 1;
  config.link.who.id = rank;
  config.link.who.size = world.options().ranks;
  config.link.parentName = "switch " + std::to_string(leaf);
  config.placement = {placement.leafOfRank, placement.parentOfSwitch};
  config.way = options.way;
  const Ends ends = {World::addressOfRank(rank), World::addressOfSwitch(leaf)};
  return open(world, config, rank, ends, options, bench);
}

Result<std::unique_ptr<Session>> openMemorySession(World &world, const Endpoint &endpoint,
                                                   uint32_t rank, const Member &member,
                                                   const SessionOptions &options,
                                                   const Bench &bench) {
  const Result<uint32_t> number = world.numberOfMemory(endpoint.address);
  if (!number)
    return number.error();
  client::HostSession::Config config;
  config.link.job = endpoint.job;
  config.link.who.id = member.rank;
  config.link.who.size = member.size;
  config.link.parentName = endpoint.address;
  const Ends ends = {world.addressForMemory(rank), World::addressOfMemory(*number)};
  return open(world, config, rank, ends, options, bench);
}

} // namespace acis::cluster
