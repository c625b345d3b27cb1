// What goes between two engines: whom each means by a communicator, messages until they are there,
// and what was heard of them.
#include "runtime/switch/direct/Exchange.h"

#include "runtime/switch/collective/Shapes.h"

#include <algorithm>

namespace acis::direct {

using namespace wire;
using algorithms::Step;

namespace {

constexpr Time resendAfter = 3 * Millisecond, longestResend = 256 * Millisecond;
/// Silence is at first a loss: so many waits after the first are twice as long as that; then each
/// is twice the last, for an engine that is kept from answering.
constexpr unsigned shortWaits = 5;
/// What nobody repeats is confirmed by the next message to the engine, or after so long, or when so
/// many are owed.
constexpr Time confirmAfter = Millisecond;
constexpr unsigned mostOwed = 8;
/// Messages that are repeated at once.
constexpr size_t mostAgain = 8;

} // namespace

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

/// Whether the partner has to say something before a slot can go on.
bool Exchange::isWaitedFor(const Partner &partner) const {
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    const Run &run = runAt(slot);
    const std::vector<Step> *steps = run.course ? &run.course->schedule.steps : nullptr;
    if (run.state == State::Going && run.next < steps->size() &&
        (*steps)[run.next].from == partner.place && !run.arrivals[run.next].isWhole)
      return true;
  }
  return false;
}

/// A use that the partner has said after it knew this one: not one of before.
void Exchange::isMet(Partner &partner, uint32_t theirs) {
  partner.theirs = theirs;
  partner.due = 0;
  partner.backoff = resendAfter;
  partner.patience = shortWaits;
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

/// What the partner says of messages to it.
void Exchange::confirm(Partner &partner, uint32_t here, uint64_t later) {
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
    --runAt(sent.header.slot).unheard;
  }
  while (!partner.sent.empty() && partner.sent.front().isThere) {
    partner.sent.pop_front();
    ++partner.first;
  }
  if (isNew) {
    partner.due = 0;
    partner.backoff = resendAfter;
    partner.patience = shortWaits;
    release();
  }
}

