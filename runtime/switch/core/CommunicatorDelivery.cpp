// What a communicator sends to its members: results, to each or to all at once, and what is
// missing.
#include "runtime/io/Bytes.h"
#include "runtime/switch/core/Communicator.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using namespace collective;

namespace {
/// A packet that is kept back for who is about to ask goes out after so long at the latest.
constexpr Time longestHold = 2 * Millisecond;
/// After so many results for several that do not hear what goes to all, they get one such again.
constexpr unsigned triedAgainAfter = 256;
} // namespace

bool Communicator::isOneWay(const Child &child, const Slot &slot) const {
  return !slot.hasTask(indexOf(child)) &&
         collective::isOneWay(slot.header().shape, child.range, slot.header().root);
}

bool Communicator::isSilent(const Child &child, const Header &header) const {
  return child.isHost &&
         collective::comesUnasked(header.shape, unitOf(header), child.range, own, header.root);
}

bool Communicator::comesUnasked(const Child &child, const Slot &slot) const {
  return isSilent(child, slot.header());
}

void Communicator::deliverAll(Slot &slot) {
  for (Child &child : children)
    if (child.joined && !child.left &&
        (comesUnasked(child, slot) || (slot.has(indexOf(child)) && !isOneWay(child, slot))))
      deliverTo(child, slot);
}

void Communicator::deliverTo(Child &child, const Slot &slot) {
  if (slot.hasTask(indexOf(child))) {
    runnable.push_back({slot.number(), indexOf(child)});
    return;
  }
  if (slot.hold == Slot::Hold::Held)
    return; // release() finds it
  if (downOf(slot.header().shape) == Down::Same)
    due.push_back({slot.number(), indexOf(child)});
  else
    sendResult(child, slot);
}

/// Whether the child gets the slot's result at the end of this batch, or is kept waiting for it:
/// what it asks in between, since nothing has been done here for a while, has its answer.
bool Communicator::isUnderWay(const Child &child, const Slot &slot) const {
  return slot.hold == Slot::Hold::Held || std::any_of(due.begin(), due.end(), [&](const Due &item) {
           return item.slot == slot.number() && item.child == indexOf(child);
         });
}

void Communicator::deliver() {
  if (due.empty())
    return;
  services.beginStaying(); // nothing below changes a slot's result
  while (!due.empty()) {
    const uint64_t number = due.front().slot;
    receivers.clear();
    for (const Due &item : due)
      if (item.slot == number && !children[item.child].left)
        receivers.push_back(&children[item.child]);
    if (Slot &slot = slotAt(number); isHere(number)) {
      if (isWorthHolding(slot)) {
        slot.hold = Slot::Hold::Held;
        held.push_back({number, services.now() + longestHold});
      } else {
        deliverShared(slot);
      }
    }
    std::erase_if(due, [&](const Due &item) { return item.slot == number; });
  }
  services.endStaying();
}

/// Of a long message of a source: whether somebody is about to ask for it, so that one datagram
/// will do for all. That is who has asked for an earlier message of the same call; nobody waits for
/// who has not called.
bool Communicator::isWorthHolding(const Slot &slot) const {
  const Header &header = slot.header();
  if (slot.hold != Slot::Hold::None || upOf(header.shape) != Up::Source ||
      downOf(header.shape) != Down::Same || slot.unit() <= MostUnasked || !cast ||
      cast->number == 0)
    return false;
  const uint64_t first = slot.number() - header.fragment;
  size_t hearing = 0, missing = 0;
  for (const Child &child : children) {
    if (child.left)
      continue;
    hearing += child.hears && !isOneWay(child, slot);
    if (slot.has(indexOf(child)))
      continue;
    ++missing;
    if (child.next <= first)
      return false;
  }
  return missing > 0 && hearing > 1;
}

/// To all who have asked; who asks from now on gets it at once.
void Communicator::release(Slot &slot) {
  slot.hold = Slot::Hold::Over;
  for (const Child &child : children)
    if (slot.has(indexOf(child)) && !slot.hasTask(indexOf(child)))
      due.push_back({slot.number(), indexOf(child)});
}

