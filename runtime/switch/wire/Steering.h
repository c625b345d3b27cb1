// What a control group says on the wire: members report how far they are, the switch orders how
// they go on. Both are states, not events: each packet has all of it, so one that is lost,
// repeated or overtaken does no harm. Rules: docs/wire-protocol.md; meaning: docs/control.md.
#pragma once

#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Control.h"

namespace acis::wire {

/// How the members of a group go on. All of them say the same.
struct Policy {
  static constexpr uint32_t Unbounded = ~uint32_t(0);
  static constexpr Time MostDeadline = 3600 * Second;
  static constexpr uint32_t MostWindow = 1024, Whole = 1'000'000;
  /// Until when extra work is done: not at all, until a deadline after the iteration's begin,
  /// until the last member has done the iteration.
  enum class Extra : uint8_t { None, Deadline, LastArrival };

  /// A member may begin iteration i when `quorum` members have done i - staleness; 0: as all
  /// others.
  uint32_t staleness = 0;
  /// More than `staleness`: the switch chooses between the two at run time.
  uint32_t mostStaleness = 0;
  uint32_t quorum = 0; ///< 0: all
  Extra extra = Extra::None;
  Time deadline = 0;    ///< after the begin of an iteration; 0: computed from those before
  uint32_t utility = 0; ///< of extra work, in millionths of that of the application's work
  uint32_t window = 64; ///< iterations that a deadline is computed from, and
  uint32_t every = 16;  ///< after how many it is computed anew
  /// Tasks are moved when the longest queue takes longer than the even one by more than that, in
  /// millionths of the even one, until it is by less than `settled`; 0: they stay.
  uint32_t imbalance = 0, settled = 0;
  /// A member that dies has left; else the job is over.
  bool survive = false;

  bool operator==(const Policy &) const = default;
  /// "" or what is wrong.
  std::string wrong() const;
};

/// Of a member's queue of tasks (control/Balance.h). All but `queued`, `taskTime` and `waits` only
/// grow.
struct Load {
  uint32_t queued = 0;   ///< tasks that it has not begun
  uint64_t taskTime = 0; ///< mean of its last ones, in nanoseconds; 0: not known
  uint32_t answered = 0; ///< of the tasks that it was ordered to give: given, or had no more
  uint32_t given = 0;
  uint32_t taken = 0;  ///< that were moved to it
  uint32_t rounds = 0; ///< in which it has seen the end of all queues
  bool waits = false;  ///< for a task; it puts none until it has one, or all queues have ended
  bool operator==(const Load &) const = default;
};

/// Of one member.
struct Record {
  uint32_t position = 0; ///< in the tree
  uint32_t rank = 0;     ///< in the world, for messages
  uint64_t done = 0;     ///< iterations
  bool left = false;     ///< it will do no more
  Load load = {};
  bool operator==(const Record &) const = default;
};

/// From a child, of all members below it that have spoken.
struct Report {
  static constexpr uint32_t MostMembers = 1024; ///< of a group
  Join group;
  uint64_t use = 0; ///< version of the sender's first Report of this use of the context
  Policy policy;
  std::string trouble; ///< why the group cannot go on, or ""
  std::vector<Record> records;

  std::vector<uint8_t> write() const;
  static std::optional<Report> read(std::span<const uint8_t> bytes);
};

/// A member is to give so many tasks, of all that it has ever been ordered to.
struct Give {
  uint32_t position = 0, total = 0;
  bool operator==(const Give &) const = default;
};

/// From a parent, for all members.
struct Order {
  uint64_t allowed = 0;     ///< iterations below may begin
  uint64_t floor = 0;       ///< iterations below are done by the quorum
  uint64_t signalled = 0;   ///< no extra work is begun in iterations below
  Time deadline = 0;        ///< in force; 0: none
  uint32_t staleness = 0;   ///< in force
  uint32_t slowest = 0;     ///< position of a member that has done least, or has not come
  uint64_t slowestDone = 0; ///< what it has done
  uint32_t rounds = 0;      ///< so often all queues have ended
  uint32_t busiest = 0;     ///< position of a member whose queue has not
  std::string failure;      ///< why the group is over, or ""
  std::vector<Give> gives;  ///< of members that have not answered them
  bool operator==(const Order &) const = default;

  std::vector<uint8_t> write() const;
  static std::optional<Order> read(std::span<const uint8_t> bytes);
};

/// A sum of float64, and the members that are in it; one that is not made yet has no elements.
struct PartialSum {
  std::vector<bool> who;         ///< by position
  std::vector<uint8_t> elements; ///< little-endian

  static constexpr size_t bytesOfWho(size_t members) { return 2 + (members + 7) / 8; }
  std::vector<uint8_t> write() const;
  static std::optional<PartialSum> read(std::span<const uint8_t> bytes);
};

} // namespace acis::wire
