#include "runtime/switch/acisd/LaunchPool.h"

#include "runtime/switch/wire/OwnThread.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace acis::acisd {

namespace {
/// A launch that is short: less than a millisecond, mostly some microseconds.
constexpr size_t MostBytesHere = 32'768;
constexpr uint64_t MostStepsHere = uint64_t(1) << 16;
} // namespace

LaunchPool::LaunchPool(const Overlay &overlay, bool exact, unsigned count)
    : exact(exact), here(overlay, exact), alarm(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
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

/// False: nothing has happened yet. What could change its memory and not come to an end is left to
/// the threads, as is what is long, or traps: they say why.
bool LaunchPool::runHere(const memory::Launch &launch) {
  if (exact || !launch.memory.empty() || launch.input.size() + launch.head.size() > MostBytesHere)
    return false;
  wire::Outcome outcome = here.run(launch, MostStepsHere);
  if (outcome.failure != wire::Outcome::Failure::None)
    return false;
  std::lock_guard guard(lock);
  ends.push_back({launch.id, std::move(outcome)});
  return true;
}

void LaunchPool::start(memory::Launch launch) {
  if (runHere(launch))
    return;
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
