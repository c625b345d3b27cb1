// Threads that run launches of a memory node. Jobs take turns. What is short runs at once, in the
// caller's thread: to wake another one takes longer.
#pragma once

#include "runtime/switch/memory/Functions.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace acis::acisd {

class LaunchPool final : public memory::Runner {
public:
  /// `threads`: 1 or more. `overlay` outlives it.
  LaunchPool(const Overlay &overlay, bool exact, unsigned threads);
  ~LaunchPool() override;

  void start(memory::Launch launch) override;
  std::optional<End> ended() override;
  void finish() override;

  /// Readable while there is something for ended().
  int descriptor() const { return alarm; }
  bool hasEnded();

private:
  void work(memory::Engine &engine);
  bool runHere(const memory::Launch &launch);

  const bool exact;
  memory::Engine here; ///< for the caller's thread
  std::mutex lock;
  std::condition_variable changed, idle;
  std::map<uint32_t, std::deque<memory::Launch>> waiting; ///< by job
  uint32_t lastJob = 0;
  std::deque<End> ends;
  unsigned busy = 0;
  bool stopping = false;
  int alarm = -1; ///< an eventfd
  std::vector<std::thread> threads;
};

} // namespace acis::acisd
