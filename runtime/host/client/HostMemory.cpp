#include "runtime/host/client/HostMemory.h"

#include <algorithm>

namespace acis::client {

using namespace wire;

namespace {
constexpr Time Longest = 256 * Millisecond;
/// Who polls asks so often.
constexpr Time PollEvery = 20 * Microsecond;
} // namespace

uint64_t HostMemory::start(const Access &access, bool polled) {
  Waiting one;
  one.request = access.write();
  one.polled = polled;
  waiting.push_back(std::move(one));
  return low + waiting.size() - 1;
}

void HostMemory::receive(const Header &header, std::span<const uint8_t> payload, Time now) {
  std::optional<Outcome> outcome = Outcome::read(payload);
  if (!outcome || header.slot < low || header.slot - low >= waiting.size())
    return;
  Waiting &one = waiting[header.slot - low];
  if (!one.sent || one.done)
    return;
  if (!one.isAgain && !one.polled)
    trip.measured(now - one.sentAt);
  if (outcome->running) {
    // It is there, and what ends it will be said: there is no hurry.
    one.wait = one.polled ? PollEvery : std::min(2 * one.wait, Longest);
    one.due = now + one.wait;
    return;
  }
  one.done = true;
  one.request = {};
  answers[header.slot] = std::move(*outcome);
  while (!waiting.empty() && waiting.front().done) {
    waiting.pop_front();
    ++low;
  }
}

Time HostMemory::pump(Time now) {
  Time next = Never;
  for (size_t i = 0; i < std::min(waiting.size(), MostUnanswered); ++i) {
    Waiting &one = waiting[i];
    if (one.done)
      continue;
    if (!one.sent || now >= one.due) {
      Header header;
      header.type = PacketType::Access;
      header.slot = low + i;
      header.window = low;
      header.flags = uint8_t((one.polled ? flag::Patient : 0) | (one.sent ? flag::Again : 0));
      repeats += one.sent;
      if (one.sent && !one.polled)
        trip.timedOut(one.sentAt, now);
      one.wait = !one.sent ? (one.polled ? PollEvery : trip.timeout())
                           : std::min(2 * one.wait, one.polled ? RoundTrip::Least
                                                               : std::max(Longest, trip.timeout()));
      one.isAgain = one.sent;
      one.sent = true;
      one.sentAt = now;
      one.due = now + one.wait;
      send(header, one.request);
    }
    next = std::min(next, one.due);
  }
  return next;
}

Outcome HostMemory::take(uint64_t slot) {
  auto found = answers.extract(slot);
  return found ? std::move(found.mapped())
               : Outcome::failed(Outcome::Failure::Malformed, "the request was waited for before");
}

void HostMemory::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {low, waiting.size()});
  for (const Waiting &one : waiting)
    out.push_back(one.polled << 2 | one.sent << 1 | one.done);
  for (const auto &[slot, answer] : answers)
    out.insert(out.end(), {slot, uint64_t(answer.failure), answer.value});
}

} // namespace acis::client