/// The part of a message that a packet carries; with what goes before it, it fits a frame that a
/// host's packet fits.
size_t Exchange::dataBytes() const {
  constexpr size_t before = Stamp::Bytes + Transit::Bytes;
  const size_t own = config.packetBytes > 2 * before ? config.packetBytes - before : before;
  return std::max(own, (size_t(config.messageBytes) + MaxParts - 1) / MaxParts);
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
  partner.credit = std::max(partner.credit, header.window);
  confirm(partner, stamp->here, 0);
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

bool Exchange::heard(Partner &partner, std::span<const uint8_t> payload, Time) {
  const std::optional<Hearing> hearing = Hearing::read(payload);
  if (!hearing || hearing->to != config.use || hearing->from != partner.theirs) {
    ++count.dropped;
    return true;
  }
  if (!hearing->isOver) {
    confirm(partner, hearing->here, hearing->later);
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

void Exchange::transmit(Partner &partner, uint32_t number, bool again) {
  Sent &sent = partner.sent[number - partner.first];
  const std::span<const uint8_t> bytes = sent.bytes;
  const size_t step = dataBytes();
  Header header = sent.header;
  header.flags = again ? flag::Again : 0;
  header.parts = uint16_t(bytes.empty() ? 1 : (bytes.size() + step - 1) / step);
  header.window = partner.told = owner.credit();
  Stamp stamp{partner.theirs, config.use, number, partner.here, sent.ordinal};
  partner.owed = 0;
  sent.isOut = true;
  ++(again ? count.repeated : count.messages);
  for (unsigned part = 0; part < header.parts; ++part) {
    header.part = uint16_t(part);
    std::vector<uint8_t> payload = stamp.write();
    const std::span<const uint8_t> data =
        bytes.subspan(part * step, std::min(step, bytes.size() - part * step));
    payload.insert(payload.end(), data.begin(), data.end());
    owner.sendAcross(partner.number, header, payload);
  }
}

/// Sends what the partner has room for.
void Exchange::flush(Partner &partner, Time now) {
  if (!partner.theirs)
    return;
  const size_t most = std::min<size_t>(partner.sent.size(), 64);
  for (size_t i = 0; i < most; ++i) {
    Sent &sent = partner.sent[i];
    if (!sent.isOut && sent.header.slot < partner.credit) {
      transmit(partner, partner.first + uint32_t(i), false);
      if (partner.due == 0 || partner.due > now + partner.backoff)
        partner.due = now + partner.backoff;
    }
  }
}

void Exchange::sayHeard(Partner &partner, bool isOver) {
  partner.owed = 0;
  partner.asksNow = false;
  Header header;
  header.type = PacketType::Heard;
  header.context = config.context;
  header.window = partner.told = owner.credit();
  owner.sendAcross(
      partner.number, header,
      Hearing{partner.theirs, config.use, partner.here, partner.later, isOver}.write());
}

/// Sends what is due; when something will be.
Time Exchange::serve(Partner &partner, Time now) {
  auto lengthen = [&] {
    if (partner.patience > 0) {
      --partner.patience;
      partner.backoff = 2 * resendAfter;
    } else {
      partner.backoff = std::min(2 * partner.backoff, longestResend);
    }
  };
  if (partner.isOver)
    return Never;
  if (!partner.theirs) {
    if (partner.backoff == 0) {
      partner.backoff = resendAfter;
      partner.patience = shortWaits;
    }
    if (now >= partner.due) {
      sayMeet(partner, false);
      partner.due = now + partner.backoff;
      lengthen();
    }
    return partner.due;
  }
  flush(partner, now);
  const bool hasCredit = owner.credit() >= partner.told + std::max(1u, config.slots / 4);
  if (partner.asksNow || hasCredit || partner.owed >= std::min(mostOwed, config.slots) ||
      (partner.owed > 0 && now >= partner.owedSince + confirmAfter))
    sayHeard(partner, false);
  Time next = partner.owed > 0 ? partner.owedSince + confirmAfter : Never;
  if (partner.sent.empty()) {
    // Who waits has nothing to repeat, and hears so that the other's members have left.
    if (!isWaitedFor(partner)) {
      partner.due = 0;
      return next;
    }
    if (partner.due != 0 && now >= partner.due)
      sayHeard(partner, false);
    if (partner.due == 0 || now >= partner.due)
      partner.due = now + longestResend;
    return std::min(next, partner.due);
  }
  if (partner.due == 0)
    partner.due = now + partner.backoff;
  if (now >= partner.due) {
    // One that waits for credit goes as well: the answer says what credit there is.
    size_t again = 0;
    for (size_t i = 0; i < partner.sent.size() && again < mostAgain; ++i)
      if (!partner.sent[i].isThere && (partner.sent[i].isOut || again == 0)) {
        transmit(partner, partner.first + uint32_t(i), partner.sent[i].isOut);
        ++again;
      }
    partner.due = now + partner.backoff;
    lengthen();
  }
  return std::min(next, partner.due);
}

bool Exchange::pump(Time now, Time &next) {
  next = Never;
  for (const Header &header : std::exchange(starved, {}))
    if (!offer(header, now))
      return false;
  if (!starved.empty())
    next = now + Millisecond;
  for (uint64_t slot = lowest; slot < highest; ++slot)
    if (Run &run = runAt(slot); run.state == State::Going && run.busyUntil > 0) {
      if (!advance(run, now))
        return false;
      if (run.state == State::Going && run.busyUntil > now)
        next = std::min(next, run.busyUntil);
    }
  for (Partner &partner : all)
    next = std::min(next, serve(partner, now));
  return true;
}

} // namespace acis::direct
