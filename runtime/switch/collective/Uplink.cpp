#include "runtime/switch/collective/Uplink.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Shapes.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace acis::collective {

using namespace wire;

namespace {

constexpr Time longestPoll = 32 * Millisecond, longestResend = 256 * Millisecond;
/// Results that take less are asked for after this at the latest: what a loss costs. Those that
/// take longer, where the parent or other members are slow, are waited for as long as they usually
/// take.
constexpr Time longestFirst = 32 * Millisecond;
/// The first waits after that: with few cores a mean and its variation are long, and a loss is not.
constexpr Time longestSilence = 12 * Millisecond;
/// So many times as late as this process runs may an answer be.
constexpr Time lateWays = 4, mostLateness = 250 * Millisecond;
/// Where so many of the last 64 messages were lost, what is late may be lost with others, too.
constexpr int manyLosses = 2;
/// Collectives are cut to a packet, or to this where packets are shorter (client/Plan.cpp).
constexpr uint32_t smallestCut = 16'384;
/// A message is lost when the parent has answered so many that were sent after it.
constexpr unsigned mostOvertakes = 3;
/// A parent that hears a Poll answers it, so silence is at first a loss: these many waits after
/// the first are twice as long as it takes to answer. Only then waits grow, for a parent that is
/// kept from answering.
constexpr uint8_t shortWaits = 5;
/// Who has missed so many Shared packets in a row hears them no more.
constexpr unsigned mostMissed = 8;
/// A message up to here costs no more than the Poll that asks after it.
constexpr size_t shortMessage = 1024;

unsigned partsOf(size_t bytes, uint32_t packetBytes) {
  return bytes == 0 ? 1 : unsigned((bytes + packetBytes - 1) / packetBytes);
}

} // namespace

Uplink::Uplink(Owner &owner, uint32_t context, const Limits &limits)
    : owner(owner), context(context), limits(limits), ring(limits.slots), credit(limits.slots),
      window(std::max(limits.packetBytes, smallestCut) + uint32_t(HeaderBytes)) {}

void Uplink::offer(const Header &descriptor, uint32_t resultBytes, Manner manner) {
  Entry &e = entry(descriptor.slot);
  assert(hasRoom(descriptor.slot) && (e.state == State::Empty || e.state == State::Early));
  // What answers another call is not taken: the parent finds out whose is wrong.
  if (e.state == State::Early)
    e.state = isSameMessage(descriptor, e.descriptor) && e.assembly.size() == resultBytes
                  ? State::Arrived
                  : State::Queued;
  else
    e.state = manner == Manner::Unasked ? State::Expected : State::Queued;
  if (e.state != State::Arrived)
    e.assembly.clear();
  e.descriptor = descriptor;
  e.descriptor.context = context;
  e.resultBytes = resultBytes;
  e.patient = manner == Manner::Patient;
  e.asked = e.isLost = false;
  e.unanswered = 0;
  e.cost = e.number = 0;
  e.due = e.sentAt = 0;
  e.patience = shortWaits;
  e.partsSeen = 0;
  e.waiting = {};
  highest = std::max(highest, descriptor.slot + 1);
}

void Uplink::pass(uint64_t slot) {
  Entry &e = entry(slot);
  assert(hasRoom(slot) && (e.state == State::Empty || e.state == State::Early));
  e.assembly.clear();
  e.number = 0;
  e.state = State::Done;
  highest = std::max(highest, slot + 1);
  unasked = std::max(unasked, slot + 1);
  release();
}

void Uplink::release() {
  while (lowest < highest && entry(lowest).state == State::Done) {
    entry(lowest).state = State::Empty;
    ++lowest;
  }
}

/// On a machine with more to do than processors others run late, too.
void Uplink::late(Time by) {
  lateness = std::min(std::max(by, lateness - lateness / 8), mostLateness);
}

/// What a wait is bounded by: `limit`, or what an answer takes whose way goes through a few
/// processes that run as late as this one.
Time Uplink::atMost(Time limit) const { return std::max(limit, lateWays * lateness); }

/// From a message until it is first asked after.
Time Uplink::firstWait() const {
  const Time usual = std::min(answers.time(), RoundTrip::Most);
  if (std::popcount(losses) >= manyLosses)
    return std::min(trip.timeout(), std::max(atMost(longestSilence), usual / 2));
  return std::min(std::max(trip.timeout(), 2 * usual),
                  std::max(atMost(longestFirst), usual + usual / 2));
}

