// A share of the packets of handlers: a core of the switch with sockets of its own, and if it
// is wanted a thread that serves them.
#pragma once

#include "runtime/switch/acisd/Ports.h"
#include "runtime/switch/core/Handlers.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace acis::acisd {

class Worker {
public:
  Worker(const sw::SwitchConfig &config, std::shared_ptr<sw::SourceRates> rates);
  ~Worker(); ///< ends the thread

  // For the thread that serves it, and for others while it is paused.
  Ports ports;
  sw::Switch device;
  sw::Handlers &handlers;

  size_t receive();
  wire::Time tick(wire::Time now) { return device.tick(now); }

  /// From here on an own thread serves it.
  void start(wire::Time spin);
  /// Returns when the thread stands still between two batches, with all answers sent; what
  /// arrives waits in the sockets. Without a thread nothing has to be done.
  void pause();
  void resume();

private:
  struct Work;
  void wake();

  std::thread thread;
  std::mutex lock; ///< held by the thread but while it pauses
  std::condition_variable changed;
  std::atomic<bool> pausing = false, stopping = false;
  int alarm = -1; ///< an eventfd that wakes the thread
};

} // namespace acis::acisd
