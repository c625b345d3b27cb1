#include "runtime/switch/core/test/ExploreNodes.h"

#include <algorithm>

namespace acis::explore {

namespace {

/// Of mortals: more than an Alive that is lost and a timer that comes too early take together.
constexpr Time deadAfter = 5 * Second;

/// The port of multicast groups, and of no node.
const Address groups{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239}, 9000};

sw::TaskRun runTask(sw::JobId, uint32_t program, std::span<const uint8_t>,
                    std::span<const uint8_t> given) {
  if (program % 2 == 0 || given.size() < always().size() ||
      !std::ranges::equal(given.first(always().size()), always()))
    return {};
  return {std::vector<uint8_t>(given.begin() + long(always().size()), given.end())};
}

} // namespace

const std::vector<uint8_t> &always() {
  static const std::vector<uint8_t> bytes(100, 9);
  return bytes;
}

World::Memory::Memory() { functions.adopt(0, 1, std::make_shared<memory::Function>()); }

std::optional<memory::Runner::End> World::Memory::ended() {
  if (ends.empty())
    return std::nullopt;
  End end = std::move(ends.front());
  ends.pop_front();
  return end;
}

void World::Memory::finish() {
  for (memory::Launch &launch : waiting) {
    for (uint8_t &byte : launch.memory)
      ++byte;
    ends.push_back({launch.id, {}});
  }
  waiting.clear();
  for (memory::Fold &fold : folds) {
    ends.push_back({fold.id, {}});
    ends.back().outcome.data = std::move(fold.data);
  }
  folds.clear();
}

void World::Memory::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {hashBytes(region), waiting.size(), folds.size(), ends.size()});
  for (const memory::Fold &fold : folds)
    out.insert(out.end(), fold.data.begin(), fold.data.end());
}

World::Device::Device(World &world, uint32_t id)
    : world(world), id(id), memory(world.scene.memory ? std::make_unique<Memory>() : nullptr),
      device(configuration(), *this) {
  sw::Collectives::Limits limits;
  limits.slots = 2;
  limits.messageBytes = configuration().messageBytes;
  limits.contexts = world.scene.maxContexts;
  auto plugin =
      std::make_unique<sw::Collectives>(device.services(), limits, sw::EngineChoice{}, runTask);
  collectives = plugin.get();
  device.add(std::move(plugin));
  auto steering = std::make_unique<sw::Control>(device.services(), sw::Control::Limits());
  control = steering.get();
  device.add(std::move(steering));
  if (memory) {
    auto blocks = std::make_unique<sw::Memory>(
        device.services(),
        sw::Memory::Parts{memory->blocks, memory->functions, *memory, memory.get()},
        sw::Memory::Limits());
    node = blocks.get();
    device.add(std::move(blocks));
  }
}

sw::SwitchConfig World::Device::configuration() const {
  sw::SwitchConfig config;
  config.id = id;
  config.slots = 2;
  config.messageBytes = std::min(config.messageBytes, world.scene.pathBytes * (MaxParts - 2));
  config.deadAfter = world.scene.mortal ? deadAfter : aLongTime;
  config.secret = id + 1;
  if (world.scene.casts)
    config.casts = groups;
  const auto &above = world.scene.parentOfSwitch;
  if (world.scene.fabric) {
    auto network = std::make_shared<direct::Network>();
    network->fabric = *world.scene.fabric;
    network->number = uint16_t(id);
    for (uint32_t engine = 0; engine < above.size(); ++engine)
      network->engines.push_back(
          {std::to_string(engine), addressOf(world.nodeOfSwitch(engine)), ""});
    config.network = network;
  } else if (id < above.size() && above[id] != SessionOptions::NoSwitch)
    config.parents = {addressOf(world.nodeOfSwitch(above[id]))};
  return config;
}

void World::Device::send(unsigned, const Address &to, std::span<const uint8_t> bytes) {
  const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  if (to.port != groups.port)
    return world.flights.push_back({world.nodeOfSwitch(id), uint16_t(to.port - 1), copy});
  // Each copy of what goes to a group has its own fate.
  for (uint16_t rank : world.listeners[to])
    world.flights.push_back({world.nodeOfSwitch(id), rank, copy});
}

} // namespace acis::explore
