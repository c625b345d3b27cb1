// A member's part in the sums of its group (control/Sums.h): gives its share of one after the other
// and asks until the sum is here. State machine without socket and clock.
#pragma once

#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/Steering.h"

#include <algorithm>
#include <span>

namespace acis::client {

class HostSum {
public:
  /// Of the sum that is next; the one before is here.
  void give(std::vector<uint8_t> elements, wire::Time now) {
    share = std::move(elements);
    what = {};
    isHere = hasGiven = false;
    isOpen = true;
    due = now;
    wait = First;
  }
  bool isUnderWay() const { return isOpen; }
  bool isMade() const { return isHere; }
  uint64_t number() const { return next; }
  /// As far as it is known.
  const wire::PartialSum &sum() const { return what; }
  /// The sum is taken; the next one may follow.
  void take() {
    isOpen = false;
    ++next;
  }

  void receive(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now) {
    std::optional<wire::PartialSum> said = wire::PartialSum::read(payload);
    if (!isOpen || isHere || header.slot != next || !said ||
        (!said->elements.empty() && said->elements.size() != share.size()))
      return;
    what = std::move(*said);
    isHere = !what.elements.empty();
    hasGiven = true;
    due = isHere ? wire::Never : now + wait;
  }
  /// Calls send(number, share) if that is due; returns when to call again at the latest. What the
  /// switch has is not sent again.
  template <typename Send> wire::Time pump(wire::Time now, Send send) {
    if (!isOpen || isHere)
      return wire::Never;
    if (due <= now) {
      send(next, hasGiven ? std::span<const uint8_t>() : std::span<const uint8_t>(share));
      due = now + wait;
      wait = std::min(2 * wait, Longest);
    }
    return due;
  }
  template <typename Out> void fingerprint(Out &out) const {
    out.insert(out.end(), {next, isOpen, isHere, hasGiven});
    out.insert(out.end(), what.elements.begin(), what.elements.end());
    out.insert(out.end(), what.who.begin(), what.who.end());
  }

private:
  static constexpr wire::Time First = 3 * wire::Millisecond, Longest = 32 * wire::Millisecond;

  uint64_t next = 0;
  std::vector<uint8_t> share;
  wire::PartialSum what;
  bool isOpen = false, isHere = false, hasGiven = false;
  wire::Time due = wire::Never, wait = First;
};

} // namespace acis::client
