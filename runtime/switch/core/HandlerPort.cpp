#include "runtime/switch/core/HandlerPort.h"

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/loader/StateUse.h"

#include <algorithm>

namespace acis::sw {

namespace {

/// Instructions and iterations of one invocation: milliseconds, not a hanging switch.
constexpr uint64_t MostSteps = uint64_t(1) << 20;
constexpr uint64_t MostMemory = uint64_t(1) << 30;
/// What a UDP datagram can carry.
constexpr size_t MostPayload = 65'507;

} // namespace

HandlerCounters &HandlerCounters::operator+=(const HandlerCounters &other) {
  received += other.received;
  bytesReceived += other.bytesReceived;
  processed += other.processed;
  sent += other.sent;
  bytesSent += other.bytesSent;
  trapped += other.trapped;
  tooLong += other.tooLong;
  replaced += other.replaced;
  cycles += other.cycles;
  return *this;
}

Result<std::unique_ptr<HandlerPort>> HandlerPort::make(const Overlay &overlay, HandlerLoad what) {
  if (what.memoryBytes > MostMemory || what.memory.size() > what.memoryBytes)
    return Error{"", std::to_string(std::max<uint64_t>(what.memoryBytes, what.memory.size())) +
                         " bytes of memory; at most " + std::to_string(MostMemory) +
                         " are allowed, and no less than its content"};
  Result<std::shared_ptr<const Image>> image = loadImage(what.elf, overlay);
  if (!image)
    return image.error();
  std::unique_ptr<HandlerPort> made(new HandlerPort);
  made->image = std::move(*image);
  Result<const Handler *> named = made->image->handler(what.handler);
  if (!named)
    return named.error();
  made->handler = (*named)->name;
  made->stateReason = acis::whyKeepsState(*made->image, **named, overlay);
  made->exact = what.exact;
  made->memory = std::make_shared<const std::vector<uint8_t>>(std::move(what.memory));
  made->memoryBytes = what.memoryBytes;
  if (Status ready = made->start(overlay); !ready)
    return ready.error();
  return made;
}

Result<std::unique_ptr<HandlerPort>> HandlerPort::another() const {
  std::unique_ptr<HandlerPort> made(new HandlerPort);
  made->image = image;
  made->handler = handler;
  made->stateReason = stateReason;
  made->exact = exact;
  made->memory = memory;
  made->memoryBytes = memoryBytes;
  if (Status ready = made->start(device->overlay()); !ready)
    return ready.error();
  return made;
}

Status HandlerPort::start(const Overlay &overlay) {
  device = exact ? makeModelDevice(overlay) : makeFastDevice(overlay);
  return restart();
}

/// As after loading: registers and memory as they were given.
Status HandlerPort::restart() {
  cyclesBefore = 0;
  if (Status loaded = device->load(image, handler); !loaded)
    return loaded;
  if (Status sized = device->resizeMemory(memoryBytes); !sized)
    return sized;
  device->setDeadline(MostSteps);
  std::copy(memory->begin(), memory->end(), device->memory().begin());
  return {};
}

HandlerPort::Outcome HandlerPort::process(std::span<const uint8_t> packet,
                                          std::vector<uint8_t> &answer, uint64_t &cycles) {
  ++count.received;
  count.bytesReceived += packet.size();
  cycles = 0;
  device->push(packet);
  if (Status done = device->run(); !done) {
    ++count.trapped;
    const Trap *what = device->trap();
    trapText = what ? (what->line.empty() ? "" : what->line + ": ") + what->what : "unknown";
    (void)restart(); // it did before
    return Outcome::Trapped;
  }
  ++count.processed;
  if (exact) {
    const uint64_t now = device->counters().cycles;
    cycles = now - cyclesBefore;
    count.cycles += cycles;
    cyclesBefore = now;
  }
  if (!device->pop(answer))
    return Outcome::Silent;
  if (answer.size() > MostPayload) {
    ++count.tooLong;
    return Outcome::TooLong;
  }
  ++count.sent;
  count.bytesSent += answer.size();
  return Outcome::Answered;
}

std::string_view HandlerPort::dropReason(Outcome outcome) const {
  switch (outcome) {
  case Outcome::Answered:
    break;
  case Outcome::Silent:
    return "the handler sent nothing";
  case Outcome::Trapped:
    return trapText;
  case Outcome::TooLong:
    return "the answer is too long for a datagram";
  }
  return "";
}

} // namespace acis::sw