/// From a repetition that has had no answer so far until the next one.
Time Uplink::silence(Entry &e) {
  if (e.patience > 0) {
    --e.patience;
    return e.backoff =
               std::min(2 * trip.timeout(), std::max(atMost(longestSilence), answers.time() / 4));
  }
  return e.backoff = std::min(2 * e.backoff, std::max(longestResend, trip.timeout()));
}

/// What a message of so many bytes and its answer are to the congestion window.
uint64_t Uplink::costOf(const Entry &e, size_t bytes) const {
  bytes = std::max<size_t>(bytes, e.resultBytes);
  return bytes + HeaderBytes * partsOf(bytes, limits.packetBytes);
}

bool Uplink::admits(Entry &e) {
  if (e.cost == 0)
    e.cost = costOf(e, owner.contribution(e.descriptor.slot).size());
  return window.admits(e.cost);
}

void Uplink::transmit(Entry &e, Time now, uint64_t there) {
  const std::span<const uint8_t> message = owner.contribution(e.descriptor.slot);
  Header header = e.descriptor;
  header.type = PacketType::Contribute;
  header.window = told = lowest;
  header.parts = uint16_t(partsOf(message.size(), limits.packetBytes));
  const bool isFirst = e.state == State::Queued || e.state == State::Expected;
  if (isFirst) {
    ++count.messages;
    e.sentAt = now;
  } else {
    header.flags |= flag::Again;
    ++count.resent;
    window.lost(e.number);
  }
  if (e.state == State::Sent)
    window.arrived(e.cost);
  e.cost = costOf(e, message.size());
  e.number = window.sent(e.cost);
  if (e.patient)
    header.flags |= flag::Patient;
  if (hears)
    header.flags |= flag::Hears;
  e.state = State::Sent;
  e.asked = false;
  e.isShort = message.size() <= shortMessage;
  e.due = now + (isFirst ? firstWait() : silence(e));
  send(header, message, there);
}

void Uplink::send(Header header, std::span<const uint8_t> message, uint64_t there) {
  for (unsigned part = 0; part < header.parts; ++part) {
    if (there >> part & 1)
      continue;
    header.part = uint16_t(part);
    const size_t from = size_t(part) * limits.packetBytes;
    owner.sendUp(
        header, message.subspan(from, std::min<size_t>(limits.packetBytes, message.size() - from)));
  }
}

void Uplink::poll(Entry &e, Time now) {
  Header header = e.descriptor;
  header.type = PacketType::Poll;
  header.window = told = lowest;
  if (e.unanswered > 0)
    trip.timedOut(e.polledAt, now);
  e.unanswered = uint8_t(std::min(e.unanswered + 1, 2));
  e.polledAt = now;
  if (e.state == State::Accepted) {
    e.due = now + e.backoff;
    e.backoff = std::min(2 * e.backoff, std::max(longestPoll, firstWait()));
  } else {
    e.due = now + silence(e);
  }
  ++count.polls;
  // What has come of a result is not asked for again.
  std::vector<uint8_t> parts;
  if (e.partsSeen != 0)
    parts = io::Writer().put(e.partsSeen).take();
  owner.sendUp(header, parts);
}

/// The parent keeps a result until all children are done with it, and hears so from what they send.
/// Who only gets results has nothing else to send.
void Uplink::sayDone() {
  Header header;
  header.type = PacketType::Credit;
  header.context = context;
  header.window = told = lowest;
  owner.sendUp(header, {});
}

void Uplink::service(Entry &e, Time now) {
  switch (e.state) {
  case State::Empty:
  case State::Done:
  case State::Early:
    break;
  case State::Arrived: {
    const std::vector<uint8_t> result = std::move(e.assembly);
    e.assembly.clear();
    return finish(e, result);
  }
  case State::Expected:
    if (e.due == 0) {
      e.due = now + firstWait();
    } else if (now >= e.due) {
      poll(e, now);
      e.asked = true;
    }
    break;
  case State::Queued:
    if (e.descriptor.slot < credit) {
      if (admits(e))
        transmit(e, now);
    } else if (e.due == 0) {
      e.due = now + firstWait();
    } else if (now >= e.due) {
      poll(e, now); // a Credit may have been lost
    }
    break;
  case State::Sent:
    if (now < e.due)
      break;
    // A longer one only goes again when the parent says that it is not there.
    if (e.asked && e.isShort) {
      if (e.unanswered > 0)
        trip.timedOut(e.polledAt, now);
      transmit(e, now);
    } else {
      poll(e, now);
      e.asked = true;
    }
    break;
  case State::Accepted:
    if (now >= e.due)
      poll(e, now);
    break;
  }
}

