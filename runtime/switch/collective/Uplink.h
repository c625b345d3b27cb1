// A child's side of one communicator: contributes messages (slots) to its parent and gets
// an answer to each, whatever the network does. Hosts and switches below others use it.
//
// The child repeats, the parent only answers. A message without answer is asked after with
// a Poll, a header, since nearly always it has arrived and others are late; it is sent again
// when the parent says that it is not there, or, if it is short, says nothing. After a Wait ("it is
// here, others are missing") Polls go on asking. Every answer and every message is idempotent. When
// to ask comes from how long results and answers to Polls took before (RoundTrip.h), how much is on
// its way at once from what was lost (Window.h). Where this process has to wait for a processor, so
// have the parent and others, and what is late is not lost. Pure state machine: no sockets, no
// clock.
#pragma once

#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Window.h"
#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Control.h"
#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/RoundTrip.h"

#include <algorithm>
#include <span>
#include <vector>

namespace acis::collective {

class Uplink {
public:
  struct Owner {
    virtual ~Owner() = default;
    /// The whole message of an offered slot; needed until it is answered.
    virtual std::span<const uint8_t> contribution(uint64_t slot) = 0;
    /// Takes a packet of an answer that has several, from this byte of it on: then answered() gets
    /// nothing. False, for all of a slot or none: the answer is laid together for answered().
    virtual bool takePart(uint64_t slot, size_t from, std::span<const uint8_t> part) {
      return false;
    }
    /// Called once for each slot, in any order.
    virtual void answered(uint64_t slot, std::span<const uint8_t> result) = 0;
    virtual void sendUp(const wire::Header &header, std::span<const uint8_t> payload) = 0;
  };

  struct Limits {
    uint32_t slots = 64;         ///< in use at once, as the parent's
    uint32_t packetBytes = 8192; ///< payload of one datagram
  };

  struct Counters {
    uint64_t messages = 0, resent = 0, polls = 0;
  };

  Uplink(Owner &owner, uint32_t context, const Limits &limits);

  /// All slots below are answered.
  uint64_t low() const { return lowest; }
  bool hasRoom(uint64_t slot) const { return slot < lowest + limits.slots; }
  /// The message of slot descriptor.slot can be sent; its answer has `resultBytes`.
  /// Requires hasRoom() and that the slot was not offered before. `Patient`: its answer is
  /// empty and nobody waits for it, so any later packet may stand for it. `Unasked`: the message
  /// is empty and the answer comes by itself; only when it does not, the message is sent.
  enum class Manner : uint8_t { Plain, Patient, Unasked };
  /// Of a message with a task: `resultBytes` is without what the op gives, which may be any number.
  void offer(const wire::Header &descriptor, uint32_t resultBytes, Manner manner = Manner::Plain);
  /// The parent has given the message of this slot itself, and there is no answer: it is over.
  void pass(uint64_t slot);
  /// Result, Shared, Wait or Credit of this communicator.
  void receive(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  /// Sends what may and must be sent; returns when to call again at the latest.
  wire::Time pump(wire::Time now);
  /// Who waits was woken so much later than it asked to.
  void late(wire::Time by);

  /// A packet that is to come: of which slot's answer, and from which byte on.
  struct Expected {
    uint64_t slot = 0;
    uint16_t part = 0;
    size_t from = 0, bytes = 0;
  };
  /// Visits the packets of answers that are waited for, as they come if nothing is lost, as long as
  /// it is told to go on. Without those whose length is not known.
  template <typename F> void expected(F visit) const;

  /// Why the lowest slot has no answer, as the parent last said.
  const wire::Waiting &waiting() const { return entry(lowest).waiting; }
  bool idle() const { return lowest == highest; }
  const Counters &counters() const { return count; }
  const Window &congestion() const { return window; }
  /// The state without times and counters, for exploration.
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  /// Early: has an answer before it was offered. Expected: sent only if no answer comes. Arrived:
  /// offered, with the answer, which the owner gets in pump().
  enum class State : uint8_t { Empty, Queued, Sent, Accepted, Done, Early, Expected, Arrived };
  struct Entry {
    State state = State::Empty;
    bool asked = false; ///< Sent: a Poll has gone out since
    bool patient = false;
    bool isShort = false; ///< Sent: the message is no longer than is sent again unasked
    uint8_t patience = 0; ///< Sent: waits that are still short
    wire::Header descriptor;
    uint32_t resultBytes = 0;
    bool isLost = false;    ///< the parent has said, or shown, that it did not come
    uint8_t unanswered = 0; ///< Polls since the last answer to one
    uint64_t cost = 0;      ///< bytes for the window; 0: not known yet
    uint64_t number = 0;    ///< of the window's, when it was last sent
    wire::Time due = 0, backoff = 0;
    wire::Time sentAt = 0, polledAt = 0;
    uint64_t partsSeen = 0;
    std::vector<uint8_t> assembly;
    wire::Waiting waiting;
  };

  Entry &entry(uint64_t slot) { return ring[slot % limits.slots]; }
  const Entry &entry(uint64_t slot) const { return ring[slot % limits.slots]; }
  void send(wire::Header header, std::span<const uint8_t> message, uint64_t there);
  void hear(const wire::Header &header);
  void miss(const wire::Header &header);
  wire::Time atMost(wire::Time limit) const;
  wire::Time firstWait() const;
  wire::Time silence(Entry &entry);
  uint64_t costOf(const Entry &entry, size_t bytes) const;
  bool admits(Entry &entry);
  void repair(uint32_t here, wire::Time now);
  /// All of its message, or what of it is not `there` (a bit for each part).
  void transmit(Entry &entry, wire::Time now, uint64_t there = 0);
  void poll(Entry &entry, wire::Time now);
  void sayDone();
  void acknowledge(uint32_t here);
  void measure(const Entry &entry, const wire::Header &header, wire::Time now);
  void early(const wire::Header &header, std::span<const uint8_t> payload);
  void result(Entry &entry, const wire::Header &header, std::span<const uint8_t> payload);
  void wait(Entry &entry, std::span<const uint8_t> payload, wire::Time now);
  void finish(Entry &entry, std::span<const uint8_t> result);
  void release();
  void service(Entry &entry, wire::Time now);

  Owner &owner;
  uint32_t context;
  Limits limits;
  std::vector<Entry> ring;
  uint64_t lowest = 0, highest = 0; ///< offered slots lie in [lowest, highest)
  uint64_t credit;                  ///< slots below may be sent
  uint64_t told = 0;                ///< `lowest` as the parent last heard
  uint64_t unasked = 0;             ///< the last slot that was answered unasked, plus 1
  wire::Usual answers;              ///< from a message to its result, others' part in it included
  wire::RoundTrip trip;             ///< from a Poll to what the parent says at once
  wire::Time lateness = 0;          ///< see late()
  uint64_t losses = 0; ///< a bit for each of the last messages: it or its answer was lost
  Window window;       ///< of entries in state Sent
  bool hears = false;  ///< Shared packets arrive; the parent is told
  unsigned missed = 0; ///< of them, one after the other
  Counters count;
};

template <typename F> void Uplink::expected(F visit) const {
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    const Entry &e = entry(slot);
    if ((e.state != State::Sent && e.state != State::Accepted && e.state != State::Expected) ||
        hasTask(e.descriptor))
      continue;
    size_t from = 0;
    for (uint16_t part = 0; from < e.resultBytes; ++part, from += limits.packetBytes)
      if ((e.partsSeen >> part & 1) == 0 &&
          !visit({slot, part, from, std::min<size_t>(limits.packetBytes, e.resultBytes - from)}))
        return;
  }
}

} // namespace acis::collective
