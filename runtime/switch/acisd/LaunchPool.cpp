#include "runtime/switch/acisd/LaunchPool.h"

#include "runtime/switch/wire/OwnThread.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace acis::acisd {

LaunchPool::LaunchPool(const Overlay &overlay, bool exact, unsigned count)
    : alarm(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  for (unsigned i = 0; i < count; ++i)
    threads.push_back(wire::ownThread([this, &overlay, exact] {
      memory::Engine engine(overlay, exact);
      work(engine);
    }));
}

LaunchPool::~LaunchPool() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  close(alarm);
}

void LaunchPool::start(memory::Launch launch) {
  {
    std::lock_guard guard(lock);
    waiting[launch.job].push_back(std::move(launch));
  }
  changed.notify_one();
}

bool LaunchPool::hasEnded() {
  std::lock_guard guard(lock);
  return !ends.empty();
}

std::optional<memory::Runner::End> LaunchPool::ended() {
  std::lock_guard guard(lock);
  if (ends.empty())
    return std::nullopt;
  End end = std::move(ends.front());
  ends.pop_front();
  if (ends.empty()) {
    eventfd_t count;
    eventfd_read(alarm, &count);
  }
  return end;
}

void LaunchPool::finish() {
  std::unique_lock guard(lock);
  idle.wait(guard, [&] { return waiting.empty() && busy == 0; });
}

void LaunchPool::work(memory::Engine &engine) {
  std::unique_lock guard(lock);
  for (;;) {
    changed.wait(guard, [&] { return stopping || !waiting.empty(); });
    if (waiting.empty())
      return;
    auto turn = waiting.upper_bound(lastJob); // the next job after the last one
    if (turn == waiting.end())
      turn = waiting.begin();
    lastJob = turn->first;
    const memory::Launch launch = std::move(turn->second.front());
    turn->second.pop_front();
    if (turn->second.empty())
      waiting.erase(turn);
    ++busy;
    guard.unlock();
    wire::Outcome outcome = engine.run(launch);
    guard.lock();
    --busy;
    ends.push_back({launch.id, std::move(outcome)});
    eventfd_write(alarm, 1);
    if (waiting.empty() && busy == 0)
      idle.notify_all();
  }
}

} // namespace acis::acisd
