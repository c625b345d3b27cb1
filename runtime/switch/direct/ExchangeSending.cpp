// What goes to another engine, and when: messages until they are there, by how long that took
// before, and what is said of those that have come.
#include "runtime/switch/direct/Exchange.h"

#include <algorithm>
#include <utility>

namespace acis::direct {

using namespace wire;
using algorithms::Step;

namespace {

constexpr Time longestResend = 256 * Millisecond;
/// What takes longer than this to be confirmed is repeated all the same: what a loss costs at most.
constexpr Time longestFirst = 32 * Millisecond;
/// Silence is at first a loss: so many waits after the first are twice as long as that, up to here
/// where it is shorter; then each is twice the last, for an engine that is kept from answering.
constexpr unsigned shortWaits = 5;
constexpr Time longestSilence = 12 * Millisecond;
/// What nobody repeats is confirmed by the next message to the engine, or after so long, or when so
/// many are owed.
constexpr Time confirmAfter = Millisecond;
constexpr unsigned mostOwed = 8;
/// Messages that are repeated at once.
constexpr size_t mostAgain = 8;

} // namespace

void Exchange::beginWaits(Partner &partner) {
  partner.due = 0;
  partner.backoff = std::min(partner.trip.timeout(), longestFirst);
  partner.patience = shortWaits;
}

void Exchange::lengthenWait(Partner &partner) {
  if (partner.patience == 0) {
    partner.backoff = std::min(2 * partner.backoff, longestResend);
    return;
  }
  --partner.patience;
  const Time first = std::min(partner.trip.timeout(), longestFirst);
  partner.backoff = std::max(first, std::min(2 * first, longestSilence));
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

/// The part of a message that a packet carries; with what goes before it, it fits a frame that a
/// host's packet fits.
size_t Exchange::dataBytes() const {
  constexpr size_t before = Stamp::Bytes + Transit::Bytes;
  const size_t own = config.packetBytes > 2 * before ? config.packetBytes - before : before;
  return std::max(own, (size_t(config.messageBytes) + MaxParts - 1) / MaxParts);
}

void Exchange::transmit(Partner &partner, uint32_t number, bool again, Time now) {
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
  sent.isAgain |= again;
  sent.sentAt = now;
  if (!again)
    sent.firstAt = now;
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
      transmit(partner, partner.first + uint32_t(i), false, now);
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

/// What is not confirmed goes again, as much as may be at once. One that waits for credit goes as
/// well: the answer says what credit there is. An engine from which nothing has come since it first
/// went is slower than was known; else it was lost, and the next may wait as short.
void Exchange::repeat(Partner &partner, Time now) {
  size_t again = 0;
  for (size_t i = 0; i < partner.sent.size() && again < mostAgain; ++i) {
    const Sent &sent = partner.sent[i];
    if (sent.isThere || !(sent.isOut || again == 0))
      continue;
    if (sent.isOut && partner.heardAt < sent.firstAt)
      partner.trip.timedOut(sent.sentAt, now);
    if (sent.isOut)
      partner.repeatedAt = now;
    transmit(partner, partner.first + uint32_t(i), sent.isOut, now);
    ++again;
  }
  partner.due = now + partner.backoff;
  lengthenWait(partner);
}

/// Sends what is due; when something will be.
Time Exchange::serve(Partner &partner, Time now) {
  if (partner.isOver)
    return Never;
  if (!partner.theirs) {
    if (partner.backoff == 0)
      beginWaits(partner);
    if (now >= partner.due) {
      sayMeet(partner, false);
      partner.due = now + partner.backoff;
      lengthenWait(partner);
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
  if (now >= partner.due)
    repeat(partner, now);
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
