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
      first(version + 1), send(std::move(send)), asked(now) {
  what.group = tree.join;
  what.use = first;
  what.policy = policy;
  what.records.push_back({tree.positionOf[me], worldRank, 0, false});
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
  own().left = true;
  changed(now);
}

uint32_t HostControl::slowest() const {
  return last.slowest < tree.rankAt.size() ? worldRanks[tree.rankAt[last.slowest]] : 0;
}

std::string HostControl::slowestText() const {
  return "rank " + std::to_string(slowest()) + ", which has done " +
         std::to_string(last.slowestDone) + " iterations";
}

void HostControl::receive(const Header &header, std::span<const uint8_t> payload, Time now) {
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
}

void HostControl::wait(Time now) {
  if (now < asked + askAgain)
    return;
  asked = now;
  echo.ask(now);
}

Time HostControl::pump(Time now) {
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
                         last.failure.size()});
  echo.fingerprint(out);
}

} // namespace acis::client
