// Switches and hosts in one process with a network of its own: virtual time, faults by
// seed, every run the same. What the tests of the protocol stand on.
#pragma once

#include "runtime/host/client/HostSession.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Control.h"
#include "runtime/switch/core/Switch.h"
#include "runtime/switch/wire/Faults.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace acis::sim {

struct Cluster {
  uint32_t ranks = 4;
  std::vector<uint16_t> leafOfRank;     ///< empty: all on switch 0
  std::vector<uint16_t> parentOfSwitch; ///< one for each switch; empty: one switch
  std::optional<direct::Fabric> fabric; ///< the switches are engines of it
  bool keys = false;
  bool casts = true; ///< hosts can hear what is sent to several at once
  wire::FaultRates faults;
  sw::SwitchConfig config;
  uint32_t job = 7;
  sw::TaskRunner runTask;   ///< in place of an engine
  Way way = Way::Automatic; ///< that hosts ask engines for
  /// Payload that a host's system says its path takes in one piece, and the switch's the same; of
  /// ranks without one: any.
  std::map<uint32_t, uint32_t> pathBytes;
};

class Network {
public:
  explicit Network(const Cluster &shape);

  /// Runs until done() or `limit` of virtual time has passed from now; true if done.
  bool run(const std::function<bool()> &done, wire::Time limit = 20 * wire::Second);
  /// All hosts attached; fails the calling test otherwise.
  void attach();
  /// Adds a communicator of these world ranks on all of them.
  void add(uint32_t context, const std::vector<uint32_t> &ranks);

  client::HostSession &host(uint32_t rank) { return *hosts[rank]; }
  sw::Switch &device(uint32_t id) { return *switches[id]->device; }
  sw::Collectives &collectives(uint32_t id) { return *switches[id]->collectives; }
  sw::Control &control(uint32_t id) { return *switches[id]->control; }
  void kill(uint32_t rank) { dead[rank] = true; }
  void restart(uint32_t id);
  void stop(uint32_t id) { switches[id].reset(); }
  /// Another process with this rank, at the same address.
  void begin(uint32_t rank, uint32_t turn = 0);
  /// Machines answer switches where what they sent to is dead.
  bool refuses = false;
  /// A datagram from nowhere to a switch.
  void inject(uint32_t id, const wire::Address &from, std::span<const uint8_t> bytes);

  const std::optional<direct::Fabric> &fabric() const { return shape.fabric; }

  static wire::Address hostAddress(uint32_t rank);
  static wire::Address switchAddress(uint32_t id);
  /// Engines of a network with so many ranks each, in blocks.
  static Cluster engines(const direct::Fabric &fabric, uint32_t ranksOfEach);

  wire::Time now = wire::Second;
  wire::Time hop = 5 * wire::Microsecond; ///< of every datagram; it may grow
  uint64_t datagrams = 0;
  /// Every datagram on its way, if set; one to a group once for each who listens.
  std::function<void(const wire::Address &from, const wire::Address &to, std::span<const uint8_t>)>
      tap;
  /// Those that are lost, if set.
  std::function<bool(const wire::Address &from, const wire::Address &to, std::span<const uint8_t>)>
      loses;

private:
  struct Flight {
    wire::Time at;
    wire::Address from, to;
    std::vector<uint8_t> bytes;
  };
  struct Device final : sw::Output {
    Network &network;
    wire::Address self;
    wire::Faults<wire::Address> faults;
    sw::Collectives *collectives = nullptr;
    sw::Control *control = nullptr;
    std::unique_ptr<sw::Switch> device;
    Device(Network &network, uint32_t id);
    void send(unsigned, const wire::Address &to, std::span<const uint8_t> bytes) override;
    uint32_t packetBytes(const wire::Address &to) override;
  };
  std::unique_ptr<client::HostSession> makeHost(uint32_t rank, uint32_t turn);
  bool listen(uint32_t rank, const wire::Address &group, bool begin);

  void fly(const wire::Address &from, const wire::Address &to, std::span<const uint8_t> bytes);
  void deliver(const Flight &flight);
  wire::Time tick();

  Cluster shape;
  std::vector<std::unique_ptr<Device>> switches;
  std::vector<std::unique_ptr<client::HostSession>> hosts;
  std::vector<std::unique_ptr<wire::Faults<wire::Address>>> hostFaults;
  std::vector<bool> dead;
  uint64_t made = 0;                                ///< hosts
  std::multimap<wire::Address, uint32_t> listeners; ///< of multicast groups
  std::deque<Flight> flights; ///< in order of arrival: every hop takes the same time
  uint64_t incarnation = 1;
};

} // namespace acis::sim
