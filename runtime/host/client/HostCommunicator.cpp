#include "runtime/host/client/HostCommunicator.h"

#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Shapes.h"
#include "runtime/switch/wire/Channel.h"

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
  call.eager = eager;
  call.plan = std::move(plan);
  if (eager) {
    const std::span<const uint8_t> message = call.plan.message(0, scratch);
    call.copy.assign(message.begin(), message.end());
  }
  enter(std::move(call), 1);
}

void HostCommunicator::start(Request id, Plan plan, TaskCall task) {
  Call call;
  call.id = id;
  call.plan = std::move(plan);
  call.task = std::move(task);
  enter(std::move(call), call.task->next() ? 2 : 1);
}

void HostCommunicator::enter(Call call, uint32_t collectives) {
  call.first = nextSlot;
  call.sequence = sequence;
  sequence += collectives;
  call.name = nameOf(call.plan.header(0).kind);
  call.plan.copyLocal();
  nextSlot += call.slots();
  calls.push_back(std::move(call));
  offer();
}

void HostCommunicator::offer() {
  for (Call &call : calls) {
    for (; call.next < call.plan.fragments(); ++call.next) {
      if (!uplink.hasRoom(call.first + call.next))
        return;
      if (call.task) {
        offerTask(call);
        continue;
      }
      Header header = call.plan.header(call.next);
      header.slot = call.first + call.next;
      header.sequence = call.sequence;
      header.way = way;
      uplink.offer(header, call.plan.resultBytes(call.next), mannerOf(call, header));
    }
    if (call.isNextDue) {
      if (!uplink.hasRoom(call.first + 1))
        return;
      offerNext(call);
    }
  }
}

void HostCommunicator::offerTask(Call &call) {
  Header header = call.task->header();
  header.slot = call.first;
  header.sequence = call.sequence;
  header.way = way;
  uplink.offer(header, call.task->answerBytes());
}

/// What follows a task, when that is over: given by the switch, which has it then, or from here.
void HostCommunicator::offerNext(Call &call) {
  const Plan &plan = *call.task->next();
  const uint64_t slot = call.first + 1;
  call.isNextDue = false;
  plan.copyLocal();
  if (call.isMade && plan.isOneWay()) {
    ++call.done;
    return uplink.pass(slot);
  }
  Header header = plan.header(0);
  header.slot = slot;
  header.sequence = call.sequence + 1;
  header.way = way;
  uplink.offer(header, plan.resultBytes(0),
               call.isMade ? Uplink::Manner::Unasked : mannerOf(call, header));
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

const HostCommunicator::Call &HostCommunicator::callOf(uint64_t slot) const {
  auto after = std::upper_bound(calls.begin(), calls.end(), slot,
                                [](uint64_t s, const Call &call) { return s < call.first; });
  return *std::prev(after);
}

std::span<const uint8_t> HostCommunicator::contribution(uint64_t slot) {
  Call &call = callOf(slot);
  if (call.isOfTask(slot))
    return call.task->message();
  if (call.isMade)
    return {}; // the switch has it
  return call.eager ? std::span<const uint8_t>(call.copy)
                    : call.planOf(slot).message(call.fragmentOf(slot), scratch);
}

void HostCommunicator::sendUp(const Header &header, std::span<const uint8_t> payload) {
  send(header, payload,
       !payload.empty() && callOf(header.slot).planOf(header.slot).isGiven(payload));
}

bool HostCommunicator::takePart(uint64_t slot, size_t from, std::span<const uint8_t> part) {
  const Call &call = callOf(slot);
  return !call.isOfTask(slot) && call.planOf(slot).put(call.fragmentOf(slot), from, part);
}

void HostCommunicator::answered(uint64_t slot, std::span<const uint8_t> result) {
  Call &call = callOf(slot);
  ++call.done;
  if (!call.isOfTask(slot)) {
    call.planOf(slot).result(call.fragmentOf(slot), result);
  } else {
    cycles += TaskCall::cyclesOf(result);
    call.isMade = call.task->answered(result, call.plan);
    call.isNextDue = call.task->next().has_value();
    offer();
  }
  removeFinished();
}

void HostCommunicator::removeFinished() {
  std::erase_if(calls, [&](const Call &call) {
    const bool over = call.done == call.slots();
    finished += over;
    return over;
  });
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
  return (at->plan.fragments() - std::min(at->plan.fragments(), at->done)) * at->plan.bytesFolded();
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

void HostCommunicator::expect(std::vector<Place> &places, size_t most) const {
  if (calls.empty())
    return;
  uplink.expected([&](const Uplink::Expected &packet) {
    const Call &call = callOf(packet.slot);
    const bool isResult = !call.isOfTask(packet.slot) && packet.bytes >= LeastInPieces;
    const std::span<uint8_t> bytes =
        isResult ? call.planOf(packet.slot)
                       .placeOf(call.fragmentOf(packet.slot), packet.from, packet.bytes)
                 : std::span<uint8_t>();
    if (bytes.empty())
      return false; // what comes behind it would not be met
    places.push_back({context, packet.slot, packet.part, bytes});
    return places.size() < most;
  });
}

bool Place::isFor(std::span<const uint8_t> head) const {
  const Result<Header> header = decode(head, bytes.size());
  return header && (header->type == PacketType::Result || header->type == PacketType::Shared) &&
         header->context == context && header->slot == slot && header->part == part &&
         !hasTask(*header);
}

Time HostCommunicator::pump(Time now) {
  offer();
  removeFinished(); // what the switch has given and nobody waits for
  return uplink.pump(now);
}

} // namespace acis::client
