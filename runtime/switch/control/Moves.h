// Tasks that go from one member of a group to another: who gives, who gets, and that each is moved
// exactly once. One clock, that of whoever calls: the top switch of the group. Pure state machine.
//
// A task belongs to the giver until it is here, to this switch until the member that it was sent to
// has said that it has it, and then to that member. One giver's tasks have the numbers 1, 2, ...
// and come one by one; so do those that are sent to a member. So what comes twice is known by its
// number. What was sent to a member that has left, and that it has not said to have, is sent to
// another.
#pragma once

#include "runtime/switch/control/Balance.h"
#include "runtime/switch/wire/RoundTrip.h"
#include "runtime/switch/wire/Steering.h"

#include <deque>
#include <span>
#include <utility>

namespace acis::control {

class Moves {
public:
  Moves(const wire::Policy &policy, uint32_t members);

  /// What a member says, or that it has left; what is older than known changes nothing.
  void report(const wire::Record &record, wire::Time now);
  /// A member's task. Returns how many of its tasks are here; if that is not less than `number`, it
  /// is, now or since long. `keeps`: whether there is room for so many bytes.
  template <typename Keeps>
  uint32_t give(uint32_t position, uint64_t number, std::span<const uint8_t> task, wire::Time now,
                Keeps keeps) {
    Member &giver = list[position];
    if (number == giver.received + uint64_t(1) && giver.received < giver.ordered && !giver.left &&
        keeps(task.size())) {
      ++giver.received;
      assign({task.begin(), task.end()}, now);
    }
    return giver.received;
  }
  /// Orders what is to be given; version() tells whether that is something new.
  void decide();
  void policyChanged() { fresh = true; }
  uint64_t version() const { return changes; }
  /// Writes its part of an order.
  void describe(wire::Order &order) const;
  /// Calls send(position, number, task) for what is due; returns when to call again at the latest.
  template <typename Send> wire::Time pump(wire::Time now, Send send) {
    wire::Time next = wire::Never;
    for (uint32_t p = 0; p < list.size(); ++p) {
      Member &member = list[p];
      if (member.there.empty())
        continue;
      if (member.repeat.due() <= now) {
        send(p, uint64_t(member.load.taken) + 1, std::span<const uint8_t>(member.there.front()));
        member.repeat.sent(now);
      }
      next = std::min(next, member.repeat.due());
    }
    return next;
  }

  /// Bytes that are no longer kept since the last call.
  int64_t freed() { return std::exchange(released, 0); }
  uint64_t moved() const { return arrived; }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  /// A member is ordered to give so many more than it has answered.
  static constexpr uint32_t MostAhead = 16;

  struct Member {
    bool known = false, left = false;
    wire::Load load;
    uint32_t ordered = 0;                   ///< to give
    uint32_t received = 0;                  ///< of its tasks
    std::deque<std::vector<uint8_t>> there; ///< for it, the first with number load.taken + 1
    wire::Repeat repeat;                    ///< of the first
  };

  void assign(std::vector<uint8_t> task, wire::Time now);
  void confirm(Member &member, uint32_t taken, wire::Time now);
  void leave(Member &member, wire::Time now);
  std::vector<Queue> queues() const;
  static bool isPossible(const Member &member, const wire::Load &load);
  /// To be given, of those that it has, or on their way here.
  static uint32_t leaving(const Member &member);
  bool hasEnded(const Member &member) const;
  bool endRound();
  bool orderGives();

  const wire::Policy &rules;
  std::vector<Member> list;
  Balance balance;
  uint32_t known = 0, rounds = 0;
  bool fresh = false; ///< something was reported since the last decision
  int64_t released = 0;
  uint64_t arrived = 0, changes = 0;
};

} // namespace acis::control
