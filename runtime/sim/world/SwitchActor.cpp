// See SwitchActor.h.
#include "runtime/sim/world/SwitchActor.h"

#include "runtime/host/client/Session.h"
#include "runtime/sim/world/Devices.h"

#include <algorithm>
#include <cmath>

namespace acis::cluster {
namespace {

wire::Time toTime(double seconds) { return wire::Time(std::llround(seconds * 1e9)); }

} // namespace

SwitchActor::SwitchActor(World &world, uint32_t number)
    : world(world), number(number), self(World::addressOfSwitch(number)), box(world.boxOf(self)),
      faults(faultsOf(world, number),
             [this](const wire::Address &to, std::span<const uint8_t> bytes) {
               this->world.transmit(self, to, bytes);
             }) {
  sw::SwitchConfig config = configOf(world, number);
  const uint16_t parent = world.placement().parentOfSwitch[number];
  if (parent != SessionOptions::NoSwitch)
    config.parents = {World::addressOfSwitch(parent)};
  device = std::make_unique<sw::Switch>(config, *this);
  device->watch(this);
  engine = {world.options().overlay.get(), /*countsCycles=*/true, clockOf()};
  device->add(
      std::make_unique<sw::Collectives>(device->services(), sw::Collectives::Limits(), engine));
  device->add(std::make_unique<sw::Control>(device->services(), sw::Control::Limits()));
  auto ports = std::make_unique<sw::Handlers>(device->services());
  handlers = std::make_unique<SwitchHandlers>(self, *ports, engine.overlay);
  device->add(std::move(ports));
}

/// Of the engine; drawn, if there is a timeline.
std::shared_ptr<sw::EngineClock> SwitchActor::clockOf() const {
  Timeline *timeline = world.timeline();
  if (!timeline)
    return std::make_shared<sw::EngineClock>();
  return std::make_shared<sw::EngineClock>(
      [timeline, track = timeline->track(group(), "engine")](auto begin, auto end) {
        timeline->slice(track, "op", toSeconds(begin), toSeconds(end));
      });
}

/// The engine does a packet of a handler as it does everything else.
void SwitchActor::verdict(const sw::Services::Verdict &verdict) {
  if (verdict.cycles > 0)
    engine.clock->add(engine.timeOf(verdict.cycles), now());
}

void SwitchActor::send(unsigned port, const wire::Address &to, std::span<const uint8_t> bytes) {
  if (port == 0)
    faults.pass(to, bytes, now());
  else
    leaving.push_back({std::max(engine.clock->end(), now()), to, {bytes.begin(), bytes.end()}});
}

/// What has been computed goes out; returns when the next is.
wire::Time SwitchActor::release() {
  for (; !leaving.empty() && leaving.front().ready <= now(); leaving.pop_front())
    faults.pass(leaving.front().to, leaving.front().bytes, now());
  return leaving.empty() ? wire::Never : leaving.front().ready;
}

void SwitchActor::arrived(std::unique_ptr<Datagram> datagram) {
  const SwitchCosts &costs = world.platform().device;
  wire::Time &free = portFree[datagram->from];
  const wire::Time begin = std::max(free, now());
  free = begin + toTime(costs.portTime(datagram->bytes.size()));
  if (Timeline *timeline = world.timeline())
    draw(*timeline, *datagram, begin, free);
  wire::Time ready = free + toTime(costs.portToPort);
  if (costs.packetTime > 0)
    ready = switchFree = std::max(ready, switchFree) + toTime(costs.packetTime);
  entering.push({ready, arrivals++, std::move(datagram)});
}

/// The tracks of a switch.
std::string SwitchActor::group() const {
  return "switch " + std::to_string(number) + " (" + world.nameOfSwitch(number) + ")";
}

void SwitchActor::draw(Timeline &timeline, const Datagram &datagram, wire::Time begin,
                       wire::Time end) const {
  const Result<wire::Header> header = wire::decode(datagram.bytes);
  timeline.slice(timeline.track(group(), "port of " + world.nameOf(datagram.from)),
                 header ? std::string(wire::nameOf(header->type)) : "datagram", toSeconds(begin),
                 toSeconds(end), {datagram.bytes.size(), ""});
}

void SwitchActor::handleReady() {
  std::vector<std::shared_ptr<Datagram>> datagrams;
  while (!entering.empty() && entering.top().ready <= now()) {
    datagrams.push_back(entering.top().datagram);
    entering.pop();
  }
  if (datagrams.empty())
    return;
  // What comes in one instant is one batch, but for what is for handlers.
  std::vector<sw::Ingress> batch;
  for (const auto &datagram : datagrams) {
    const sw::Ingress in = {datagram->port == World::AcisPort ? 0u : datagram->port, datagram->from,
                            datagram->bytes};
    if (in.port == 0)
      batch.push_back(in);
    else
      device->receive({&in, 1}, now());
  }
  if (!batch.empty())
    device->receive(batch, now());
}

void SwitchActor::run() {
  Inbox inbox(box);
  for (;;) {
    handleReady();
    wire::Time next = std::min({device->tick(now()), release(), faults.tick(now())});
    if (!entering.empty())
      next = std::min(next, entering.top().ready);
    if (std::unique_ptr<Datagram> datagram = inbox.await(next))
      arrived(std::move(datagram));
  }
}

} // namespace acis::cluster
