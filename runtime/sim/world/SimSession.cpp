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

constexpr Time DeadAfter = 1'000'000 * wire::Second; ///< see SwitchActor.cpp
/// Who only looks lets so much time pass, or a loop of looks would not end.
constexpr double LookTime = 100e-9;
/// Between two pieces of extra work, as on metal (docs/control.md).
constexpr double ControlLookTime = 1e-6;

class Stopped {
public:
  explicit Stopped(const Bench &bench) : bench(bench) {
    if (bench.stop)
      bench.stop();
  }
  ~Stopped() {
    if (bench.go)
      bench.go();
  }
  Stopped(const Stopped &) = delete;

private:
  const Bench &bench;
};

class SimSession final : public Session {
public:
  SimSession(World &world, const client::HostSession::Config &config, const wire::FaultRates &rates,
             const SessionOptions &options)
      : world(world), rank(config.link.who.id), options(options), self(World::addressOfRank(rank)),
        leaf(World::addressOfSwitch(config.placement.leafOfRank[rank])), inbox(world.boxOf(self)),
        faults(rates,
               [this](const wire::Address &to, std::span<const uint8_t> bytes) {
                 this->world.transmit(self, to, bytes);
               }),
        session(config, [this](std::span<const uint8_t> bytes) {
          ++count.packetsSent;
          count.bytesSent += bytes.size();
          faults.pass(leaf, bytes, now());
        }) {
    world.watch(rank, [this] { return waitsFor ? waiting() : "computes, or waits in MPI"; });
  }

  ~SimSession() override {
    // An actor that is being ended cannot wait.
    if (!world.isOver() && std::uncaught_exceptions() == 0)
      (void)close(std::chrono::milliseconds(200));
    world.watchNoMore(rank);
  }

  void measure(const Bench &with) { bench = with; }

  Status attach() {
    return waitFor(
        options.openTimeout, [&] { return session.state() == State::Attached; },
        [] { return std::string("the switch does not answer"); });
  }

  Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) override {
    const Stopped stopped(bench);
    if (Status status = session.join(context, ranks, now()); !status)
      return status;
    if (Status status = wait(
            options.openTimeout, [&] { return session.joinAnswer(context).has_value(); },
            [&] {
              return "context " + std::to_string(context) + ": a switch above has not confirmed it";
            });
        !status)
      return status;
    const std::string refusal = *session.joinAnswer(context);
    return refusal.empty() ? Status::ok() : Status(Error{"", refusal});
  }

  Status freeCommunicator(uint32_t context) override {
    const Stopped stopped(bench);
    if (Status status = wait(
            options.openTimeout, [&] { return session.idle(context); },
            [&] { return "context " + std::to_string(context) + " has collectives under way"; });
        !status)
      return status;
    session.leave(context, now());
    return wait(
        options.openTimeout, [&] { return !session.isLeaving(context); },
        [] { return std::string("the switch does not answer"); });
  }

  void retireCommunicator(uint32_t context) override {
    const Stopped stopped(bench);
    session.retire(context, now());
  }

  Result<uint64_t> loadOperator(std::span<const uint8_t> elf, const std::string &name) override {
    const Stopped stopped(bench);
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
  }

  Status supports(const Collective &collective) const override {
    Result<client::Plan> plan = session.plan(collective);
    return plan ? Status::ok() : Status(plan.error());
  }

  Result<Request> start(const Collective &collective) override {
    const Stopped stopped(bench);
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
  }

  Result<bool> test(Request request) override {
    const Stopped stopped(bench);
    look();
    if (!session.failure().empty())
      return Error{"", session.failure()};
    if (!session.isDone(request))
      return false;
    pass(world.platform().host.overhead);
    return true;
  }

  Status wait(Request request, Nanoseconds timeout) override {
    const Stopped stopped(bench);
    const Status status = wait(
        timeout, [&] { return session.isDone(request); },
        [&] {
          return session.missing(request) + " within " + wire::seconds(Time(timeout.count()));
        });
    if (status)
      pass(world.platform().host.overhead);
    return status;
  }

  Status progress() override {
    const Stopped stopped(bench);
    look();
    return session.failure().empty() ? Status::ok() : Status(Error{"", session.failure()});
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
    const Stopped stopped(bench);
    session.close(now());
    const Status left = wait(
        timeout, [&] { return isLeft(); },
        [] { return std::string("the switch does not answer"); });
    return status ? left : status;
  }

  Status openControl(uint32_t context, std::span<const uint32_t> ranks,
                     const wire::Policy &policy) override {
    const Stopped stopped(bench);
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
  }

  Status beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout) override {
    const Stopped stopped(bench);
    Result<bool> begun = false;
    const Status status = wait(
        timeout,
        [&] {
          begun = session.beginIteration(context, iteration, now());
          return !begun || *begun;
        },
        [&] {
          return "iteration " + std::to_string(iteration) + " may not begin within " +
                 wire::seconds(Time(timeout.count())) + ": the switch waits for " +
                 session.control(context)->slowestText();
        });
    return begun ? status : Status(begun.error());
  }

  Status endIteration(uint32_t context, uint64_t iteration) override {
    const Stopped stopped(bench);
    return session.endIteration(context, iteration, now());
  }

  Result<ControlState> control(uint32_t context) override {
    const Stopped stopped(bench);
    pass(ControlLookTime);
    look();
    return session.controlState(context);
  }

  Status closeControl(uint32_t context, Nanoseconds timeout) override {
    const Stopped stopped(bench);
    client::HostControl *group = session.control(context);
    if (!group)
      return {};
    group->leave(now());
    const Status left = wait(
        timeout, [&] { return session.control(context)->hasLeft(); },
        [] { return std::string("the switch does not answer"); });
    session.closeControl(context);
    return left;
  }

  const SessionCounters &counters() const override {
    const collective::Uplink::Counters uplink = session.uplinkCounters();
    count.retransmissions = uplink.resent;
    count.polls = uplink.polls;
    count.dropped = session.refusedDatagrams();
    count.collectives = session.completed();
    return count;
  }

private:
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
    const Stopped stopped(bench);
    return wait(timeout, done, what);
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
      if (std::unique_ptr<Datagram> datagram = inbox.await(std::min(next, limit)))
        receive(*datagram);
    }
    waitsFor = {};
    return status;
  }

  World &world;
  const uint32_t rank;
  const SessionOptions options;
  Bench bench; ///< none until the session is open
  const wire::Address self, leaf;
  Inbox inbox;
  wire::Faults<wire::Address> faults;
  client::HostSession session;
  std::function<std::string()> waitsFor; ///< set while something is waited for
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

Result<std::unique_ptr<Session>> openSession(World &world, uint32_t rank,
                                             const SessionOptions &options, const Bench &bench) {
  const Stopped stopped(bench);
  const Placement &placement = world.placement();
  client::HostSession::Config config;
  config.link.job = 1;
  config.link.who.id = rank;
  config.link.who.size = world.options().ranks;
  config.link.parentName = "switch " + std::to_string(placement.leafOfRank[rank]);
  config.link.deadAfter = DeadAfter;
  config.link.nonce = world.options().faults.seed * 65'536 + rank + 1;
  config.placement = {placement.leafOfRank, placement.parentOfSwitch};
  config.eagerBytes = options.eagerBytes;
  wire::FaultRates rates = world.options().faults;
  rates.seed = rates.seed * 2'000'003 + rank;
  auto session = std::make_unique<SimSession>(world, config, rates, options);
  if (Status status = session->attach(); !status)
    return status.error();
  session->measure(bench);
  return std::unique_ptr<Session>(std::move(session));
}

} // namespace acis::cluster
