#include "runtime/switch/core/Handlers.h"

namespace acis::sw {

void Handlers::place(unsigned number, std::unique_ptr<HandlerPort> port) {
  if (port)
    table[number] = std::move(port);
  else
    table.erase(number);
}

const HandlerPort *Handlers::at(unsigned number) const {
  const auto found = table.find(number);
  return found == table.end() ? nullptr : found->second.get();
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

} // namespace acis::sw