void Communicator::releaseIfAsked(Slot &slot) {
  if (slot.hold == Slot::Hold::Held &&
      std::all_of(children.begin(), children.end(),
                  [&](const Child &child) { return child.left || slot.has(indexOf(child)); }))
    release(slot);
}

/// Those that have been held for as long as may be; returns when the next one has.
Time Communicator::releaseOverdue() {
  for (; !held.empty(); held.pop_front()) {
    const auto [number, until] = held.front();
    Slot &slot = slotAt(number);
    if (!isHere(number) || slot.hold != Slot::Hold::Held)
      continue;
    if (services.now() < until)
      return until;
    release(slot);
    deliver();
  }
  return Never;
}

/// To `receivers`. Where a source is one of them, it waits only to hear that its message is here.
void Communicator::deliverShared(const Slot &slot) {
  if (isWorthSharing(slot)) {
    sendShared(slot);
    if (std::erase_if(receivers, [](const Child *child) { return child->hears; }),
        !receivers.empty() && trials > 0)
      --trials;
  }
  if (trials == 0 && receivers.size() > 1 && ++untried == triedAgainAfter) {
    trials = 1;
    untried = 0;
  }
  const auto source = std::find_if(receivers.begin(), receivers.end(),
                                   [&](Child *child) { return isOneWay(*child, slot); });
  Child *const giver = source == receivers.end() ? nullptr : *source;
  if (giver)
    receivers.erase(source);
  if (!receivers.empty())
    sendResult(receivers, slot, resultForAll(slot));
  if (giver)
    sendResult(*giver, slot);
}

/// Of one that goes to all, from a source or not.
std::span<const uint8_t> Communicator::resultForAll(const Slot &slot) const {
  const auto one = std::find_if(receivers.begin(), receivers.end(),
                                [&](Child *child) { return !isOneWay(*child, slot); });
  return slot.resultFor((*one)->range);
}

/// Whether a Shared packet saves some, or who gets one may say that it does. It goes to all, so
/// where one does not wait at all, as the root of a short Bcast, it only wakes that one. The root
/// of a longer one may have been told before that its message is here.
bool Communicator::isWorthSharing(const Slot &slot) const {
  const bool withSource = upOf(slot.header().shape) != Up::Source || slot.unit() <= MostUnasked;
  const auto here = std::count_if(children.begin(), children.end(), [&](const Child &child) {
    return !child.left && (withSource || !isOneWay(child, slot));
  });
  const auto getting = std::count_if(receivers.begin(), receivers.end(),
                                     [&](Child *child) { return !isOneWay(*child, slot); });
  if (!cast || cast->number == 0 || (withSource ? ptrdiff_t(receivers.size()) : getting) < here)
    return false;
  const auto hearing = std::count_if(receivers.begin(), receivers.end(), [&](Child *child) {
    return child->hears && !isOneWay(*child, slot);
  });
  return hearing > 1 || (getting > 1 && hearing < getting && trials > 0);
}

/// What it says of children holds for all of them, as all may hear it.
void Communicator::sendShared(const Slot &slot) {
  Header header = slot.header();
  header.type = PacketType::Shared;
  header.flags = 0;
  header.window = credit();
  uint64_t here = Never;
  for (const Child &child : children)
    if (!child.left)
      here = std::min(here, child.here);
  header.sequence = uint32_t(here);
  for (Child *child : receivers) {
    if (!child->hears)
      continue;
    child->credit = header.window;
    child->next = std::max(child->next, slot.number() + 1); // it may have said nothing
    if (child->here == here)
      child->owed = 0;
  }
  inParts(header, resultForAll(slot), castBytes(), [&](std::span<const uint8_t> part) {
    services.sendCast(cast->number, header, part, slot.digestOf(part));
  });
}

template <typename F>
void Communicator::inParts(Header &header, std::span<const uint8_t> result, uint32_t packetBytes,
                           F send) const {
  const size_t step = packetBytes;
  header.parts = uint16_t(result.empty() ? 1 : (result.size() + step - 1) / step);
  for (unsigned part = 0; part < header.parts; ++part) {
    header.part = uint16_t(part);
    send(result.subspan(part * step, std::min(step, result.size() - part * step)));
  }
}

