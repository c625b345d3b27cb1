// What a world is made of (ExploreWorld.h): ranks, memory nodes and switches.
#pragma once

#include "runtime/switch/core/test/ExploreWorld.h"

namespace acis::explore {

using namespace wire;
using Do = Step::Do;
using State = collective::ParentLink::State;

constexpr Time aLongTime = 1'000'000 * Second;

uint64_t hashOf(const std::vector<uint64_t> &values);
uint64_t hashBytes(const std::vector<uint8_t> &bytes);

/// What every task reads beside what it gives, and the switch therefore keeps.
const std::vector<uint8_t> &always();

struct World::Rank {
  struct Call {
    Kind kind = Kind::Barrier;
    Request request = 0;
    std::vector<int32_t> in, out; ///< elements are equal
    int32_t want = -1;
    /// What all elements of the result are, if they are equal.
    int32_t given() const {
      const bool same = std::equal(out.begin() + 1, out.end(), out.begin());
      return same ? out.front() : -2;
    }
  };
  uint32_t id = 0;
  std::unique_ptr<client::HostSession> session;
  Time clock = Second;
  size_t done = 0;    ///< steps
  bool begun = false; ///< the step after these
  bool paused = false;
  uint64_t sessions = 0;
  std::deque<Call> calls;         ///< addresses are given away
  std::vector<uint8_t> ran, lost; ///< tasks; lost: it had them when it died
  bool dead = false;
  struct Asked {
    uint64_t slot;
    Step what;
  };
  std::deque<Asked> asked; ///< of the memory node, and not yet looked at
  uint64_t block = 0;
};

/// What a memory node stands on. Launches and folds last until it is told that they end.
struct World::Memory final : memory::Runner, memory::Folder {
  std::vector<uint8_t> region = std::vector<uint8_t>(4096);
  memory::Blocks blocks = *memory::Blocks::make(region, 1);
  memory::Functions functions{nullptr};
  std::vector<memory::Launch> waiting;
  std::vector<memory::Fold> folds;
  std::deque<End> ends;

  Memory();
  void start(memory::Launch launch) override { waiting.push_back(std::move(launch)); }
  void start(memory::Fold fold) override { folds.push_back(std::move(fold)); }
  void forget(uint32_t session) override {}
  std::optional<End> ended() override;
  void finish() override;
  void fingerprint(std::vector<uint64_t> &out) const;
};

struct World::Device final : sw::Output {
  World &world;
  uint32_t id;
  Time clock = Second;
  sw::Collectives *collectives = nullptr;
  sw::Control *control = nullptr;
  std::unique_ptr<Memory> memory; ///< outlives the device's plugin
  sw::Switch device;
  sw::Memory *node = nullptr;

  Device(World &world, uint32_t id);
  sw::SwitchConfig configuration() const;
  uint32_t packetBytes(const Address &) override { return world.scene.pathBytes; }
  void send(unsigned port, const Address &to, std::span<const uint8_t> bytes) override;
};

} // namespace acis::explore
