#include "runtime/switch/acisd/JobService.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/acisd/Statistics.h"
#include "runtime/switch/wire/Header.h"

#include <algorithm>

namespace acis::acisd {

using namespace wire;

namespace {

/// Workers give sessions and groups of hosts numbers of their own.
sw::SwitchConfig configOf(const sw::SwitchConfig &all, unsigned number) {
  sw::SwitchConfig own = all;
  own.secret += number * 0x9e37'79b9'7f4a'7c15;
  return own;
}

sw::Collectives::Limits limitsOf(const sw::SwitchConfig &config) {
  sw::Collectives::Limits limits;
  limits.contexts = config.maxContexts;
  limits.keptBytes = config.maxKeptBytes;
  limits.slots = config.slots;
  limits.messageBytes = config.messageBytes;
  limits.packetBytes = config.packetBytes;
  return limits;
}

} // namespace

JobService::Worker::Worker(JobService &all, unsigned number, const Config &config)
    : Core(configOf(config.core, number), config.rates, config.faults), all(all), number(number) {
  device.keep(config.journal);
  device.add(
      std::make_unique<sw::Collectives>(device.services(), limitsOf(config.core), config.engine));
  sw::Control::Limits limits;
  limits.groups = config.core.maxContexts;
  auto control = std::make_unique<sw::Control>(device.services(), limits);
  steered = control.get();
  device.add(std::move(control));
}

/// The system has divided by the first datagram of what it moves in one piece; others may be of
/// other jobs.
bool JobService::Worker::takes(const Address &from, std::span<const uint8_t> datagram) {
  if (datagram.size() < HeaderBytes)
    return false;
  const unsigned at = all.workerOf(io::load<uint32_t>(datagram.data() + JobAt));
  if (at != number)
    all.workers[at]->handOn(from, datagram);
  return at != number;
}

/// What a machine answers comes to any of the sockets.
void JobService::Worker::refused(const Address &to) {
  for (const std::unique_ptr<Worker> &worker : all.workers)
    if (worker.get() != this)
      worker->handOnRefusal(to);
}

JobService::JobService(std::vector<UdpSocket> sockets, const Config &config) : spin(config.spin) {
  const auto count = unsigned(sockets.size());
  if (count > 1)
    sockets.front().divideGroup(JobAt, count);
  for (unsigned i = 0; i < count; ++i) {
    workers.push_back(std::make_unique<Worker>(*this, i, config));
    sockets[i].segment();
    sockets[i].takeGroups();
    sockets[i].keepRefusals();
    workers[i]->ports.add(0, std::move(sockets[i]));
    if (count > 1)
      workers[i]->ports.share(*workers[i]);
  }
}

/// Threads end before what they hand on to; the owner's worker, which has a capture's file, last.
JobService::~JobService() {
  for (const std::unique_ptr<Worker> &worker : workers)
    worker->stop();
  while (!workers.empty())
    workers.pop_back();
}

void JobService::capture(CaptureFile &file) {
  for (size_t i = 1; i < workers.size(); ++i) {
    auto tap = std::make_unique<CaptureTap>(file);
    workers[i]->device.watch(tap.get());
    workers[i]->device.add(std::move(tap));
  }
}

void JobService::start() {
  for (size_t i = 1; i < workers.size(); ++i)
    workers[i]->start(spin);
}

unsigned JobService::workerOf(sw::JobId job) const {
  return UdpSocket::partOf(job, unsigned(workers.size()));
}

sw::Statistics JobService::statistics() {
  const Pause pause(workers);
  sw::Statistics out;
  for (const std::unique_ptr<Worker> &worker : workers)
    addUp(out, worker->device.statistics());
  for (size_t i = 0; workers.size() > 1 && i < workers.size(); ++i)
    out.emplace_back("job_worker_" + std::to_string(i) + "_packets_received",
                     workers[i]->device.counters().received);
  return out;
}

std::vector<sw::Control::Status> JobService::groups() {
  const Pause pause(workers);
  std::vector<sw::Control::Status> out;
  for (const std::unique_ptr<Worker> &worker : workers)
    std::ranges::move(worker->steered->groups(), std::back_inserter(out));
  return out;
}

std::string JobService::change(sw::JobId job, uint32_t context, const Policy &policy) {
  const Pause pause(workers);
  return workers[workerOf(job)]->steered->change(job, context, policy);
}

} // namespace acis::acisd
