// See MemoryNode.h.
#include "runtime/sim/world/MemoryNode.h"

#include "runtime/sim/world/Devices.h"

namespace acis::cluster {

PacedRunner::PacedRunner(const Overlay *overlay) : choice{overlay, /*countsCycles=*/true} {
  if (overlay)
    engine = std::make_unique<memory::Engine>(*overlay, /*exact=*/true);
}

void PacedRunner::start(memory::Launch launch) {
  Due due{0, {launch.id, engine->run(launch)}};
  const wire::Time begin = std::max(free, now());
  due.at = free = begin + choice.timeOf(due.end.outcome.cycles);
  if (draw)
    draw(begin, free);
  ends.push_back(std::move(due));
}

std::optional<memory::Runner::End> PacedRunner::ended() {
  if (next() > now())
    return std::nullopt;
  End end = std::move(ends.front().end);
  ends.pop_front();
  return end;
}

MemoryNode::MemoryNode(World &world, uint32_t number)
    : world(world), self(World::addressOfMemory(number)),
      faults(faultsOf(world, FirstMemory + number),
             [this](const wire::Address &to, std::span<const uint8_t> bytes) {
               this->world.transmit(self, to, bytes);
             }),
      region(world.platform().memory.bytes),
      blocks(std::move(*memory::Blocks::make(region, 1))), // it is large enough: see Platform
      functions(world.options().overlay.get()), runner(world.options().overlay.get()),
      device(configOf(world, FirstMemory + number), *this) {
  device.add(std::make_unique<sw::Memory>(
      device.services(), sw::Memory::Parts{blocks, functions, runner}, sw::Memory::Limits()));
  if (Timeline *timeline = world.timeline())
    runner.draw = [timeline, track = timeline->track("memory nodes", World::nameOfMemory(number))](
                      wire::Time begin, wire::Time end) {
      timeline->slice(track, "launch", toSeconds(begin), toSeconds(end));
    };
}

void MemoryNode::run() {
  Inbox inbox(world.boxOf(self));
  for (;;) {
    const wire::Time next = std::min({device.tick(now()), runner.next(), faults.tick(now())});
    const std::unique_ptr<Datagram> datagram = inbox.await(next);
    if (!datagram)
      continue;
    const sw::Ingress in = {0, datagram->from, datagram->bytes};
    device.receive({&in, 1}, now());
  }
}

} // namespace acis::cluster