Time Uplink::pump(Time now) {
  Time next = Never;
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    Entry &e = entry(slot);
    service(e, now);
    // An entry that waits for the congestion window is woken by an answer.
    const bool timed = e.state == State::Sent || e.state == State::Accepted ||
                       e.state == State::Expected || (e.state == State::Queued && slot >= credit);
    if (timed)
      next = std::min(next, e.due);
    if (e.state == State::Queued && slot >= credit)
      break; // one Poll is enough for all that wait for credit
  }
  if (std::min(lowest, unasked) >= told + std::max(1u, limits.slots / 4))
    sayDone();
  return next;
}

void Uplink::finish(Entry &e, std::span<const uint8_t> result) {
  if (e.state == State::Sent)
    window.answered(e.cost);
  const uint64_t slot = e.descriptor.slot;
  if (e.state == State::Expected || e.state == State::Arrived)
    unasked = std::max(unasked, slot + 1);
  e.state = State::Done;
  owner.answered(slot, result);
  release();
}

/// The parent has so many messages, from the first on: what nobody waits for is over.
void Uplink::acknowledge(uint32_t here) {
  const uint64_t first = lowest;
  const int64_t more = int32_t(here - uint32_t(first));
  for (uint64_t slot = first; slot < highest && int64_t(slot - first) < more; ++slot) {
    Entry &e = entry(slot);
    if (e.patient && (e.state == State::Sent || e.state == State::Accepted))
      finish(e, {});
  }
}

/// The first message that the parent does not have. One that it answered several after was lost,
/// and nobody has to ask.
void Uplink::repair(uint32_t here, Time now) {
  const uint64_t slot = lowest + uint64_t(int64_t(int32_t(here - uint32_t(lowest))));
  if (slot < lowest || slot >= highest || entry(slot).state != State::Sent)
    return;
  Entry &e = entry(slot);
  unsigned overtakes = 0;
  for (uint64_t later = slot + 1; later < highest && overtakes < mostOvertakes; ++later)
    overtakes += entry(later).state == State::Done && entry(later).number > e.number;
  if (overtakes == mostOvertakes) {
    e.isLost = true;
    transmit(e, now);
  }
}

/// The first packet of a result is here. If it was sent because somebody asked, the one before it
/// was lost, and nothing is measured; else it answers the message, whoever has asked meanwhile or
/// sent it again for want of an answer: that was too early, and tells nothing of losses.
void Uplink::measure(const Entry &e, const Header &header, Time now) {
  losses = losses << 1 | uint64_t(e.isLost || (header.flags & flag::Again));
  if (header.flags & flag::Again)
    return window.lost(e.number);
  if (!e.patient && !e.isLost && (e.state == State::Sent || e.state == State::Accepted))
    answers.measured(now - e.sentAt);
}

void Uplink::result(Entry &e, const Header &header, std::span<const uint8_t> payload) {
  // What a source gave has come to all: it is there.
  if (header.type == PacketType::Shared && e.resultBytes == 0 &&
      isSameMessage(e.descriptor, header))
    return finish(e, {});
  const size_t bytes = e.resultBytes + (hasTask(header) ? header.fragment : 0);
  const unsigned parts = partsOf(bytes, limits.packetBytes);
  const size_t from = size_t(header.part) * limits.packetBytes;
  if (header.parts != parts || header.part >= parts ||
      payload.size() != std::min<size_t>(limits.packetBytes, bytes - from))
    return;
  if (parts == 1)
    return finish(e, payload);
  if (!owner.takePart(e.descriptor.slot, from, payload)) {
    e.assembly.resize(bytes);
    std::copy(payload.begin(), payload.end(), e.assembly.begin() + long(from));
  }
  e.partsSeen |= uint64_t(1) << header.part;
  if (e.partsSeen == (parts == 64 ? ~uint64_t(0) : (uint64_t(1) << parts) - 1))
    finish(e, e.assembly);
}

