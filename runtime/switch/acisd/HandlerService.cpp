#include "runtime/switch/acisd/HandlerService.h"

#include "runtime/switch/acisd/Statistics.h"

#include <algorithm>

namespace acis::acisd {

using namespace wire;

static constexpr size_t BufferBytes = 16 << 20;

static sw::Handlers &addHandlers(sw::Switch &device) {
  auto plugin = std::make_unique<sw::Handlers>(device.services());
  sw::Handlers &made = *plugin;
  device.add(std::move(plugin));
  return made;
}

HandlerService::Worker::Worker(const sw::SwitchConfig &config,
                               std::shared_ptr<sw::SourceRates> rates)
    : Core(config, std::move(rates)), handlers(addHandlers(device)) {}

HandlerService::HandlerService(const Overlay &overlay, const Config &config)
    : overlay(overlay), threaded(config.threads > 0), segments(config.segments),
      capture(config.capture) {
  sw::SwitchConfig core = config.core;
  core.parents.clear();
  for (unsigned i = 0; i < std::max(config.threads, 1u); ++i) {
    workers.push_back(std::make_unique<Worker>(core, config.rates));
    if (!threaded) {
      workers.back()->device.watch(config.tap);
    } else if (capture) {
      auto tap = std::make_unique<CaptureTap>(*capture);
      workers.back()->device.watch(tap.get());
      workers.back()->device.add(std::move(tap));
    }
  }
  if (threaded)
    for (const std::unique_ptr<Worker> &worker : workers)
      worker->start(config.spin);
}

std::map<unsigned, HandlerService::Port>::iterator HandlerService::find(const Address &listen) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto &item) { return item.second.listen == listen; });
}

Result<HandlerService::Instances> HandlerService::instances(sw::HandlerLoad what, StateUse state,
                                                            unsigned home) const {
  Result<std::unique_ptr<sw::HandlerPort>> first = sw::HandlerPort::make(overlay, std::move(what));
  if (!first)
    return first.error();
  Instances made(workers.size());
  made[home] = std::move(*first);
  if (state == StateUse::One && !made[home]->whyKeepsState().empty())
    return made;
  for (std::unique_ptr<sw::HandlerPort> &place : made)
    if (!place) {
      Result<std::unique_ptr<sw::HandlerPort>> other = made[home]->another();
      if (!other)
        return other.error();
      place = std::move(*other);
    }
  return made;
}

Result<std::vector<UdpSocket>> HandlerService::open(const Address &listen) const {
  Result<std::vector<UdpSocket>> sockets =
      UdpSocket::bindGroup(listen, BufferBytes, unsigned(workers.size()));
  if (sockets && segments)
    for (UdpSocket &socket : *sockets)
      socket.segment();
  return sockets;
}

Result<Address> HandlerService::load(const Address &listen, sw::HandlerLoad what, StateUse state) {
  auto port = find(listen);
  const bool isNew = port == table.end();
  const unsigned number = isNew ? last + 1 : port->first;
  // Handlers that keep state, each on one worker, are spread over them.
  const unsigned home = number % unsigned(workers.size());
  Result<Instances> fresh = instances(std::move(what), state, home);
  if (!fresh)
    return fresh.error();
  const bool everywhere = std::all_of(fresh->begin(), fresh->end(),
                                      [](const auto &instance) { return bool(instance); });
  std::vector<UdpSocket> sockets;
  if (isNew) {
    Result<std::vector<UdpSocket>> opened = open(listen);
    if (!opened)
      return opened.error();
    sockets = std::move(*opened);
    last = number;
    port = table.try_emplace(number).first;
    port->second.listen = sockets.front().localAddress();
    port->second.before.resize(workers.size());
    if (capture)
      capture->name(number, port->second.listen);
  }

  const Pause pause(workers);
  if (!isNew)
    for (size_t i = 0; i < workers.size(); ++i) {
      if (const sw::HandlerPort *old = workers[i]->handlers.at(number))
        port->second.before[i] += old->counters();
      // Sockets come back in the order of the group: all at one worker, or one at each.
      for (UdpSocket &socket : workers[i]->ports.take(number))
        sockets.push_back(std::move(socket));
    }
  port->second.before[home].replaced += !isNew;
  const bool moves = !isNew && port->second.onAllWorkers != everywhere;
  port->second.onAllWorkers = everywhere;
  if (workers.size() > 1)
    sockets.front().gatherGroup(!everywhere);
  for (size_t i = 0; i < workers.size(); ++i) {
    workers[i]->handlers.place(number, std::move((*fresh)[i]));
    workers[everywhere ? i : home]->ports.add(number, std::move(sockets[i]));
  }
  // What a sender has in one socket goes before what will come to another: from all but the first
  // to the first, or from the first to all.
  Worker &holder = *workers[everywhere ? 0 : home];
  if (moves)
    holder.ports.drain(number, everywhere ? 0 : 1, holder.device);
  return port->second.listen;
}

Status HandlerService::unload(const Address &listen) {
  const auto port = find(listen);
  if (port == table.end())
    return Error{"", "no handler is loaded at " + listen.str()};
  const Pause pause(workers);
  for (const std::unique_ptr<Worker> &worker : workers) {
    worker->handlers.place(port->first, nullptr);
    worker->ports.take(port->first);
  }
  table.erase(port);
  return {};
}

HandlerService::PortStatus HandlerService::statusOf(unsigned number, const Port &port) const {
  PortStatus status;
  status.listen = port.listen;
  status.onAllWorkers = port.onAllWorkers;
  for (size_t i = 0; i < workers.size(); ++i) {
    sw::HandlerCounters mine = port.before[i];
    if (const sw::HandlerPort *handler = workers[i]->handlers.at(number)) {
      mine += handler->counters();
      status.handler = handler->name();
      status.exact = handler->isExact();
      status.whyKeepsState = handler->whyKeepsState();
      if (!handler->lastTrap().empty())
        status.lastTrap = handler->lastTrap();
    }
    status.counters += mine;
    status.workerReceived.push_back(mine.received);
  }
  return status;
}

std::vector<HandlerService::PortStatus> HandlerService::ports() {
  const Pause pause(workers);
  std::vector<PortStatus> list;
  for (const auto &[number, port] : table)
    list.push_back(statusOf(number, port));
  return list;
}

sw::Statistics HandlerService::statistics() {
  const Pause pause(workers);
  sw::Statistics out;
  for (const std::unique_ptr<Worker> &worker : workers)
    addUp(out, worker->device.statistics());
  sw::HandlerCounters all;
  for (const auto &[number, port] : table)
    all += statusOf(number, port).counters;
  out.insert(out.end(), {{"handler_packets_received", all.received},
                         {"handler_packets_processed", all.processed},
                         {"handler_packets_sent", all.sent},
                         {"handler_packets_trapped", all.trapped},
                         {"handler_answers_too_long", all.tooLong}});
  if (threaded)
    out.emplace_back("handler_workers", workers.size());
  return out;
}

} // namespace acis::acisd
