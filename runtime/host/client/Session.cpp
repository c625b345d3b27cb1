#include "runtime/host/client/UdpSession.h"

namespace acis {

using namespace wire;
using State = collective::ParentLink::State;

namespace client {

namespace {

/// With more than this to be folded by the switch, a wait sleeps between two arrivals: a wakeup
/// is short beside it, and who polls takes a core from the switch, or from a rank that has yet to
/// send.
constexpr uint64_t mostPolledFor = 65'536;

} // namespace

Status UdpSession::attach() {
  Status status = loop.waitFor(
      Time(options.openTimeout.count()), [&] { return session.state() == State::Attached; },
      [&] { return session.whyWaiting(); });
  if (status && options.background)
    loop.runInBackground();
  return status;
}

Status UdpSession::addCommunicator(uint32_t context, std::span<const uint32_t> ranks) {
  {
    const auto guard = loop.hold();
    loop.step();
  }
  if (Status status = loop.locked([&] { return session.join(context, ranks, systemTime()); });
      !status)
    return status;
  if (Status status = loop.waitFor(
          Time(options.openTimeout.count()),
          [&] { return session.joinAnswer(context).has_value(); },
          [&] {
            return "context " + std::to_string(context) + ": a switch above has not confirmed it";
          });
      !status)
    return status;
  const auto guard = loop.hold();
  const std::string refusal = *session.joinAnswer(context);
  return refusal.empty() ? Status::ok() : Status(Error{"", refusal});
}

Status UdpSession::reach(std::span<const uint32_t> ranks) {
  // They are a communicator for a moment, whose entry goes through all of the tree.
  constexpr uint32_t context = UINT32_MAX;
  if (Status added = addCommunicator(context, ranks);
      !added && !added.error().what.starts_with("full:"))
    return added;
  retireCommunicator(context);
  return {};
}

Status UdpSession::freeCommunicator(uint32_t context) {
  // What was sent eagerly must have arrived.
  const Time timeout = Time(options.openTimeout.count());
  if (Status status = loop.waitFor(
          timeout, [&] { return session.idle(context); },
          [&] { return "context " + std::to_string(context) + " has collectives under way"; });
      !status)
    return status;
  {
    const auto guard = loop.hold();
    session.leave(context, systemTime());
  }
  return loop.waitFor(
      timeout, [&] { return !session.isLeaving(context); },
      [&] { return std::string("the switch does not answer"); });
}

void UdpSession::retireCommunicator(uint32_t context) {
  const auto guard = loop.hold();
  session.retire(context, systemTime());
  loop.flush();
}

Status UdpSession::supports(const Collective &collective) const {
  const auto guard = loop.hold();
  Result<Plan> plan = session.plan(collective);
  return plan ? Status::ok() : Status(plan.error());
}

bool UdpSession::weigh(const Collective &collective) {
  const auto guard = loop.hold();
  return session.weigh(collective);
}

Result<Request> UdpSession::start(const Collective &collective) {
  const auto guard = loop.hold();
  if (!session.failure().empty())
    return Error{"", session.failure()};
  Result<Request> request = session.start(collective, systemTime());
  loop.flush();
  return request;
}

Result<bool> UdpSession::test(Request request) {
  const auto guard = loop.hold();
  if (session.isDone(request) && session.failure().empty())
    return true;
  loop.step();
  if (!session.failure().empty())
    return Error{"", session.failure()};
  return session.isDone(request);
}

Status UdpSession::wait(Request request, Nanoseconds timeout) {
  return loop.waitFor(
      Time(timeout.count()), [&] { return session.isDone(request); },
      [&] { return session.missing(request) + " within " + seconds(Time(timeout.count())); },
      [&] { return session.bytesToFold(request) <= mostPolledFor; });
}

Status UdpSession::progress() {
  return loop.locked([&] {
    loop.step();
    return session.failure().empty() ? Status::ok() : Status(Error{"", session.failure()});
  });
}

Status UdpSession::drain(Nanoseconds timeout) {
  return loop.waitFor(
      Time(timeout.count()), [&] { return loop.isOver() || session.idle(); },
      [] { return std::string("collectives are under way"); });
}

Status UdpSession::close(Nanoseconds timeout) {
  Status status = drain(timeout);
  {
    const auto guard = loop.hold();
    session.close(systemTime());
    loop.flush();
  }
  Status left = loop.waitFor(
      Time(timeout.count()), [&] { return loop.isOver(); },
      [] { return std::string("the switch does not answer"); });
  return status ? left : status;
}

Result<uint64_t> UdpSession::startAccess(const Access &access, bool polled) {
  const auto guard = loop.hold();
  if (!session.failure().empty())
    return Error{"", session.failure()};
  const uint64_t id = session.memory().start(access, polled);
  session.tick(systemTime());
  loop.flush();
  return id;
}

Result<bool> UdpSession::testAccess(uint64_t id) {
  const auto guard = loop.hold();
  if (!session.memory().isDone(id))
    loop.step();
  if (session.memory().isDone(id))
    return true;
  if (!session.failure().empty())
    return Error{"", session.failure()};
  return false;
}

Result<Outcome> UdpSession::waitAccess(uint64_t id, Nanoseconds timeout) {
  const Status done = loop.waitFor(
      Time(timeout.count()), [&] { return session.memory().isDone(id); },
      [&] { return "the memory node has not answered within " + seconds(Time(timeout.count())); });
  if (!done)
    return done.error();
  const auto guard = loop.hold();
  return session.memory().take(id);
}

uint32_t UdpSession::accessBytes() const {
  const auto guard = loop.hold();
  return session.accessBytes();
}

const SessionCounters &UdpSession::counters() const {
  const auto guard = loop.hold();
  return loop.counters();
}

Result<uint64_t> UdpSession::loadOperator(std::span<const uint8_t> elf, const std::string &name) {
  const uint64_t hash = operatorHash(elf, name);
  {
    const auto guard = loop.hold();
    if (!session.failure().empty())
      return Error{"", session.failure()};
    session.upload(elf, name, hash, systemTime());
  }
  if (Status status = loop.waitFor(
          Time(options.openTimeout.count()), [&] { return session.uploadAnswer().has_value(); },
          [] { return std::string("the switch has not taken the operator"); });
      !status)
    return status.error();
  const auto guard = loop.hold();
  if (!session.uploadAnswer()->refusal.empty())
    return Error{"", session.uploadAnswer()->refusal};
  return hash;
}

} // namespace client

Result<std::unique_ptr<Session>> Session::open(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options) {
  Result<Address> address = parseAddress(endpoint.address);
  if (!address)
    return address.error();
  Result<std::optional<Key>> key = parseKey(endpoint.key);
  if (!key)
    return key.error();
  Result<UdpSocket> socket = UdpSocket::connect(*address, client::SocketLoop::SocketBytes);
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
  auto session =
      std::make_unique<client::UdpSession>(config, options, std::move(*socket), *address);
  if (Status status = session->attach(); !status)
    return Error{endpoint.address, status.error().what};
  return std::unique_ptr<Session>(std::move(session));
}

} // namespace acis
