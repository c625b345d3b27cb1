#include "runtime/switch/Handlers.h"

namespace acis::sw {

Handlers::Handlers(Services &services, const Overlay &overlay)
    : services(services), overlay(overlay) {}

Status Handlers::load(unsigned port, HandlerLoad what) {
  Result<std::unique_ptr<HandlerPort>> fresh = HandlerPort::make(overlay, std::move(what));
  if (!fresh)
    return fresh.error();
  std::unique_ptr<HandlerPort> &place = table[port];
  if (place)
    (*fresh)->follow(place->counters());
  place = std::move(*fresh);
  return {};
}

Status Handlers::unload(unsigned port) {
  if (table.erase(port) == 0)
    return Error{"", "no handler is loaded there"};
  return {};
}

void Handlers::datagrams(std::span<const Ingress> batch) {
  auto found = table.find(batch.front().port);
  if (found == table.end())
    return;
  HandlerPort &port = *found->second;
  for (const Ingress &in : batch) {
    uint64_t cycles = 0;
    const HandlerPort::Outcome outcome = port.process(in.bytes, answer, cycles);
    services.note({cycles, port.dropReason(outcome)});
    if (outcome == HandlerPort::Outcome::Answered)
      services.sendRaw(in.port, in.from, answer);
  }
}

std::vector<Handlers::PortStatus> Handlers::ports() const {
  std::vector<PortStatus> list;
  for (const auto &[number, port] : table)
    list.push_back({number, port->name(), port->isExact(), port->counters(), port->lastTrap()});
  return list;
}

void Handlers::describe(const HandlerCounters &all, Statistics &out) {
  out.insert(out.end(), {{"handler_packets_received", all.received},
                         {"handler_packets_processed", all.processed},
                         {"handler_packets_sent", all.sent},
                         {"handler_packets_trapped", all.trapped},
                         {"handler_answers_too_long", all.tooLong}});
}

void Handlers::statistics(Statistics &out) const {
  HandlerCounters all;
  for (const auto &[number, port] : table)
    all += port->counters();
  describe(all, out);
}

} // namespace acis::sw
