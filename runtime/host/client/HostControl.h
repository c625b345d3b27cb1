// A member of a control group: what it has done, and what it was told. Repeats until the switch
// has heard. State machine without socket and clock; docs/control.md.
#pragma once

#include "runtime/host/client/HostSum.h"
#include "runtime/host/client/HostTasks.h"
#include "runtime/switch/collective/Tree.h"
#include "runtime/switch/control/Echo.h"
#include "runtime/switch/wire/Steering.h"

#include <functional>

namespace acis::client {

class HostControl {
public:
  using Send = std::function<void(const wire::Header &, std::span<const uint8_t>)>;

  /// `me` and the tree's ranks are those of the group, `worldRank` is this host's. `version`: of
  /// the session's Reports, counted on here.
  HostControl(uint32_t context, collective::Tree tree, uint32_t me, uint32_t worldRank,
              std::vector<uint32_t> worldRanks, const wire::Policy &policy, uint64_t &version,
              Send send, wire::Time now);

  const wire::Policy &policy() const { return what.policy; }
  uint64_t done() const { return own().done; }
  /// The next iteration has begun, and is not done.
  void begin() { underWay = true; }
  bool isUnderWay() const { return underWay; }
  /// All iterations below are done, or the member has left.
  void done(uint64_t iterations, wire::Time now);
  /// Waits for tasks that it gives; those that it has not run stay with it.
  void leave(wire::Time now);

  HostTasks &tasks() { return queue; }
  HostSum &sum() { return sums; }
  /// Of the sum as far as it is known: whether each rank of the group is in it.
  std::vector<bool> whoIsIn() const;
  bool isIn() const {
    return own().position < sums.sum().who.size() && sums.sum().who[own().position];
  }
  /// World rank of a member whose queue has not ended, as last heard.
  uint32_t busiest() const { return rankOf(last.busiest); }

  /// The switch has the group, and what was said last.
  bool isHeard() const { return echo.isConfirmed(); }
  bool hasLeft() const { return own().left && (isHeard() || !last.failure.empty()); }
  bool mayBegin(uint64_t iteration) const { return iteration < last.allowed; }
  /// No extra work is begun in this iteration any more.
  bool isSignalled(uint64_t iteration) const { return iteration < last.signalled; }
  const wire::Order &order() const { return last; }
  /// World rank of the member that the switch last called the slowest.
  uint32_t slowest() const;
  /// "rank 3, which has done 17 iterations"
  std::string slowestText() const;

  void receive(const wire::Header &header, std::span<const uint8_t> payload, wire::Time now);
  /// Somebody waits for others: who they are is asked for now and then.
  void wait(wire::Time now);
  wire::Time pump(wire::Time now);
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  static wire::Report withOneRecord() {
    wire::Report report;
    report.records.emplace_back();
    return report;
  }
  wire::Record &own() { return what.records.front(); }
  const wire::Record &own() const { return what.records.front(); }
  void changed(wire::Time now) {
    queue.reported(now);
    echo.tell(++version, now);
  }
  uint32_t rankOf(uint32_t position) const;
  void askIfDue(wire::Time now);
  wire::Time report(wire::Time now);
  void sendMember(wire::PacketType type, uint64_t number, std::span<const uint8_t> payload);

  uint32_t context;
  collective::Tree tree;
  std::vector<uint32_t> worldRanks;
  wire::Report what = withOneRecord();
  uint64_t &version;
  const uint64_t first; ///< of this use of the context
  Send send;
  control::Echo echo;
  wire::Order last;
  wire::Time asked = 0, askDue = wire::Never;
  bool underWay = false, leaving = false;
  HostTasks queue;
  HostSum sums;
};

} // namespace acis::client
