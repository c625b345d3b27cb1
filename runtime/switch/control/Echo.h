// One end of a link whose two ends keep each other informed: each has a state with a version and
// says it until the other end has confirmed that version. Every packet says both versions, so a
// packet that is lost, doubled or overtaken does no harm, and either end may speak first.
#pragma once

#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/RoundTrip.h"

#include <algorithm>

namespace acis::control {

class Echo {
public:
  static constexpr wire::Time Longest = 256 * wire::Millisecond;
  /// A confirmation waits so long for something else to say. Less than any repetition.
  static constexpr wire::Time Pause = wire::Millisecond;

  /// This end's state has this version now, a higher one than before.
  void tell(uint64_t version, wire::Time now) {
    own = version;
    wait = trip.timeout();
    said = 0;
    when = now;
  }

  /// An answer is wanted, although there is nothing new.
  void ask(wire::Time now) {
    asks = true;
    when = now;
  }

  /// A packet of the other end; true: its state is newer than the one that is here.
  bool hear(const wire::Header &header, wire::Time now) {
    const bool isNews = !isConfirmed() && header.window >= own;
    if (isNews && said == 1)
      trip.measured(now - saidAt);
    confirmed = std::max(confirmed, std::min(header.window, own));
    const bool isNew = header.slot > theirs;
    theirs = std::max(theirs, header.slot);
    asks = false;
    if (isConfirmed() && !owes)
      when = wire::Never;
    if (!(header.flags & wire::flag::Answer)) {
      owes = true;
      when = std::min(when, isNew ? now + Pause : now); // it has not heard the last one
    }
    return isNew;
  }

  /// When there is something to say, if nothing else happens.
  wire::Time due() const { return when; }
  /// The other end has this end's state.
  bool isConfirmed() const { return confirmed == own; }
  uint64_t version() const { return own; }
  uint64_t heard() const { return theirs; }

  /// Fills in what a packet with this end's state says of both; it is sent now.
  void stamp(wire::Header &header, wire::Time now) {
    header.slot = own;
    header.window = theirs;
    owes = false;
    if (isConfirmed() && !asks) {
      header.flags |= wire::flag::Answer;
      when = wire::Never;
    } else {
      if (said > 0)
        trip.timedOut(saidAt, now);
      said += said < 2;
      saidAt = now;
      when = now + wait;
      wait = std::min(2 * wait, std::max(Longest, trip.timeout()));
    }
  }

  template <typename Out> void fingerprint(Out &out) const {
    out.insert(out.end(), {own, confirmed, theirs, owes, asks, when != wire::Never});
  }

private:
  uint64_t own = 0, confirmed = 0, theirs = 0;
  bool owes = false, asks = false;
  wire::RoundTrip trip;
  unsigned said = 0; ///< this version: once, or more often
  wire::Time when = wire::Never, wait = trip.timeout(), saidAt = 0;
};

} // namespace acis::control