/// Whether the parent's packets for all arrive here: from the first one on, until results of the
/// kind that goes to all at once have to be asked for. One that comes after an answer of its own
/// tells as much as one that is waited for.
void Uplink::hear(const Header &header) {
  if (header.type != PacketType::Shared)
    return;
  hears = true;
  missed = 0;
}

void Uplink::miss(const Header &header) {
  const Entry &e = entry(header.slot);
  const bool forAll = downOf(header.shape) == Down::Same &&
                      (upOf(header.shape) != Up::Source || e.resultBytes > MostUnasked);
  // Who was told to wait was answered; what comes then was not lost.
  const bool lost = e.state == State::Sent && e.asked;
  if (hears && forAll && header.part == 0 && lost && ++missed == mostMissed)
    hears = false;
}

/// What a source gave before this child has called: kept until it does.
void Uplink::early(const Header &header, std::span<const uint8_t> payload) {
  Entry &e = entry(header.slot);
  if (e.state != State::Empty || header.parts != 1 || upOf(header.shape) != Up::Source ||
      hasTask(header) || payload.size() > MostUnasked)
    return;
  e.state = State::Early;
  e.descriptor = header;
  e.assembly.assign(payload.begin(), payload.end());
}

void Uplink::receive(const Header &header, std::span<const uint8_t> payload, Time now) {
  // The parent never lets a child more than a ring ahead of what it has answered.
  credit = std::max(credit, std::min(header.window, lowest + uint64_t(2) * limits.slots));
  acknowledge(header.sequence);
  // A Shared says what all children have given, this one may have given more.
  if (header.type != PacketType::Shared)
    repair(header.sequence, now);
  hear(header);
  const bool isResult = header.type == PacketType::Result || header.type == PacketType::Shared;
  if (header.type == PacketType::Credit || header.slot < lowest || !hasRoom(header.slot))
    return;
  if (header.slot >= highest) {
    if (isResult)
      early(header, payload);
    return;
  }
  Entry &e = entry(header.slot);
  if (e.state != State::Sent && e.state != State::Accepted && e.state != State::Expected)
    return;
  // The result alone, sent to all or unasked, is no answer to a task.
  if (isResult && hasTask(header) != hasTask(e.descriptor))
    return;
  if (isResult && e.state == State::Expected && !isSameMessage(e.descriptor, header))
    return transmit(e, now); // the parent finds out whose call is wrong
  if (isResult) {
    if (header.type == PacketType::Result)
      miss(header);
    if (e.partsSeen == 0)
      measure(e, header, now);
    return result(e, header, payload);
  }
  if (header.type == PacketType::Wait)
    wait(e, payload, now);
}

/// What the parent says of a slot that has no result yet.
void Uplink::wait(Entry &e, std::span<const uint8_t> payload, Time now) {
  std::optional<Waiting> waiting = Waiting::read(payload);
  if (!waiting)
    return;
  if (e.unanswered == 1)
    trip.measured(now - e.polledAt);
  e.unanswered = 0;
  e.waiting = std::move(*waiting);
  if (e.waiting.contributed && e.state == State::Sent) {
    window.arrived(e.cost);
    e.state = State::Accepted;
    e.backoff = firstWait();
    e.due = now + e.backoff;
  } else if (!e.waiting.contributed && (e.state == State::Accepted || e.asked)) {
    e.isLost = true;
    transmit(e, now, e.waiting.parts);
  }
}

void Uplink::fingerprint(std::vector<uint64_t> &out) const {
  const uint64_t unsaid = std::min(lowest, unasked);
  out.insert(out.end(),
             {lowest, highest, credit, unsaid > told ? unsaid - told : 0, uint64_t(hears), missed});
  for (uint64_t slot = lowest; hasRoom(slot); ++slot) {
    const Entry &e = entry(slot);
    const bool asked = slot < highest && e.asked, task = slot < highest && hasTask(e.descriptor);
    out.push_back(uint64_t(e.state) | uint64_t(asked) << 8 | uint64_t(task) << 9);
    out.push_back(slot < highest ? entry(slot).partsSeen : 0);
  }
}

} // namespace acis::collective
