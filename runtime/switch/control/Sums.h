// Sums of what the first k members of a group gave, with who they are. The top switch of the group
// makes them, one after the other, all members in the same order. Pure state machine.
//
// Sum i is made when a quorum has given its share, or `deadline` after the first share; what comes
// for it later counts nowhere, and is answered with the sum. It is kept until every member that has
// not left has heard it: nobody can miss one, and nobody is more than Window sums behind. Shares
// are added in the order of positions, so a sum's bits depend on who is in it only.
#pragma once

#include "runtime/switch/wire/Steering.h"

#include <deque>
#include <functional>
#include <span>
#include <utility>

namespace acis::control {

class Sums {
public:
  static constexpr uint64_t Window = 64;

  Sums(const wire::Policy &policy, uint32_t members) : rules(policy), list(members) {}

  struct Answer {
    bool isOne = false;
    /// A wire::PartialSum; without elements as long as it is not made: then who has given its
    /// share.
    std::vector<uint8_t> sum;
  };
  /// A member's share of sum `number`; without elements it only asks. Fails on one of another
  /// length than others': then the group cannot go on. `keeps`: whether there is room for so many
  /// bytes.
  using Keeps = std::function<bool(size_t)>;
  Answer share(uint32_t position, uint64_t number, std::span<const uint8_t> elements,
               wire::Time now, const Keeps &keeps, std::string &trouble);
  /// The member holds nobody up.
  void leave(uint32_t position);
  /// Makes what can be made, and calls send(position, number, sum) for who waits for it; returns
  /// when to call again at the latest.
  using Send = std::function<void(uint32_t, uint64_t, std::span<const uint8_t>)>;
  wire::Time pump(wire::Time now, const Send &send);

  int64_t freed() { return std::exchange(released, 0); }
  uint64_t made() const { return first + kept.size(); }
  /// Of those that were made, not of all members.
  uint64_t partial() const { return partials; }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Member {
    bool left = false, given = false;
    uint64_t next = 0; ///< it has heard all sums below
    std::vector<uint8_t> share;
  };

  uint32_t needed() const;
  Answer whoGave() const;
  void make();
  void forget();

  const wire::Policy &rules;
  std::vector<Member> list;
  uint64_t first = 0; ///< number of the first that is kept
  std::deque<std::vector<uint8_t>> kept;
  uint32_t given = 0;             ///< shares of the one that is open
  wire::Time begun = wire::Never; ///< its first share
  int64_t released = 0;
  uint64_t partials = 0;
};

} // namespace acis::control
