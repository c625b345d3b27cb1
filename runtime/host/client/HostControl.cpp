#include "runtime/host/client/HostControl.h"

namespace acis::client {

using namespace wire;

namespace {
constexpr Time askAgain = 100 * Millisecond;
}

HostControl::HostControl(uint32_t context, collective::Tree made, uint32_t me, uint32_t worldRank,
                         std::vector<uint32_t> ranks, const Policy &policy, uint64_t &version,
                         Send send, Time now)
    : context(context), tree(std::move(made)), worldRanks(std::move(ranks)), version(version),
      first(version + 1), send(std::move(send)), asked(now), queue(own().load) {
  what.group = tree.join;
  what.use = first;
  what.policy = policy;
  own().position = tree.positionOf[me];
  own().rank = worldRank;
  changed(now);
}

void HostControl::done(uint64_t iterations, Time now) {
  if (iterations <= own().done || own().left)
    return;
  own().done = iterations;
  underWay = false;
  changed(now);
}

void HostControl::leave(Time now) {
  if (own().left)
    return;
  leaving = true;
  queue.leave();
  if (!queue.isIdle() && last.failure.empty())
    return; // pump() goes on
  own().left = true;
  changed(now);
}

uint32_t HostControl::rankOf(uint32_t position) const {
  return position < tree.rankAt.size() ? worldRanks[tree.rankAt[position]] : 0;
}

uint32_t HostControl::slowest() const { return rankOf(last.slowest); }

std::vector<bool> HostControl::whoIsIn() const {
  const std::vector<bool> &who = sums.sum().who;
  std::vector<bool> out(worldRanks.size());
  for (size_t position = 0; position < std::min(who.size(), tree.rankAt.size()); ++position)
    out[tree.rankAt[position]] = who[position];
  return out;
}

std::string HostControl::slowestText() const {
  return "rank " + std::to_string(slowest()) + ", which has done " +
         std::to_string(last.slowestDone) + " iterations";
}

void HostControl::receive(const Header &header, std::span<const uint8_t> payload, Time now) {
  if (isOfMember(header.type)) {
    if (header.window != first || header.root != own().position || own().left)
      return;
    if (header.type == PacketType::Move)
      queue.move(header, payload, now);
    else if (header.type == PacketType::Moved)
      queue.moved(header, now);
    else
      sums.receive(header, payload, own().position, now);
    return;
  }
  const std::optional<Order> order = Order::read(payload);
  if (!order || header.window < first)
    return; // damaged, or of an earlier use of the context
  const bool isOld = header.slot < echo.heard();
  echo.hear(header, now);
  if (isOld || !last.failure.empty())
    return;
  const Order before = std::exchange(last, *order);
  // What was ordered stays.
  last.allowed = std::max(last.allowed, before.allowed);
  last.floor = std::max(last.floor, before.floor);
  last.signalled = std::max(last.signalled, before.signalled);
  last.rounds = std::max(last.rounds, before.rounds);
  queue.order(last, own().position, now);
}

void HostControl::wait(Time now) {
  if (askDue == Never)
    askDue = std::max(now, asked + askAgain);
}

void HostControl::askIfDue(Time now) {
  if (now < askDue)
    return;
  asked = now;
  askDue = Never;
  echo.ask(now);
}

Time HostControl::pump(Time now) {
  const Time give = queue.pump(now, [&](uint64_t number, std::span<const uint8_t> task) {
    sendMember(PacketType::Move, number, task);
  });
  const Time share = sums.pump(now, [&](uint64_t number, std::span<const uint8_t> elements) {
    sendMember(PacketType::Share, number, elements);
  });
  if (leaving && !own().left)
    leave(now);
  if (queue.reportDue() <= now && !own().left)
    changed(now);
  askIfDue(now);
  return std::min({give, share, askDue, own().left ? Never : queue.reportDue(), report(now)});
}

/// Of one member, for the switch that decides.
void HostControl::sendMember(PacketType type, uint64_t number, std::span<const uint8_t> payload) {
  if (own().left)
    return;
  Header header;
  header.type = type;
  header.context = context;
  header.root = own().position;
  header.slot = number;
  header.window = first;
  send(header, payload);
}

Time HostControl::report(Time now) {
  if (now < echo.due())
    return echo.due();
  Header header;
  header.type = PacketType::Report;
  header.context = context;
  echo.stamp(header, now);
  send(header, what.write());
  return echo.due();
}

void HostControl::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {context, own().done, own().left, last.allowed, last.floor, last.signalled,
                         last.failure.size(), leaving});
  queue.fingerprint(out);
  sums.fingerprint(out);
  echo.fingerprint(out);
}

} // namespace acis::client
