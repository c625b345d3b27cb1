// The host's side of a memory node, without socket and clock: requests, each with a slot, which are
// repeated until their answer is there.
#pragma once

#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Near.h"
#include "runtime/switch/wire/RoundTrip.h"

#include <deque>
#include <functional>
#include <map>

namespace acis::client {

class HostMemory {
public:
  using Send = std::function<void(const wire::Header &, std::span<const uint8_t>)>;
  /// Requests on their way at once; the node takes twice as many.
  static constexpr size_t MostUnanswered = 32;

  explicit HostMemory(Send send) : send(std::move(send)) {}

  /// `polled`: the node says nothing when it is done; it is asked. Sent by pump().
  uint64_t start(const wire::Access &access, bool polled);
  void receive(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  /// Sends what is due; returns when to call again at the latest.
  wire::Time pump(wire::Time now);

  bool isDone(uint64_t slot) const { return slot < low || answers.contains(slot); }
  /// Of one that is done, once.
  wire::Outcome take(uint64_t slot);
  bool idle() const { return waiting.empty(); }
  uint64_t resent() const { return repeats; }
  /// What decides what it does from here on.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Waiting {
    std::vector<uint8_t> request;
    bool polled = false, sent = false, done = false;
    wire::Time due = 0, wait = 0, sentAt = 0;
    bool isAgain = false;
  };
  Send send;
  uint64_t low = 0; ///< slot of the first in `waiting`: all below are done
  std::deque<Waiting> waiting;
  std::map<uint64_t, wire::Outcome> answers;
  uint64_t repeats = 0;
  wire::RoundTrip trip;
};

} // namespace acis::client
