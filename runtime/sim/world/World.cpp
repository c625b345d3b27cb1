// See World.h.
#include "runtime/sim/world/World.h"

#include "runtime/sim/world/Devices.h"
#include "runtime/sim/world/MemoryNode.h"
#include "runtime/sim/world/SwitchActor.h"

#include <algorithm>
#include <map>

namespace acis::cluster {

namespace s4u = simgrid::s4u;

namespace {

constexpr uint8_t RankNet = 1, SwitchNet = 2, MemoryNet = 3;
constexpr std::string_view MemoryName = "memory";

wire::Address address(uint8_t net, uint32_t id) {
  wire::Address out;
  out.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, net, uint8_t(id >> 8), uint8_t(id)};
  out.port = World::AcisPort;
  return out;
}

} // namespace

wire::Address World::addressOfRank(uint32_t rank) { return address(RankNet, rank); }
wire::Address World::addressOfSwitch(uint32_t number) { return address(SwitchNet, number); }

wire::Address World::addressOfMemory(uint32_t number) { return address(MemoryNet, number); }
wire::Address World::addressForMemory(uint32_t rank) {
  wire::Address out = address(RankNet, rank);
  out.port = uint16_t(MemoryPorts + memorySessions[rank]++ % (EndOfMemoryPorts - MemoryPorts));
  return out;
}

s4u::Mailbox *World::boxOf(const wire::Address &at) const {
  const uint32_t id = uint32_t(at.ip[14]) << 8 | at.ip[15];
  if (at.ip[13] == RankNet && at.port != AcisPort) {
    // Answers of handlers come to one box, those for a session with a memory node to its own.
    const bool isOfMemory = at.port >= MemoryPorts && at.port < EndOfMemoryPorts;
    return id < settings.ranks
               ? s4u::Mailbox::by_name("acis-rank" + std::to_string(id) + "-port" +
                                       (isOfMemory ? std::to_string(at.port) : std::string("s")))
               : nullptr;
  }
  const auto &boxes = at.ip[13] == SwitchNet   ? switchBoxes
                      : at.ip[13] == MemoryNet ? memoryBoxes
                                               : rankBoxes;
  return id < boxes.size() ? boxes[id] : nullptr;
}

World::World(const Platform &platform, const WorldOptions &options)
    : shape(platform), settings(options) {
  if (options.drawsTimeline)
    drawing = std::make_unique<Timeline>();
}

World::~World() = default;

Result<std::unique_ptr<World>> World::make(const Platform &platform, const WorldOptions &options) {
  if (Status holds = platform.holds(options.ranks); !holds)
    return holds.error();
  std::unique_ptr<World> world(new World(platform, options));
  if (options.aggregates) {
    Result<Placement> placement = place(platform.graph, options.ranks);
    if (!placement)
      return placement.error();
    world->where = std::move(*placement);
  }
  try {
    world->build();
  } catch (const std::exception &error) {
    return Error{"", std::string("SimGrid: ") + error.what()};
  }
  return world;
}

void World::build() {
  graph = buildGraph(shape);
  if (isTracking())
    load.track(*s4u::Engine::get_instance(), graph.links);
  for (uint32_t r = 0; r < settings.ranks; ++r)
    rankBoxes.push_back(s4u::Mailbox::by_name("acis-rank" + std::to_string(r)));
  for (uint32_t s = 0; s < where.nodeOfSwitch.size(); ++s)
    switchBoxes.push_back(s4u::Mailbox::by_name("acis-switch" + std::to_string(s)));
  for (uint32_t m = 0; m < shape.memory.count; ++m)
    memoryBoxes.push_back(s4u::Mailbox::by_name("acis-memory" + std::to_string(m)));
  accesses.resize(settings.ranks);
  memorySessions.resize(settings.ranks);
  waiting.resize(settings.ranks);
  others.resize(settings.ranks);
  startSwitches();
  startMemory();
  if (settings.limit > 0)
    startLimit();
  if (drawing)
    startSampler();
}

void World::startSwitches() {
  for (uint32_t s = 0; s < switchBoxes.size(); ++s) {
    switches.push_back(std::make_unique<SwitchActor>(*this, s));
    SwitchActor *device = switches.back().get();
    s4u::Actor::create("switch" + std::to_string(s), graph.hosts[where.nodeOfSwitch[s]], [device] {
      device->run();
    })->daemonize();
  }
}

void World::startMemory() {
  for (uint32_t m = 0; m < shape.memory.count; ++m) {
    memories.push_back(std::make_unique<MemoryNode>(*this, m));
    MemoryNode *node = memories.back().get();
    s4u::Actor::create(nameOfMemory(m), graph.hosts[shape.nodeOfMemory(m)], [node] {
      node->run();
    })->daemonize();
  }
}

void World::startLimit() {
  s4u::Actor::create("limit", graph.hosts[0], [this] {
    s4u::this_actor::sleep_for(settings.limit);
    over = true;
    if (limitReached)
      limitReached();
  })->daemonize();
}

void World::sample() {
  Sample now{s4u::Engine::get_clock(), {}};
  for (size_t link = 0; link < graph.links.size(); ++link)
    now.bytes.push_back(load.left(link));
  samples.push_back(std::move(now));
}

