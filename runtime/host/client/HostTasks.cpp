#include "runtime/host/client/HostTasks.h"

#include <algorithm>
#include <utility>

namespace acis::client {

using namespace wire;

void HostTasks::put(Task task, Time now) {
  queue.push_back(std::move(task));
  load.queued = uint32_t(queue.size());
  load.waits = false;
  tell(std::max(now, last + Pause));
}

/// Half of what is known is of the last two tasks.
void HostTasks::measure(Time now) {
  const Time began = std::exchange(begun, Never);
  if (began == Never)
    return;
  const Time took = std::max<Time>(1, now - began);
  load.taskTime = load.taskTime == 0 ? took : (3 * load.taskTime + took) / 4;
}

HostTasks::Next HostTasks::next(Task &task, Time now) {
  measure(now);
  if (!queue.empty()) {
    task = std::move(queue.front());
    queue.pop_front();
    load.queued = uint32_t(queue.size());
    load.waits = false;
    begun = now;
    tell(queue.size() < 2 ? now : std::max(now, last + Pause)); // soon it has none
    return Next::Task;
  }
  if (load.waits && rounds > load.rounds) {
    load.rounds = rounds;
    load.waits = false;
    tell(now);
    return Next::Ended;
  }
  if (!load.waits) {
    load.waits = true;
    tell(now);
  }
  return Next::Wait;
}

void HostTasks::order(const Order &order, uint32_t position, Time now) {
  rounds = std::max(rounds, order.rounds);
  const auto own = std::find_if(order.gives.begin(), order.gives.end(),
                                [&](const Give &give) { return give.position == position; });
  if (own == order.gives.end() || own->total <= load.answered)
    return;
  uint32_t wanted = own->total - load.answered;
  if (outbox.empty())
    giving.begin(now);
  for (; wanted > 0 && !queue.empty() && !leaving; --wanted) {
    outbox.push_back(std::move(queue.back())); // the one that would be last here
    queue.pop_back();
    ++load.given;
  }
  load.queued = uint32_t(queue.size());
  load.answered = own->total;
  tell(now);
}

void HostTasks::move(const Header &header, std::span<const uint8_t> task, Time now) {
  if (leaving || header.slot != load.taken + uint64_t(1))
    return; // it is here, and the Report that says so is on its way
  queue.emplace_back(task.begin(), task.end());
  load.queued = uint32_t(queue.size());
  ++load.taken;
  tell(now);
}

void HostTasks::moved(const Header &header, Time now) {
  if (outbox.empty() || header.slot != confirmed + uint64_t(1))
    return;
  outbox.pop_front();
  ++confirmed;
  giving.answered(now);
  giving.begin(now);
}

void HostTasks::reported(Time now) {
  due = Never;
  last = now;
}

void HostTasks::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {queue.size(), outbox.size(), confirmed, rounds, leaving, due != Never,
                         load.answered, load.taken, load.rounds, load.waits});
  for (const std::deque<Task> *tasks : {&queue, &outbox})
    for (const Task &task : *tasks)
      out.insert(out.end(), task.begin(), task.end());
}

} // namespace acis::client
