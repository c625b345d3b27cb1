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

  bool operator==(const Policy &) const = default;
  /// "" or what is wrong.
  std::string wrong() const;
};

/// Of one member.
struct Record {
  uint32_t position = 0; ///< in the tree
  uint32_t rank = 0;     ///< in the world, for messages
  uint64_t done = 0;     ///< iterations
  bool left = false;     ///< it will do no more
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

/// From a parent, for all members.
struct Order {
  uint64_t allowed = 0;     ///< iterations below may begin
  uint64_t floor = 0;       ///< iterations below are done by the quorum
  uint64_t signalled = 0;   ///< no extra work is begun in iterations below
  Time deadline = 0;        ///< in force; 0: none
  uint32_t staleness = 0;   ///< in force
  uint32_t slowest = 0;     ///< position of a member that has done least, or has not come
  uint64_t slowestDone = 0; ///< what it has done
  std::string failure;      ///< why the group is over, or ""
  bool operator==(const Order &) const = default;

  std::vector<uint8_t> write() const;
  static std::optional<Order> read(std::span<const uint8_t> bytes);
};

} // namespace acis::wire
