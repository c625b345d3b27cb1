// A memory node of the cluster: the plugin of `acisd --region` (docs/near-data.md) on a host of its
// own. Launches run on engine `model`, one after the other, and take its cycles; what reads or
// writes the region takes no more time than the network.
#pragma once

#include "runtime/sim/world/World.h"
#include "runtime/switch/core/Engine.h"
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/core/Switch.h"

#include <deque>

namespace acis::cluster {

/// Runs a launch when it starts, and tells its end when its cycles have passed.
class PacedRunner final : public memory::Runner {
public:
  explicit PacedRunner(const Overlay *overlay);

  void start(memory::Launch launch) override;
  std::optional<End> ended() override;
  void finish() override {}
  /// When the next one ends.
  wire::Time next() const { return ends.empty() ? wire::Never : ends.front().at; }
  /// Told of the time of each launch.
  std::function<void(wire::Time begin, wire::Time end)> draw;

private:
  struct Due {
    wire::Time at = 0;
    End end;
  };
  sw::EngineChoice choice;
  std::unique_ptr<memory::Engine> engine; ///< none without an overlay: nothing is launched
  std::deque<Due> ends;
  wire::Time free = 0; ///< when the engine is
};

class MemoryNode final : public sw::Output {
public:
  MemoryNode(World &world, uint32_t number);

  /// The actor's code: until the simulation ends.
  void run();
  const sw::Switch &core() const { return device; }

private:
  void send(unsigned, const wire::Address &to, std::span<const uint8_t> bytes) override {
    faults.pass(to, bytes, now());
  }

  World &world;
  const wire::Address self;
  wire::Faults<wire::Address> faults;
  std::vector<uint8_t> region;
  memory::Blocks blocks;
  memory::Functions functions;
  PacedRunner runner;
  sw::Switch device;
};

} // namespace acis::cluster
