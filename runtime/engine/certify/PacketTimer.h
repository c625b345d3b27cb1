// When packets are done on the cycle-exact engine.
#pragma once

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/Model.h"

#include <memory>
#include <optional>
#include <vector>

namespace acis {

struct TimerOptions {
  uint64_t memoryBytes = 0; ///< 0: 16 MiB, or all that the overlay has
  bool worstCase = false;   ///< ModelOptions::worstCase
};

/// A device that is loaded once; each train starts on an idle switch.
class PacketTimer {
public:
  /// Cycles from the train's start: when the header of each packet was seen, and when its
  /// last beat had left (its invocation had ended, if it sent nothing).
  struct Train {
    std::vector<uint64_t> seen, done;
    std::vector<model::Event> loops; ///< times from the train's start, too
    std::vector<uint64_t> control;   ///< cycles of the control code, by packet
    uint64_t instructions = 0;       ///< of the control code, all packets
  };

  static Result<std::unique_ptr<PacketTimer>> make(std::shared_ptr<const Image> image,
                                                   const Handler &handler, const Overlay &overlay,
                                                   const TimerOptions &options);

  /// Packets back to back. Nothing after a trap (see trap()), or if there are not as many
  /// invocations as packets.
  std::optional<Train> train(const std::vector<std::vector<uint8_t>> &packets);

  const Trap &trap() const { return lastTrap; }
  ModelDevice &device() { return *model; }

private:
  Status restart();

  std::shared_ptr<const Image> image;
  std::string name;
  TimerOptions options;
  std::unique_ptr<ModelDevice> model;
  Trap lastTrap;
  size_t eventsSeen = 0;
  uint64_t cyclesSeen = 0;
};

} // namespace acis
