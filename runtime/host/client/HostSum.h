// A member's part in the sums of its group (control/Sums.h): gives its share of one after the other
// and asks until the sum is here. State machine without socket and clock.
#pragma once

#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/RoundTrip.h"
#include "runtime/switch/wire/Steering.h"

#include <algorithm>
#include <span>

namespace acis::client {

class HostSum {
public:
  /// Of the sum that is next; the one before is here.
  void give(std::vector<uint8_t> elements, wire::Time now) {
    begin(elements.size(), now);
    share = std::move(elements);
  }
  /// The same without a share: the sum that is next, of so many bytes, if it is made already.
  void ask(size_t bytes, wire::Time now) {
    begin(bytes, now);
    onlyAsks = true;
  }
  bool isUnderWay() const { return isOpen; }
  bool isMade() const { return isHere; }
  /// Made; or not, if that is all that was asked.
  bool isOver() const { return isHere || (onlyAsks && isAnswered); }
  uint64_t number() const { return next; }
  /// As far as it is known.
  const wire::PartialSum &sum() const { return what; }
  /// The sum is taken; the next one may follow.
  void take() {
    next += isHere;
    isOpen = false;
  }

  /// `position`: of this member. Of a share the switch has told nothing before its bit says so.
  void receive(const wire::Header &header, std::span<const uint8_t> payload, uint32_t position,
               wire::Time now) {
    std::optional<wire::PartialSum> said = wire::PartialSum::read(payload);
    if (!isOpen || isOver() || header.slot != next || !said ||
        (!said->elements.empty() && said->elements.size() != bytes))
      return;
    what = std::move(*said);
    isHere = !what.elements.empty();
    isAnswered |= onlyAsks || (position < what.who.size() && what.who[position]);
    asking.answered(now);
    if (!isOver())
      asking.later(now);
  }
  /// Calls send(number, share) if that is due; returns when to call again at the latest. What the
  /// switch has is not sent again.
  template <typename Send> wire::Time pump(wire::Time now, Send send) {
    if (!isOpen || isOver())
      return wire::Never;
    if (asking.due() <= now) {
      send(next, isAnswered ? std::span<const uint8_t>() : std::span<const uint8_t>(share));
      asking.sent(now);
    }
    return asking.due();
  }
  template <typename Out> void fingerprint(Out &out) const {
    out.insert(out.end(), {next, isOpen, isHere, isAnswered, onlyAsks});
    out.insert(out.end(), what.elements.begin(), what.elements.end());
    out.insert(out.end(), what.who.begin(), what.who.end());
  }

private:
  void begin(size_t ofSum, wire::Time now) {
    bytes = ofSum;
    share.clear();
    what = {};
    isHere = isAnswered = onlyAsks = false;
    isOpen = true;
    asking.begin(now);
  }

  uint64_t next = 0;
  size_t bytes = 0;
  std::vector<uint8_t> share;
  wire::PartialSum what;
  bool isOpen = false, isHere = false, isAnswered = false, onlyAsks = false;
  wire::Repeat asking{32 * wire::Millisecond};
};

} // namespace acis::client
