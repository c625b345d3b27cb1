#include "runtime/host/client/HostCommunicator.h"

#include "runtime/switch/collective/Mixed.h"
#include "runtime/switch/collective/Shapes.h"

#include <algorithm>

namespace acis::client {

using namespace wire;
using namespace collective;

HostCommunicator::HostCommunicator(uint32_t context, std::vector<uint32_t> worldRanks, uint32_t me,
                                   collective::Tree tree, const Welcome &limits, Send send)
    : context(context), worldRanks(std::move(worldRanks)), me(me), shape(std::move(tree)),
      limits(limits), send(std::move(send)),
      uplink(*this, context, {limits.slots, limits.packetBytes}) {}

void HostCommunicator::start(Request id, Plan plan, bool eager) {
  Call call;
  call.id = id;
  call.first = nextSlot;
  call.eager = eager;
  call.sequence = sequence++;
  call.name = nameOf(plan.header(0).kind);
  nextSlot += plan.fragments();
  call.plan = std::move(plan);
  call.plan.copyLocal();
  if (eager) {
    const std::span<const uint8_t> message = call.plan.message(0, scratch);
    call.copy.assign(message.begin(), message.end());
  }
  calls.push_back(std::move(call));
  offer();
}

void HostCommunicator::offer() {
  for (Call &call : calls)
    for (; call.next < call.plan.fragments(); ++call.next) {
      if (!uplink.hasRoom(offered))
        return;
      Header header = call.plan.header(call.next);
      header.slot = offered++;
      header.sequence = call.sequence;
      uplink.offer(header, call.plan.resultBytes(call.next), mannerOf(call, header));
    }
}

Uplink::Manner HostCommunicator::mannerOf(const Call &call, const Header &header) const {
  if (call.eager)
    return Uplink::Manner::Patient;
  const auto size = uint32_t(worldRanks.size());
  const std::vector<Level> &levels = shape.join.levels;
  const Subtree below =
      levels.size() > 1 ? Subtree{levels[1].first, levels[1].size, size} : Subtree{0, size, size};
  return comesUnasked(header.shape, unitOf(header), {shape.positionOf[me], 1, size}, below,
                      header.root)
             ? Uplink::Manner::Unasked
             : Uplink::Manner::Plain;
}

HostCommunicator::Call &HostCommunicator::callOf(uint64_t slot) {
  auto after = std::upper_bound(calls.begin(), calls.end(), slot,
                                [](uint64_t s, const Call &call) { return s < call.first; });
  return *std::prev(after);
}

std::span<const uint8_t> HostCommunicator::contribution(uint64_t slot) {
  Call &call = callOf(slot);
  return call.eager ? std::span<const uint8_t>(call.copy)
                    : call.plan.message(slot - call.first, scratch);
}

bool HostCommunicator::takePart(uint64_t slot, size_t from, std::span<const uint8_t> part) {
  const Call &call = callOf(slot);
  return call.plan.put(slot - call.first, from, part);
}

void HostCommunicator::answered(uint64_t slot, std::span<const uint8_t> result) {
  Call &call = callOf(slot);
  call.plan.result(slot - call.first, result);
  ++call.done;
  std::erase_if(calls, [&](const Call &c) {
    const bool over = c.done == c.plan.fragments();
    finished += over;
    return over;
  });
}

bool HostCommunicator::isMixed(const Plan &plan) const {
  if (!plan.mayMix())
    return false;
  Header header = plan.header(0);
  header.slot = nextSlot;
  return uplink.isPlain(header);
}

/// The call ends without having used a slot: its first collective, called plainly, takes this one.
bool HostCommunicator::withdraws(uint64_t slot) {
  const Call &call = calls.back(); // nothing was started after it
  call.plan.setMixed();
  nextSlot = offered = slot;
  sequence = call.sequence;
  ++finished;
  calls.pop_back();
  return true;
}

std::deque<HostCommunicator::Call>::const_iterator HostCommunicator::find(Request id) const {
  const auto at = std::lower_bound(calls.begin(), calls.end(), id,
                                   [](const Call &call, Request r) { return call.id < r; });
  return at == calls.end() || at->id != id ? calls.end() : at;
}

bool HostCommunicator::isDone(Request id) const {
  const auto at = find(id);
  return at == calls.end() || at->eager;
}

uint64_t HostCommunicator::bytesToFold(Request id) const {
  const auto at = find(id);
  if (at == calls.end() || at->eager)
    return 0;
  return (at->plan.fragments() - at->done) * at->plan.bytesFolded();
}

std::string HostCommunicator::missing(Request id) const {
  const auto at = find(id);
  std::string text = (at == calls.end() ? std::string("collective") : at->name) + " on context " +
                     std::to_string(context);
  const Waiting &waiting = uplink.waiting();
  std::vector<uint32_t> ranks;
  for (const Range &range : waiting.missing)
    for (uint32_t p = range.first; p < shape.rankAt.size() && p - range.first < range.size; ++p)
      ranks.push_back(worldRanks[shape.rankAt[p]]);
  if (ranks.empty())
    return text + (waiting.contributed ? ": the switch has no result yet"
                                       : ": the switch has not confirmed this rank's message");
  std::sort(ranks.begin(), ranks.end());
  text += ranks.size() == 1 ? ": rank " : ": ranks ";
  for (size_t i = 0; i < ranks.size() && i < 8; ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  if (ranks.size() > 8)
    text += " and " + std::to_string(ranks.size() - 8) + " more";
  return text + (ranks.size() == 1 ? " has not come" : " have not come");
}

void HostCommunicator::receive(const Header &header, std::span<const uint8_t> payload, Time now) {
  uplink.receive(header, payload, now);
}

Time HostCommunicator::pump(Time now) {
  offer();
  return uplink.pump(now);
}

} // namespace acis::client
