#include "runtime/switch/acisd/Core.h"

#include "runtime/switch/acisd/Loop.h"
#include "runtime/switch/wire/OwnThread.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace acis::acisd {

using namespace wire;

Core::Core(const sw::SwitchConfig &config, std::shared_ptr<sw::SourceRates> rates,
           const FaultRates &faults)
    : ports(faults), device(config, ports, std::move(rates)),
      alarm(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

Core::~Core() {
  stop();
  close(alarm);
}

void Core::stop() {
  if (!thread.joinable())
    return;
  stopping = true;
  wake();
  thread.join();
}

size_t Core::receive() {
  size_t got = ports.receive(device);
  if (hasInbox)
    got += takeHandedOn();
  if (got > 0)
    ports.flush();
  return got;
}

Time Core::tick(Time now) {
  const Time next = std::min(device.tick(now), ports.tick(now));
  ports.flush();
  return next;
}

void Core::descriptors(std::vector<int> &all) const {
  all.push_back(alarm);
  ports.descriptors(all);
}

void Core::handOn(const Address &from, std::span<const uint8_t> datagram) {
  put({from, {datagram.begin(), datagram.end()}});
}

void Core::handOnRefusal(const Address &to) { put({to, {}}); }

void Core::put(HandedOn one) {
  std::lock_guard held(inboxLock);
  if (inbox.size() == MostHandedOn)
    return;
  inbox.push_back(std::move(one));
  hasInbox = true;
  wake(); // with the lock: what is woken finds it
}

size_t Core::takeHandedOn() {
  std::vector<HandedOn> all;
  {
    std::lock_guard held(inboxLock);
    all.swap(inbox);
    hasInbox = false;
    eventfd_t count;
    eventfd_read(alarm, &count);
  }
  std::vector<sw::Ingress> batch;
  for (const HandedOn &one : all)
    if (one.datagram.empty())
      device.refused(one.from, systemTime());
    else
      batch.push_back({0, one.from, one.datagram});
  device.receive(batch, systemTime());
  return all.size();
}

/// The thread's side.
struct Core::Work {
  Core &core;
  std::unique_lock<std::mutex> held;
  std::vector<int> waitedFor; ///< made anew after each pause

  explicit Work(Core &core) : core(core), held(core.lock) { look(); }
  void look() {
    waitedFor.clear();
    core.descriptors(waitedFor);
  }
  bool stops() {
    if (core.pausing) {
      core.changed.wait(held, [&] { return !core.pausing; });
      eventfd_t count;
      eventfd_read(core.alarm, &count);
      look();
    }
    return core.stopping;
  }
  size_t receive() { return core.receive(); }
  Time tick(Time now) { return core.tick(now); }
  void sleep(Time most) { sleepOn(waitedFor, most); }
};

void Core::start(Time spin) {
  thread = ownThread([this, spin] {
    Work work(*this);
    serve(work, spin);
  });
}

void Core::wake() { eventfd_write(alarm, 1); }

void Core::pause() {
  if (!thread.joinable())
    return;
  pausing = true;
  wake();
  lock.lock();
}

void Core::resume() {
  if (!thread.joinable())
    return;
  pausing = false;
  lock.unlock();
  changed.notify_one();
}

} // namespace acis::acisd
