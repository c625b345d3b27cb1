// See SwitchActor.h.
#include "runtime/sim/world/SwitchActor.h"

#include "runtime/host/client/Session.h"
#include "runtime/sim/world/Devices.h"
#include "runtime/switch/wire/Across.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace acis::cluster {
namespace {

/// All engines, of which this is one.
std::shared_ptr<const direct::Network> networkOf(const World &world, uint32_t number) {
  auto network = std::make_shared<direct::Network>();
  network->fabric = *world.platform().graph.fabric;
  network->number = uint16_t(number);
  for (uint32_t engine = 0; engine < world.placement().nodeOfSwitch.size(); ++engine)
    network->engines.push_back({world.nameOfSwitch(engine), World::addressOfSwitch(engine)});
  return network;
}

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
  const Platform &platform = world.platform();
  if (platform.graph.fabric) {
    config.network = networkOf(world, number);
    config.packetBytes = platform.engine.packetBytes;
    config.messageBytes = platform.engine.messageBytes;
    ports = std::make_unique<EnginePorts>(
        platform.engine, platform.engineBuffer(),
        EnginePorts::Link{platform.link.bandwidth, platform.link.framingBytes}, uint16_t(number),
        World::addressOfRank(number));
  } else if (parent != SessionOptions::NoSwitch)
    config.parents = {World::addressOfSwitch(parent)};
  device = std::make_unique<sw::Switch>(config, *this);
  device->watch(this);
  engine = {world.options().overlay.get(), /*countsCycles=*/true, clockOf()};
  device->add(
      std::make_unique<sw::Collectives>(device->services(), sw::Collectives::Limits(), engine));
  device->add(std::make_unique<sw::Control>(device->services(), sw::Control::Limits()));
  auto plugin = std::make_unique<sw::Handlers>(device->services());
  handlers = std::make_unique<SwitchHandlers>(self, *plugin, engine.overlay);
  device->add(std::move(plugin));
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
  const wire::Time when = port != 0 ? std::max(engine.clock->end(), now())
                          : ports   ? ports->leave(to, bytes.size(), now())
                                    : now();
  if (port == 0 && when <= now())
    faults.pass(to, bytes, now());
  else
    leaving.insert({when, {to, {bytes.begin(), bytes.end()}}});
}

/// What has been computed, or has its port, goes out; returns when the next does.
wire::Time SwitchActor::release() {
  for (; !leaving.empty() && leaving.begin()->first <= now(); leaving.erase(leaving.begin()))
    faults.pass(leaving.begin()->second.to, leaving.begin()->second.bytes, now());
  return leaving.empty() ? wire::Never : leaving.begin()->first;
}

/// When a datagram that has come now is in the switch.
wire::Time SwitchActor::through(const Datagram &datagram) {
  const SwitchCosts &costs = world.platform().device;
  wire::Time begin = now(), end = begin, ready = begin;
  if (ports) {
    const EnginePorts::Passage passage = ports->take(datagram.from, datagram.bytes, begin);
    std::tie(begin, end, ready) = std::tie(passage.begin, passage.end, passage.ready);
  } else {
    wire::Time &free = portFree[datagram.from];
    begin = std::max(free, begin);
    end = free = begin + toTime(costs.portTime(datagram.bytes.size()));
    ready = end + toTime(costs.portToPort);
  }
  if (Timeline *timeline = world.timeline())
    draw(*timeline, datagram, begin, end);
  return ready;
}

void SwitchActor::arrived(std::unique_ptr<Datagram> datagram) {
  const SwitchCosts &costs = world.platform().device;
  wire::Time ready = through(*datagram);
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
  const bool isAcross = wire::Transit::isOne(datagram.bytes);
  const Result<wire::Header> header =
      wire::decode(std::span(datagram.bytes).subspan(isAcross ? wire::Transit::Bytes : 0));
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
