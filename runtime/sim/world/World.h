// One simulated cluster with one job on it: the network, the switches that aggregate, and where the
// job's ranks are. The code of switches and hosts' ends is the one that runs on metal; time, links
// and losses are SimGrid's and this room's.
//
// Everything happens in one thread, in an order that depends on the platform, the program and the
// seed only.
#pragma once

#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/sim/engine/EngineModel.h"
#include "runtime/sim/platform/Placement.h"
#include "runtime/sim/platform/Platform.h"
#include "runtime/sim/world/GraphZone.h"
#include "runtime/sim/world/Inbox.h"
#include "runtime/sim/world/LinkLoad.h"
#include "runtime/sim/world/Timeline.h"
#include "runtime/sim/world/Way.h"
#include "runtime/switch/wire/Faults.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace acis::cluster {

class MemoryNode;
class SwitchActor;

struct WorldOptions {
  uint32_t ranks = 1;
  bool aggregates = true;     ///< false: switches only forward
  wire::FaultRates faults;    ///< of each datagram; their seed is the run's
  double limit = 0;           ///< simulated seconds after which the run ends; 0: none
  bool countsLinks = false;   ///< linkUse(); costs time
  bool drawsTimeline = false; ///< timeline(); costs more
  /// Of each switch, for what programs load into it, run cycle by cycle; none: it refuses these.
  std::shared_ptr<const Overlay> overlay = {};
};

struct WorldCounters {
  uint64_t datagrams = 0, bytes = 0; ///< that were put on links, headers included
  uint64_t dropped = 0;              ///< by the switches: damaged, foreign, out of order
};

struct LinkUse {
  std::string name; ///< "host0>leaf0"
  double bytes = 0;
  double share = 0; ///< of what it could have carried until now
};

class World {
public:
  /// Builds into the engine, which exists and is not yet running.
  static Result<std::unique_ptr<World>> make(const Platform &platform, const WorldOptions &options);
  ~World();

  const Platform &platform() const { return shape; }
  const WorldOptions &options() const { return settings; }
  const Placement &placement() const { return where; }
  simgrid::s4u::Host *hostOfRank(uint32_t rank) const { return graph.hosts[rank]; }

  static constexpr uint16_t AcisPort = 9000; ///< others are for handlers,
  static constexpr uint16_t MemoryPorts = 10'000, EndOfMemoryPorts = 20'000; ///< memory nodes'
  static wire::Address addressOfRank(uint32_t rank);
  static wire::Address addressOfSwitch(uint32_t number);
  static wire::Address addressOfMemory(uint32_t number);
  /// Of a rank, for one more session with a memory node; after the last one, the first again.
  wire::Address addressForMemory(uint32_t rank);
  simgrid::s4u::Mailbox *boxOf(const wire::Address &address) const;
  /// From the calling actor's host; headers are added to its size.
  void transmit(const wire::Address &from, const wire::Address &to, std::span<const uint8_t> bytes);

  /// Of the calling actor: what it waits for, in words, if the run has to end.
  using Waits = std::function<std::string()>;
  void watch(uint32_t rank, Waits waits) {
    waiting[rank] = std::move(waits);
    keep();
  }
  /// The calling actor, which sends, is there until the run ends.
  void keep() {
    // SimGrid looks at who sent a datagram when it arrives, and its sender may have ended.
    actors.push_back(simgrid::s4u::Actor::self());
  }
  bool isWatched(uint32_t rank) const { return bool(waiting[rank]); }
  void watchNoMore(uint32_t rank) { waiting[rank] = {}; }
  /// The same of something else, while the text is not empty: it comes first.
  void waitsFor(uint32_t rank, const std::string &what) { others[rank] = what; }
  /// What is called at the limit of simulated time; the calling actors go on if it returns.
  void atLimit(std::function<void()> then) { limitReached = std::move(then); }
  bool isOver() const { return over; }
  /// A line for each kind of waiting.
  std::string whoWaits() const;

  /// How many requests to memory nodes a rank has under way.
  uint32_t &accessesOf(uint32_t rank) { return accesses[rank]; }

  /// nullptr: it is not asked for. Use of links is drawn when the engine has run.
  Timeline *timeline() { return drawing.get(); }
  /// "leaf0"
  std::string nameOfSwitch(uint32_t number) const;
  /// "memory0"
  static std::string nameOfMemory(uint32_t number);
  /// Whether a memory node would be called so, if there is one.
  static bool isMemory(std::string_view name);
  Result<uint32_t> numberOfMemory(const std::string &name) const;
  std::string nameOf(const wire::Address &address) const;
  /// Puts the use of links into the timeline; what it gives is the whole.
  std::string finishTimeline();

  Result<uint32_t> numberOfSwitch(const std::string &name) const;
  /// A command to the switch of that name (SwitchHandlers.h), which takes no time. Fails if there
  /// is none.
  Result<nlohmann::json> command(const std::string &name, const nlohmann::json &command,
                                 std::vector<uint8_t> content);

  WorldCounters counters() const;
  /// Of all engines together: the hardware; no value: there are none.
  std::optional<EngineCounters> hardware() const;
  std::vector<LinkUse> linkUse() const;

private:
  World(const Platform &platform, const WorldOptions &options);
  void build();
  bool isTracking() const { return settings.countsLinks || settings.drawsTimeline; }
  void startSwitches();
  void startMemory();
  void startLimit();
  void startSampler();
  void sample();

  const Platform shape;
  const WorldOptions settings;
  Placement where;
  BuiltGraph graph;
  LinkLoad load; ///< if isTracking()
  std::vector<simgrid::s4u::Mailbox *> rankBoxes, switchBoxes, memoryBoxes;
  std::vector<std::unique_ptr<SwitchActor>> switches;
  std::vector<std::unique_ptr<MemoryNode>> memories;
  std::vector<uint32_t> accesses;       ///< by rank
  std::vector<uint32_t> memorySessions; ///< by rank: how many there were
  std::vector<Waits> waiting;           ///< by rank
  std::vector<std::string> others;
  std::vector<simgrid::s4u::ActorPtr> actors;
  std::map<std::pair<wire::Address, wire::Address>, Way> ways; ///< by sender and receiver
  std::function<void()> limitReached;
  std::unique_ptr<Timeline> drawing;
  /// What each link had carried at each of some moments, which are equally far from each other.
  struct Sample {
    double time;
    std::vector<double> bytes;
  };
  std::vector<Sample> samples;
  double sampleEvery = 1e-6;
  bool over = false;
  WorldCounters count;
};

} // namespace acis::cluster
