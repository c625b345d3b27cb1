#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>

namespace acis::sim {

using namespace wire;

namespace {

constexpr uint8_t groupNet = 3;
constexpr Key master = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

Address address(uint8_t net, uint32_t id) {
  Address out;
  out.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, net, uint8_t(id >> 8), uint8_t(id)};
  out.port = 9000;
  return out;
}

} // namespace

Address Network::hostAddress(uint32_t rank) { return address(1, rank); }
Address Network::switchAddress(uint32_t id) { return address(2, id); }

Network::Device::Device(Network &network, uint32_t id)
    : network(network), self(switchAddress(id)),
      faults(network.shape.faults, [this](const Address &to, std::span<const uint8_t> bytes) {
        this->network.fly(self, to, bytes);
      }) {
  sw::SwitchConfig config = network.shape.config;
  config.id = id;
  config.secret = network.incarnation++;
  if (network.shape.keys)
    config.master = master;
  if (network.shape.casts)
    config.casts = address(groupNet, 0);
  const auto &above = network.shape.parentOfSwitch;
  if (network.shape.fabric) {
    auto direct = std::make_shared<direct::Network>();
    direct->fabric = *network.shape.fabric;
    direct->number = uint16_t(id);
    for (uint32_t engine = 0; engine < direct->fabric.engines(); ++engine)
      direct->engines.push_back({"e" + std::to_string(engine), switchAddress(engine), ""});
    config.network = direct;
  } else if (id < above.size() && above[id] != SessionOptions::NoSwitch) {
    config.parents = {switchAddress(above[id])};
  }
  device = std::make_unique<sw::Switch>(config, *this);
  sw::Collectives::Limits limits;
  limits.contexts = config.maxContexts;
  limits.keptBytes = config.maxKeptBytes;
  limits.slots = config.slots;
  limits.messageBytes = config.messageBytes;
  limits.packetBytes = config.packetBytes;
  auto plugin = std::make_unique<sw::Collectives>(device->services(), limits, sw::EngineChoice{},
                                                  network.shape.runTask);
  collectives = plugin.get();
  device->add(std::move(plugin));
  auto steering = std::make_unique<sw::Control>(device->services(), sw::Control::Limits());
  control = steering.get();
  device->add(std::move(steering));
}

void Network::Device::send(unsigned, const Address &to, std::span<const uint8_t> bytes) {
  // Each copy of what goes to a group has its own fate.
  const auto [first, last] = network.listeners.equal_range(to);
  for (auto at = first; at != last; ++at)
    faults.pass(hostAddress(at->second), bytes, network.now);
  if (to.ip[13] != groupNet)
    faults.pass(to, bytes, network.now);
}

Cluster Network::engines(const direct::Fabric &fabric, uint32_t ranksOfEach) {
  Cluster shape;
  shape.fabric = fabric;
  shape.ranks = fabric.engines() * ranksOfEach;
  shape.parentOfSwitch.assign(fabric.engines(), collective::DirectNetwork);
  for (uint32_t rank = 0; rank < shape.ranks; ++rank)
    shape.leafOfRank.push_back(uint16_t(rank / ranksOfEach));
  return shape;
}

uint32_t Network::Device::packetBytes(const Address &to) {
  for (const auto &[rank, bytes] : network.shape.pathBytes)
    if (to == hostAddress(rank))
      return bytes;
  return UINT32_MAX;
}

bool Network::listen(uint32_t rank, const Address &group, bool begin) {
  if (begin) {
    listeners.emplace(group, rank);
    return true;
  }
  const auto [first, last] = listeners.equal_range(group);
  for (auto at = first; at != last; ++at)
    if (at->second == rank) {
      listeners.erase(at);
      break;
    }
  return true;
}

Network::Network(const Cluster &shape) : shape(shape), dead(shape.ranks) {
  const size_t count = std::max<size_t>(1, shape.parentOfSwitch.size());
  for (uint32_t id = 0; id < count; ++id) {
    this->shape.faults.seed = shape.faults.seed * 1000 + id;
    switches.push_back(std::make_unique<Device>(*this, id));
  }
  for (uint32_t rank = 0; rank < shape.ranks; ++rank) {
    const Address from = hostAddress(rank);
    FaultRates rates = shape.faults;
    rates.seed = shape.faults.seed * 2000 + rank;
    hostFaults.push_back(std::make_unique<Faults<Address>>(
        rates, [this, from](const Address &dst, std::span<const uint8_t> bytes) {
          fly(from, dst, bytes);
        }));
    hosts.push_back(makeHost(rank, 0));
  }
}