/// The outcome, the result, and what the op gives: of that host alone.
void Communicator::sendTaskAnswer(Child &child, const Slot &slot, Have have) {
  const Slot::Task &task = slot.task(indexOf(child));
  const std::span<const uint8_t> result =
      collective::isOneWay(slot.header().shape, child.range, slot.header().root)
          ? std::span<const uint8_t>()
          : slot.resultFor(child.range);
  io::Writer writer;
  writer.put(uint32_t(task.output ? TaskOutcome::Done : TaskOutcome::NotRun))
      .put(uint32_t(std::min<uint64_t>(task.cycles, UINT32_MAX)));
  std::vector<uint8_t> bytes = writer.take();
  bytes.insert(bytes.end(), result.begin(), result.end());
  if (task.output)
    bytes.insert(bytes.end(), task.output->begin(), task.output->end());
  Header header = slot.header();
  header.type = PacketType::Result;
  header.flags = uint8_t(flag::Task | (have ? flag::Again : 0));
  header.handle = task.program;
  header.fragment = task.output ? uint32_t(task.output->size()) : 0;
  header.window = child.credit = credit();
  header.sequence = confirmation(child);
  inParts(header, bytes, child.packetBytes, [&](std::span<const uint8_t> part) {
    if ((have.value_or(0) >> header.part & 1) == 0)
      services.send(child.session, header, part);
  });
}

void Communicator::sendResult(Child &child, const Slot &slot, Have have) {
  if (slot.hasTask(indexOf(child))) {
    if (slot.task(indexOf(child)).over)
      sendTaskAnswer(child, slot, have);
    return;
  }
  Child *const to = &child;
  sendResult({&to, 1}, slot,
             isOneWay(child, slot) ? std::span<const uint8_t>() : slot.resultFor(child.range),
             have);
}

void Communicator::sendResult(std::span<Child *const> to, const Slot &slot,
                              std::span<const uint8_t> result, Have have) {
  const uint32_t step = to.front()->packetBytes;
  if (!std::ranges::all_of(to, [&](const Child *child) { return child->packetBytes == step; })) {
    for (Child *const child : to)
      sendResult({&child, 1}, slot, result);
    return;
  }
  Header header = slot.header();
  header.type = PacketType::Result;
  header.flags = have ? flag::Again : 0;
  header.window = credit();
  recipients.clear();
  for (Child *child : to) {
    child->credit = header.window;
    child->next = std::max(child->next, slot.number() + 1);
    recipients.push_back({child->session, confirmation(*child)});
  }
  inParts(header, result, step, [&](std::span<const uint8_t> part) {
    if ((have.value_or(0) >> header.part & 1) == 0)
      services.sendEach(recipients, header, part, slot.digestOf(part));
  });
}

void Communicator::sendWait(Child &child, const Header &about) {
  Header header = about;
  header.type = PacketType::Wait;
  header.flags = 0;
  header.part = 0;
  header.parts = 1;
  header.window = child.credit = credit();
  header.sequence = confirmation(child);
  Waiting waiting;
  const Slot &slot = slotAt(about.slot);
  const bool here = about.slot < credit() && slot.begun() && slot.number() == about.slot;
  waiting.contributed = here && slot.has(indexOf(child));
  waiting.parts = here && !waiting.contributed ? slot.partsOf(indexOf(child)) : 0;
  if (here)
    for (const Child &other : children)
      if (!slot.has(indexOf(other)) && waiting.missing.size() < Waiting::MaxRanges) {
        const bool source = upOf(slot.header().shape) == Up::Source;
        if (source && !other.range.contains(slot.header().root))
          continue; // nobody waits for those who only receive
        // A child that has not joined yet is known by where its neighbours end.
        if (other.joined)
          waiting.missing.push_back({other.range.first, other.range.size});
        else if (own.size == children.size())
          waiting.missing.push_back({own.first + indexOf(other), 1});
      }
  // All is here: it is those above that wait, for others.
  if (waiting.missing.empty() && waiting.contributed && uplink && slot.offered) {
    const std::vector<Range> &above = uplink->waiting().missing;
    waiting.missing.assign(above.begin(), above.end());
  }
  if (waiting.missing.empty() && waiting.contributed && exchange && slot.offered)
    waiting.missing = exchange->missing();
  services.send(child.session, header, waiting.write());
}

} // namespace acis::sw
