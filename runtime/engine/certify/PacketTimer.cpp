#include "runtime/engine/certify/PacketTimer.h"

#include <algorithm>

namespace acis {

using model::Event;
using model::EventKind;

Result<std::unique_ptr<PacketTimer>> PacketTimer::make(std::shared_ptr<const Image> image,
                                                       const Handler &handler,
                                                       const Overlay &overlay,
                                                       const TimerOptions &options) {
  auto timer = std::make_unique<PacketTimer>();
  timer->image = std::move(image);
  timer->name = handler.name;
  timer->options = options;
  if (options.memoryBytes == 0)
    timer->options.memoryBytes = std::min<uint64_t>(16u << 20, overlay.memBytes);
  timer->model = makeModelDevice(overlay, {.trace = true, .worstCase = options.worstCase});
  if (Status ready = timer->restart(); !ready)
    return ready.error();
  return timer;
}

Status PacketTimer::restart() {
  eventsSeen = 0;
  cyclesSeen = 0;
  if (Status loaded = model->load(image, name); !loaded)
    return loaded;
  return model->resizeMemory(options.memoryBytes);
}

std::optional<PacketTimer::Train>
PacketTimer::train(const std::vector<std::vector<uint8_t>> &packets) {
  for (const std::vector<uint8_t> &packet : packets)
    model->push(packet);
  const bool good = bool(model->run());
  if (!good) {
    lastTrap = model->trap() ? *model->trap() : Trap{};
    (void)restart(); // it loaded before
    return std::nullopt;
  }
  Train train;
  std::vector<uint8_t> sent;
  while (model->pop(sent)) {
  }
  const uint64_t start = cyclesSeen;
  std::vector<uint64_t> closed, ended;
  const std::vector<Event> &events = model->events();
  for (; eventsSeen < events.size(); ++eventsSeen) {
    Event event = events[eventsSeen];
    event.begin -= start;
    event.end -= start;
    switch (event.kind) {
    case EventKind::PacketIn:
      train.seen.push_back(event.begin);
      break;
    case EventKind::PacketOut:
      closed.push_back(event.end);
      break;
    case EventKind::Invocation:
      ended.push_back(event.end);
      train.control.push_back(event.end - event.begin);
      train.instructions += event.detail;
      break;
    case EventKind::Loop:
      train.loops.push_back(event);
      break;
    default:
      break;
    }
  }
  cyclesSeen = model->counters().cycles;
  train.done = closed.size() == packets.size() ? closed : ended;
  if (train.done.size() != packets.size() || ended.size() != packets.size())
    return std::nullopt;
  train.done.back() = std::max(train.done.back(), cyclesSeen - start);
  return train;
}

} // namespace acis
