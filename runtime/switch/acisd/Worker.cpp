#include "runtime/switch/acisd/Worker.h"

#include "runtime/switch/acisd/Loop.h"
#include "runtime/switch/wire/OwnThread.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace acis::acisd {

using namespace wire;

Worker::Worker(const sw::SwitchConfig &config, std::shared_ptr<sw::SourceRates> rates)
    : device(config, ports, std::move(rates)), handlers([this]() -> sw::Handlers & {
        auto plugin = std::make_unique<sw::Handlers>(device.services());
        sw::Handlers &made = *plugin;
        device.add(std::move(plugin));
        return made;
      }()) {}

Worker::~Worker() {
  if (!thread.joinable())
    return;
  stopping = true;
  wake();
  thread.join();
  close(alarm);
}

size_t Worker::receive() {
  const size_t got = ports.receive(device);
  if (got > 0)
    ports.flush();
  return got;
}

/// The thread's side.
struct Worker::Work {
  Worker &worker;
  std::unique_lock<std::mutex> held;
  std::vector<int> waitedFor; ///< made anew after each pause

  explicit Work(Worker &worker) : worker(worker), held(worker.lock) { look(); }
  void look() {
    waitedFor = {worker.alarm};
    worker.ports.descriptors(waitedFor);
  }
  bool stops() {
    if (worker.pausing) {
      worker.changed.wait(held, [&] { return !worker.pausing; });
      eventfd_t count;
      eventfd_read(worker.alarm, &count);
      look();
    }
    return worker.stopping;
  }
  size_t receive() { return worker.receive(); }
  Time tick(Time now) { return worker.tick(now); }
  void sleep(Time most) { sleepOn(waitedFor, most); }
};

void Worker::start(Time spin) {
  alarm = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  thread = ownThread([this, spin] {
    Work work(*this);
    serve(work, spin);
  });
}

void Worker::wake() { eventfd_write(alarm, 1); }

void Worker::pause() {
  if (!thread.joinable())
    return;
  pausing = true;
  wake();
  lock.lock();
}

void Worker::resume() {
  if (!thread.joinable())
    return;
  pausing = false;
  lock.unlock();
  changed.notify_one();
}

} // namespace acis::acisd
