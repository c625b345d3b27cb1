#include "runtime/switch/Handlers.h"

#include "runtime/loader/Image.h"

#include <algorithm>

namespace acis::sw {

namespace {

/// Instructions and iterations of one invocation: milliseconds, not a hanging switch.
constexpr uint64_t MostSteps = uint64_t(1) << 20;
constexpr uint64_t MostMemory = uint64_t(1) << 30;
/// What a UDP datagram can carry.
constexpr size_t MostPayload = 65'507;

} // namespace

struct Handlers::Port {
  std::shared_ptr<const Image> image;
  std::string handler;
  bool exact = false;
  std::unique_ptr<Device> device;
  std::vector<uint8_t> memory;
  uint64_t memoryBytes = 0;
  HandlerCounters counters;
  uint64_t cyclesBefore = 0;
  std::string lastTrap;

  /// As after loading: registers and memory as they were given.
  Status restart() {
    cyclesBefore = 0;
    if (Status loaded = device->load(image, handler); !loaded)
      return loaded;
    if (Status sized = device->resizeMemory(memoryBytes); !sized)
      return sized;
    device->setDeadline(MostSteps);
    std::copy(memory.begin(), memory.end(), device->memory().begin());
    return {};
  }
};

Handlers::Handlers(Services &services, const Overlay &overlay)
    : services(services), overlay(overlay) {}
Handlers::~Handlers() = default;

Status Handlers::load(unsigned port, HandlerLoad what) {
  if (what.memoryBytes > MostMemory || what.memory.size() > what.memoryBytes)
    return Error{"", std::to_string(std::max<uint64_t>(what.memoryBytes, what.memory.size())) +
                         " bytes of memory; at most " + std::to_string(MostMemory) +
                         " are allowed, and no less than its content"};
  Result<std::shared_ptr<const Image>> image = loadImage(what.elf, overlay);
  if (!image)
    return image.error();
  auto fresh = std::make_unique<Port>();
  fresh->image = std::move(*image);
  fresh->handler = what.handler.empty() && fresh->image->handlers.size() == 1
                       ? fresh->image->handlers.front().name
                       : what.handler;
  fresh->exact = what.exact;
  fresh->device = what.exact ? makeModelDevice(overlay) : makeFastDevice(overlay);
  fresh->memory = std::move(what.memory);
  fresh->memoryBytes = what.memoryBytes;
  if (Status ready = fresh->restart(); !ready)
    return ready;
  std::unique_ptr<Port> &place = table[port];
  if (place) {
    fresh->counters = place->counters;
    ++fresh->counters.replaced;
  }
  place = std::move(fresh);
  return {};
}

Status Handlers::unload(unsigned port) {
  if (table.erase(port) == 0)
    return Error{"", "no handler is loaded there"};
  return {};
}

void Handlers::datagram(unsigned number, const wire::Address &from,
                        std::span<const uint8_t> bytes) {
  auto found = table.find(number);
  if (found == table.end())
    return;
  Port &port = *found->second;
  HandlerCounters &count = port.counters;
  ++count.received;
  count.bytesReceived += bytes.size();
  port.device->push(bytes);
  if (Status done = port.device->run(); !done)
    return trap(port);
  ++count.processed;
  if (port.exact) {
    const uint64_t cycles = port.device->counters().cycles;
    count.cycles += cycles - port.cyclesBefore;
    port.cyclesBefore = cycles;
  }
  while (port.device->pop(answer)) {
    if (answer.size() > MostPayload) {
      ++count.tooLong;
      continue;
    }
    ++count.sent;
    count.bytesSent += answer.size();
    services.sendRaw(number, from, answer);
  }
}

void Handlers::trap(Port &port) {
  ++port.counters.trapped;
  const Trap *what = port.device->trap();
  port.lastTrap = what ? (what->line.empty() ? "" : what->line + ": ") + what->what : "unknown";
  (void)port.restart(); // it did before
}

std::vector<Handlers::PortStatus> Handlers::ports() const {
  std::vector<PortStatus> list;
  for (const auto &[number, port] : table)
    list.push_back({number, port->handler, port->exact, port->counters, port->lastTrap});
  return list;
}

void Handlers::statistics(Statistics &out) const {
  HandlerCounters all;
  for (const auto &[number, port] : table) {
    const HandlerCounters &one = port->counters;
    all.received += one.received;
    all.processed += one.processed;
    all.sent += one.sent;
    all.trapped += one.trapped;
    all.tooLong += one.tooLong;
  }
  out.insert(out.end(), {{"handler_packets_received", all.received},
                         {"handler_packets_processed", all.processed},
                         {"handler_packets_sent", all.sent},
                         {"handler_packets_trapped", all.trapped},
                         {"handler_answers_too_long", all.tooLong}});
}

} // namespace acis::sw