std::unique_ptr<client::HostSession> Network::makeHost(uint32_t rank, uint32_t turn) {
  client::HostSession::Config config;
  config.link.job = shape.job;
  if (shape.keys)
    config.link.key = jobKey(master, shape.job);
  config.link.who.id = rank;
  config.link.who.size = shape.ranks;
  config.link.who.turn = turn;
  config.link.parentName = "the switch";
  config.link.deadAfter = shape.config.deadAfter;
  config.link.nonce = 100 + rank + 1000 * ++made;
  config.placement = {shape.leafOfRank, shape.parentOfSwitch};
  config.way = shape.way;
  const Address to = switchAddress(shape.leafOfRank.empty() ? 0 : shape.leafOfRank[rank]);
  return std::make_unique<client::HostSession>(
      config,
      [this, rank, to](std::span<const uint8_t> bytes) { hostFaults[rank]->pass(to, bytes, now); },
      [this, rank](const Address &group, bool begin) { return listen(rank, group, begin); },
      client::HostSession::Room(),
      [this, rank] {
        const auto at = this->shape.pathBytes.find(rank);
        return at == this->shape.pathBytes.end() ? UINT32_MAX : at->second;
      });
}

void Network::begin(uint32_t rank, uint32_t turn) {
  hosts[rank] = makeHost(rank, turn);
  dead[rank] = false;
}

void Network::restart(uint32_t id) {
  switches[id].reset();
  switches[id] = std::make_unique<Device>(*this, id);
}

void Network::fly(const Address &from, const Address &to, std::span<const uint8_t> bytes) {
  ++datagrams;
  if (tap)
    tap(from, to, bytes);
  if (loses && loses(from, to, bytes))
    return;
  flights.push_back({now + hop, from, to, {bytes.begin(), bytes.end()}});
}

void Network::inject(uint32_t id, const Address &from, std::span<const uint8_t> bytes) {
  const sw::Ingress in{0, from, bytes};
  switches[id]->device->receive({&in, 1}, now);
}

void Network::deliver(const Flight &flight) {
  for (uint32_t id = 0; id < switches.size(); ++id)
    if (switches[id] && switchAddress(id) == flight.to)
      return inject(id, flight.from, flight.bytes);
  for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    if (!dead[rank] && hostAddress(rank) == flight.to) {
      hosts[rank]->receive(flight.bytes, now);
      hosts[rank]->tick(now);
      return;
    }
  for (uint32_t id = 0; refuses && id < switches.size(); ++id)
    if (switches[id] && switchAddress(id) == flight.from)
      switches[id]->device->refused(flight.to, now);
}

Time Network::tick() {
  Time next = Never;
  for (auto &item : switches)
    if (item)
      next = std::min({next, item->device->tick(now), item->faults.tick(now)});
  for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    if (!dead[rank])
      next = std::min({next, hosts[rank]->tick(now), hostFaults[rank]->tick(now)});
  return next;
}

bool Network::run(const std::function<bool()> &done, Time limit) {
  const Time end = now + limit;
  while (now < end) {
    const Time next = tick();
    if (done())
      return true;
    const Time arrival = flights.empty() ? Never : flights.front().at;
    now = std::min({std::max(now + 1, next), std::max(now, arrival), end});
    while (!flights.empty() && flights.front().at <= now) {
      const Flight flight = std::move(flights.front());
      flights.pop_front();
      deliver(flight);
    }
  }
  return done();
}

void Network::attach() {
  const bool all = run([&] {
    for (const auto &host : hosts)
      if (host->state() != collective::ParentLink::State::Attached)
        return false;
    return true;
  });
  ASSERT_TRUE(all) << hosts[0]->failure();
}

void Network::add(uint32_t context, const std::vector<uint32_t> &ranks) {
  for (uint32_t rank : ranks) {
    Status status = hosts[rank]->join(context, ranks, now);
    ASSERT_TRUE(status) << status.error().str();
  }
  const bool all = run([&] {
    for (uint32_t rank : ranks)
      if (!hosts[rank]->joinAnswer(context))
        return false;
    return true;
  });
  ASSERT_TRUE(all) << "context " << context << " was not answered";
}

} // namespace acis::sim
