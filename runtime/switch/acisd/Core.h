// A core of the switch with sockets of its own, and if it is wanted a thread that serves them.
#pragma once

#include "runtime/switch/acisd/Ports.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace acis::acisd {

class Core {
public:
  /// `faults`: on what port 0 sends.
  Core(const sw::SwitchConfig &config, std::shared_ptr<sw::SourceRates> rates,
       const wire::FaultRates &faults = {});
  ~Core();

  // For the thread that serves it, and for others while it is paused.
  Ports ports;
  sw::Switch device;

  size_t receive();
  wire::Time tick(wire::Time now);
  /// Adds what to wait on.
  void descriptors(std::vector<int> &all) const;

  // For any thread.
  /// A datagram of port 0 that arrived elsewhere.
  void handOn(const wire::Address &from, std::span<const uint8_t> datagram);
  /// See Switch::refused.
  void handOnRefusal(const wire::Address &to);

  /// From here on an own thread serves it.
  void start(wire::Time spin);
  void stop(); ///< and here it ends
  /// Returns when the thread stands still between two batches, with all answers sent; what
  /// arrives waits in the sockets. Without a thread nothing has to be done.
  void pause();
  void resume();

private:
  struct Work;
  struct HandedOn {
    wire::Address from;
    std::vector<uint8_t> datagram; ///< empty: `from` has refused
  };
  /// What is handed on to a thread that does not get on is lost beyond so many, as in a socket.
  static constexpr size_t MostHandedOn = 4096;

  void put(HandedOn one);
  size_t takeHandedOn();
  void wake();

  std::thread thread;
  std::mutex lock; ///< held by the thread but while it pauses
  std::condition_variable changed;
  std::atomic<bool> pausing = false, stopping = false;
  int alarm; ///< an eventfd that wakes the thread

  std::mutex inboxLock;
  std::vector<HandedOn> inbox;
  std::atomic<bool> hasInbox = false;
};

/// Several stand still as long as it lives.
template <typename Cores> class Pause {
public:
  explicit Pause(Cores &cores) : cores(cores) {
    for (auto &core : cores)
      core->pause();
  }
  ~Pause() {
    for (auto &core : cores)
      core->resume();
  }
  Pause(const Pause &) = delete;
  Pause &operator=(const Pause &) = delete;

private:
  Cores &cores;
};

} // namespace acis::acisd