/// So many moments at most: when there are more, every second is forgotten, and half as many come.
void World::startSampler() {
  constexpr size_t Most = 1000;
  s4u::Actor::create("sampler", graph.hosts[0], [this] {
    for (;; s4u::this_actor::sleep_for(sampleEvery)) {
      sample();
      if (samples.size() < Most)
        continue;
      for (size_t i = 0; i < Most / 2; ++i)
        samples[i] = std::move(samples[2 * i + 1]);
      samples.resize(Most / 2);
      sampleEvery *= 2;
    }
  })->daemonize();
}

std::string World::finishTimeline() {
  sample();
  for (size_t i = 0; i < samples.size(); ++i) {
    const double begin = i == 0 ? 0 : samples[i - 1].time, time = samples[i].time - begin;
    for (size_t l = 0; time > 0 && l < graph.links.size(); ++l) {
      const double bytes = samples[i].bytes[l] - (i == 0 ? 0 : samples[i - 1].bytes[l]);
      drawing->use(graph.links[l]->get_name(), begin,
                   std::min(1.0, std::max(bytes, 0.0) / (shape.link.bandwidth * time)));
    }
  }
  for (s4u::Link *link : graph.links)
    drawing->use(link->get_name(), s4u::Engine::get_clock(), 0);
  return drawing->json();
}

std::string World::nameOfSwitch(uint32_t number) const {
  return shape.graph.name(where.nodeOfSwitch[number]);
}

std::string World::nameOfMemory(uint32_t number) {
  return std::string(MemoryName) + std::to_string(number);
}

bool World::isMemory(std::string_view name) { return name.starts_with(MemoryName); }

Result<uint32_t> World::numberOfMemory(const std::string &name) const {
  for (uint32_t m = 0; m < memories.size(); ++m)
    if (nameOfMemory(m) == name)
      return m;
  if (memories.empty())
    return Error{name, "the platform has no memory nodes; give it \"memory\": {\"nodes\": 1}"};
  const std::string last =
      memories.size() > 1 ? " to " + nameOfMemory(uint32_t(memories.size()) - 1) : "";
  return Error{name, "is no memory node of this run; there are " + nameOfMemory(0) + last};
}

std::string World::nameOf(const wire::Address &at) const {
  const uint32_t id = uint32_t(at.ip[14]) << 8 | at.ip[15];
  return at.ip[13] == SwitchNet   ? nameOfSwitch(id)
         : at.ip[13] == MemoryNet ? nameOfMemory(id)
                                  : "rank " + std::to_string(id);
}

void World::transmit(const wire::Address &from, const wire::Address &to,
                     std::span<const uint8_t> bytes) {
  s4u::Mailbox *box = boxOf(to);
  if (!box)
    return; // as on metal: nobody is there
  const uint64_t size = bytes.size() + shape.link.framingBytes;
  ++count.datagrams;
  count.bytes += size;
  ways[{from, to}].send({box, {from, to.port, {bytes.begin(), bytes.end()}}, size},
                        shape.link.bandwidth);
}

std::string World::whoWaits() const {
  std::map<std::string, std::vector<uint32_t>> ranks; // by what they wait for
  for (uint32_t r = 0; r < waiting.size(); ++r)
    ranks[!others[r].empty() ? others[r]
          : waiting[r]       ? waiting[r]()
                             : "is not in a collective of the switch"]
        .push_back(r);
  std::string text;
  for (const auto &[what, who] : ranks) {
    text += who.size() == 1 ? "rank" : "ranks";
    for (size_t i = 0; i < std::min<size_t>(who.size(), 8); ++i)
      text += (i ? ", " : " ") + std::to_string(who[i]);
    if (who.size() > 8)
      text += " and " + std::to_string(who.size() - 8) + " more";
    text += ": " + what + "\n";
  }
  return text;
}

Result<uint32_t> World::numberOfSwitch(const std::string &name) const {
  std::string known;
  for (uint32_t s = 0; s < switches.size(); ++s) {
    if (nameOfSwitch(s) == name)
      return s;
    known += (known.empty() ? "" : ", ") + nameOfSwitch(s);
  }
  return Error{name, switches.empty() ? "this run has no switches that compute"
                                      : "is no switch of this run; there are " + known};
}

Result<nlohmann::json> World::command(const std::string &name, const nlohmann::json &command,
                                      std::vector<uint8_t> content) {
  const Result<uint32_t> number = numberOfSwitch(name);
  if (!number)
    return number.error();
  return switches[*number]->command(command, std::move(content));
}

WorldCounters World::counters() const {
  WorldCounters out = count;
  for (const auto &device : switches)
    out.dropped += droppedBy(device->core());
  for (const auto &node : memories)
    out.dropped += droppedBy(node->core());
  return out;
}

std::optional<EngineCounters> World::hardware() const {
  if (!shape.graph.fabric || switches.empty())
    return std::nullopt;
  EngineCounters out;
  for (const auto &device : switches)
    out += *device->hardware();
  return out;
}

std::vector<LinkUse> World::linkUse() const {
  std::vector<LinkUse> out;
  const double could = shape.link.bandwidth * s4u::Engine::get_clock();
  if (settings.countsLinks)
    for (size_t link = 0; link < graph.links.size(); ++link)
      out.push_back({graph.links[link]->get_name(), load.begun(link),
                     could > 0 ? load.begun(link) / could : 0});
  return out;
}

} // namespace acis::cluster
