// A member's queue of tasks: what it runs, gives to others and gets. State machine without socket
// and clock; who decides is control/Moves.h, rules are in docs/wire-protocol.md.
#pragma once

#include "runtime/switch/wire/Header.h"
#include "runtime/switch/wire/RoundTrip.h"
#include "runtime/switch/wire/Steering.h"

#include <deque>
#include <functional>
#include <span>

namespace acis::client {

class HostTasks {
public:
  using Task = std::vector<uint8_t>;
  /// Changes what the member says of its queue; `load` outlives this.
  explicit HostTasks(wire::Load &load) : load(load) {}

  void put(Task task, wire::Time now);
  enum class Next : uint8_t { Task, Wait, Ended };
  /// The last task is over. Gives the next one; or, once, that all queues have ended.
  Next next(Task &task, wire::Time now);

  void order(const wire::Order &order, uint32_t position, wire::Time now);
  /// Move from the switch: one for this queue. Moved: so many of those that it gave are there.
  void move(const wire::Header &header, std::span<const uint8_t> task, wire::Time now);
  void moved(const wire::Header &header, wire::Time now);
  /// Gives and gets no more, as soon as isIdle().
  void leave() { leaving = true; }
  bool isIdle() const { return outbox.empty(); }
  /// Given; of the first it is not known yet whether the switch has it.
  const std::deque<Task> &given() const { return outbox; }

  /// When others should hear of the load.
  wire::Time reportDue() const { return due; }
  void reported(wire::Time now);
  /// Calls send(number, task) if that is due; returns when to call again at the latest.
  template <typename Send> wire::Time pump(wire::Time now, Send send) {
    if (outbox.empty())
      return wire::Never;
    if (giving.due() <= now) {
      send(uint64_t(confirmed) + 1, std::span<const uint8_t>(outbox.front()));
      giving.sent(now);
    }
    return giving.due();
  }
  void fingerprint(std::vector<uint64_t> &out) const;

private:
  /// News that others can wait for is told so seldom.
  static constexpr wire::Time Pause = wire::Millisecond;

  void tell(wire::Time when) { due = std::min(due, when); }
  void measure(wire::Time now);

  wire::Load &load;
  std::deque<Task> queue, outbox; ///< to be run; to be given, the first with number confirmed + 1
  uint32_t confirmed = 0;
  wire::Repeat giving;            ///< of the first that is to be given
  wire::Time begun = wire::Never; ///< the task that is under way
  wire::Time due = wire::Never, last = 0;
  uint32_t rounds = 0; ///< that the switch has ended
  bool leaving = false;
};

} // namespace acis::client
