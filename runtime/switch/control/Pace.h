// How a control group goes on: from how far its members are and when they were there, what they
// may do. One clock, that of whoever calls: the top switch of the group. Pure state machine.
//
// Iteration i may begin when a quorum has done i - s. All that is ordered only grows.
#pragma once

#include "runtime/switch/control/Deadline.h"
#include "runtime/switch/wire/Steering.h"

#include <deque>

namespace acis::control {

class Pace {
public:
  Pace(const wire::Policy &policy, uint32_t members);

  /// What a member says; its position is below the number of members. Less than before is old.
  void report(const wire::Record &record, wire::Time now);
  /// The group is over.
  void fail(const std::string &what);
  /// From here on; "" or what is wrong. What has been allowed stays allowed.
  std::string change(const wire::Policy &policy, wire::Time now);
  /// Returns when to call again at the latest.
  wire::Time tick(wire::Time now);

  const wire::Order &order() const { return said; }
  /// Of the order; 0: as it began.
  uint64_t version() const { return changes; }
  const wire::Policy &policy() const { return rules; }
  uint32_t members() const { return uint32_t(list.size()); }
  /// Iterations whose signal came with a member still at work, and those that were measured.
  uint64_t missedDeadlines() const { return missed; }
  uint64_t measured() const { return rowsSeen; }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  struct Member {
    bool known = false, left = false;
    uint32_t rank = 0;
    uint64_t done = 0;
    wire::Time last = 0; ///< when its iteration began: it had done one, or no longer had to wait
    wire::Time interval = 0; ///< that the one before took
  };
  /// When members had done an iteration; 0: not seen.
  using Row = std::vector<wire::Time>;

  /// Changes what is ordered by f(); counts it if others have to hear of it.
  template <typename F> void ordering(F f);
  bool isComplete() const { return known == list.size(); }
  uint32_t needed() const;
  void take(Member &member, const wire::Record &record, wire::Time now);
  void advance(wire::Time now);
  void raiseFloor();
  void allow(wire::Time now);
  void stretch(const Member &fastest, wire::Time now);
  void note(uint32_t position, uint64_t iteration, wire::Time now);
  void signal(wire::Time now);
  void endRow();
  void nameSlowest();

  wire::Policy rules;
  std::vector<Member> list;
  uint32_t known = 0, active = 0;
  uint32_t beyond = 0; ///< active members that have done more than the floor
  uint32_t bound;      ///< staleness in force
  wire::Order said;
  uint64_t changes = 0;

  // Of extra work until a deadline: the iteration that is timed, when it began, and arrivals in it
  // and those after it.
  uint64_t timed = 0;
  wire::Time begun = wire::Never;
  std::deque<Row> rows;
  Samples history;
  uint64_t rowsSeen = 0, missed = 0;
};

} // namespace acis::control
