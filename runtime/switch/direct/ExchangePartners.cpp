// What comes from another engine: whom each means by a communicator, messages, and what it has
// heard of this one's.
#include "runtime/switch/direct/Exchange.h"

#include "runtime/switch/collective/Shapes.h"

#include <algorithm>
#include <utility>

namespace acis::direct {

using namespace wire;
using algorithms::Step;

bool Exchange::receive(uint16_t engine, const Header &header, std::span<const uint8_t> payload,
                       Time now) {
  Partner *partner = partnerNumbered(engine);
  if (!partner) {
    ++count.dropped;
    return true;
  }
  switch (header.type) {
  case PacketType::Meet:
    return meet(*partner, header, payload);
  case PacketType::Heard:
    partner->credit = std::max(partner->credit, header.window);
    if (!heard(*partner, payload, now))
      return false;
    break;
  default:
    if (!message(*partner, header, payload, now))
      return false;
  }
  flush(*partner, now);
  return true;
}

void Exchange::opened(uint16_t engine) {
  if (Partner *partner = partnerNumbered(engine))
    partner->due = 0;
}

bool Exchange::ended(uint16_t engine) {
  Partner *partner = partnerNumbered(engine);
  return !partner || endsWithout(*partner);
}

void Exchange::end() {
  for (Partner &partner : all)
    if (partner.theirs && !partner.isOver)
      sayHeard(partner, true);
}

/// A use that the partner has said after it knew this one: not one of before.
void Exchange::isMet(Partner &partner, uint32_t theirs) {
  partner.theirs = theirs;
  beginWaits(partner);
}

bool Exchange::meet(Partner &partner, const Header &header, std::span<const uint8_t> payload) {
  const std::optional<Meeting> meeting = Meeting::read(payload);
  if (!meeting || meeting->fingerprint != config.fingerprint || meeting->size != party.size ||
      meeting->index != partner.place) {
    ++count.dropped; // of another use of the context, which is over or has yet to begin here
    return true;
  }
  if (meeting->messageBytes != config.messageBytes || meeting->packetBytes != config.packetBytes ||
      meeting->slots != config.slots) {
    auto sizes = [](uint32_t messages, uint32_t packets, uint32_t slots) {
      return "--message-bytes " + std::to_string(messages) + " --packet-bytes " +
             std::to_string(packets) + " --slots " + std::to_string(slots);
    };
    owner.failed("engines must be started with the same sizes; this one has " +
                 sizes(config.messageBytes, config.packetBytes, config.slots) + ", engine " +
                 std::to_string(partner.number) + " " +
                 sizes(meeting->messageBytes, meeting->packetBytes, meeting->slots));
    return false;
  }
  const bool isAnswer = header.flags & flag::Answer;
  if (partner.theirs != 0) {
    if (partner.theirs == meeting->mine && !isAnswer)
      sayMeet(partner, true);
    return true;
  }
  if (meeting->yours == config.use) {
    isMet(partner, meeting->mine);
    if (!isAnswer)
      sayMeet(partner, true);
  } else {
    partner.tentative = meeting->mine;
    sayMeet(partner, false);
  }
  return true;
}

void Exchange::sayMeet(Partner &partner, bool isAnswer) {
  Meeting meeting;
  meeting.mine = config.use;
  meeting.yours = partner.theirs ? partner.theirs : partner.tentative;
  meeting.fingerprint = config.fingerprint;
  meeting.size = party.size;
  meeting.index = party.place;
  meeting.messageBytes = config.messageBytes;
  meeting.packetBytes = config.packetBytes;
  meeting.slots = config.slots;
  Header header;
  header.type = PacketType::Meet;
  header.flags = isAnswer ? flag::Answer : 0;
  header.context = config.context;
  owner.sendAcross(partner.number, header, meeting.write());
}

bool Exchange::isHere(const Partner &partner, uint32_t number) const {
  const uint32_t ahead = number - partner.here; // modulo 2^32
  if (ahead >= uint32_t(1) << 31)
    return true;
  return ahead > 0 && ahead <= 64 && (partner.later >> (ahead - 1) & 1);
}

void Exchange::markHere(Partner &partner, uint32_t number, Time now) {
  const uint32_t ahead = number - partner.here;
  if (ahead > 0) {
    partner.later |= uint64_t(1) << (ahead - 1);
  } else {
    // The lowest bit is of the one behind `here`.
    ++partner.here;
    while (partner.later & 1) {
      partner.later >>= 1;
      ++partner.here;
    }
    partner.later >>= 1;
  }
  if (partner.owed++ == 0)
    partner.owedSince = now;
}

/// What the partner says of messages to it; whether that is new. Of one that was sent once it is
/// known how long that took.
bool Exchange::confirm(Partner &partner, uint32_t here, uint64_t later, Time now) {
  bool isNew = false;
  const uint32_t below = here - partner.first;
  for (size_t i = 0; i < partner.sent.size(); ++i) {
    Sent &sent = partner.sent[i];
    const uint64_t bit = uint64_t(i) - below - 1;
    const bool isThere = below <= partner.sent.size() &&
                         (i < below || (i > below && bit < 64 && (later >> bit & 1)));
    if (!isThere || sent.isThere || !sent.isOut)
      continue;
    sent.isThere = isNew = true;
    if (!sent.isAgain)
      partner.trip.measured(now - sent.sentAt);
    --runAt(sent.header.slot).unheard;
  }
  while (!partner.sent.empty() && partner.sent.front().isThere) {
    partner.sent.pop_front();
    ++partner.first;
  }
  if (isNew) {
    beginWaits(partner);
    release();
  }
  return isNew;
}

bool Exchange::message(Partner &partner, const Header &header, std::span<const uint8_t> payload,
                       Time now) {
  const std::optional<Stamp> stamp = Stamp::read(payload);
  if (!stamp || stamp->to != config.use || (partner.theirs && partner.theirs != stamp->from)) {
    ++count.dropped;
    return true;
  }
  if (!partner.theirs)
    isMet(partner, stamp->from); // it knows this use, so it means this one
  partner.heardAt = now;
  partner.credit = std::max(partner.credit, header.window);
  confirm(partner, stamp->here, 0, now);
  if (isHere(partner, stamp->number)) {
    ++count.duplicates;
    partner.asksNow = true;
    return true;
  }
  if (stamp->number - partner.here > 64 || header.slot < lowest) {
    partner.asksNow = true;
    ++count.dropped;
    return true;
  }
  switch (owner.expect(header)) {
  case Owner::Verdict::Failed:
    return false;
  case Owner::Verdict::Dropped:
    partner.asksNow = true;
    ++count.dropped;
    return true;
  case Owner::Verdict::Accepted:
    break;
  }
  Run &run = runAt(header.slot);
  if (run.state == State::Empty) {
    if (!prepare(run, header))
      return true; // there may be memory when it is repeated
    ++count.early;
    // A source elsewhere needs nothing of the own members.
    if (collective::upOf(header.shape) == collective::Up::Source && !hasRootHere(header))
      run.state = State::Going;
  }
  if (run.way != header.way) {
    owner.failed("engine " + std::to_string(partner.number) + " does " +
                 std::string(nameOf(header.kind)) + " by " + std::string(nameOf(header.way)) +
                 ", this one by " + std::string(nameOf(run.way)) +
                 "; all engines must have the same topology file");
    return false;
  }
  const std::vector<Step> &steps = run.course->schedule.steps;
  size_t at = 0;
  for (uint32_t before = 0; at < steps.size(); ++at)
    if (steps[at].from == partner.place && before++ == stamp->ordinal)
      break;
  if (at == steps.size() || run.arrivals[at].isWhole) {
    ++count.dropped;
    return true;
  }
  const std::span<const uint8_t> data = payload.subspan(Stamp::Bytes);
  const size_t bytes = bytesOf(run, steps[at].received).second, step = dataBytes(),
               parts = bytes == 0 ? 1 : (bytes + step - 1) / step, from = header.part * step;
  if (header.parts != parts || data.size() != std::min(step, bytes - from)) {
    ++count.dropped;
    return true;
  }
  Arrival &arrival = run.arrivals[at];
  arrival.bytes.resize(bytes);
  std::copy(data.begin(), data.end(), arrival.bytes.begin() + long(from));
  arrival.seen |= uint64_t(1) << header.part;
  if (arrival.seen != (parts == 64 ? ~uint64_t(0) : (uint64_t(1) << parts) - 1))
    return true;
  arrival.isWhole = true;
  markHere(partner, stamp->number, now);
  return run.state == State::Going && at == run.next ? advance(run, now) : true;
}

bool Exchange::heard(Partner &partner, std::span<const uint8_t> payload, Time now) {
  const std::optional<Hearing> hearing = Hearing::read(payload);
  if (!hearing || hearing->to != config.use || hearing->from != partner.theirs) {
    ++count.dropped;
    return true;
  }
  partner.heardAt = now;
  if (!hearing->isOver) {
    // What tells nothing new answers a message that was here before it came again: it, or what
    // confirmed it, takes longer than was known.
    if (!confirm(partner, hearing->here, hearing->later, now) && partner.repeatedAt != 0)
      partner.trip.timedOut(std::exchange(partner.repeatedAt, 0), now);
    return true;
  }
  return endsWithout(partner);
}

/// The partner's members have left, with all that they wanted: what it has not confirmed it had, or
/// does not need.
bool Exchange::endsWithout(Partner &partner) {
  partner.isOver = true;
  for (const Sent &sent : partner.sent)
    if (!sent.isThere)
      --runAt(sent.header.slot).unheard;
  partner.first += uint32_t(partner.sent.size());
  partner.sent.clear();
  release();
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    const Run &run = runAt(slot);
    if (run.state != State::Going || run.next >= run.course->schedule.steps.size())
      continue;
    if (run.course->schedule.steps[run.next].from == partner.place &&
        !run.arrivals[run.next].isWhole)
      return failWithout(partner, run);
  }
  return true;
}

} // namespace acis::direct
