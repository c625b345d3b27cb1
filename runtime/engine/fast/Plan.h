// How engine `fast` executes a context: the nodes of its graph in an order in which
// each can be evaluated for a block of iterations at a time, with recurrences as loops.
#pragma once

#include "runtime/engine/loader/Image.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace acis::fast {

/// Iterations that are evaluated together. A multiple of isa::AccPartials.
inline constexpr unsigned BlockIterations = 64;

enum class StepKind : uint8_t {
  Block,  ///< one node, all iterations of the block
  Update, ///< read-modify-write of a register file: { read, operation, write }
  Loop,   ///< a recurrence: its nodes, one iteration after the other
};

struct Step {
  StepKind kind = StepKind::Block;
  std::vector<uint32_t> nodes; ///< in topological order of distance 0
};

/// Two accesses of one register file that could meet, see VrfOrder; neither has an
/// index. Whether they do meet is found out at each launch.
struct Hazard {
  uint32_t write = 0, access = 0;
  int32_t distance = 0;
  bool sameLoop = false; ///< both in one Loop step
};

struct Plan {
  explicit Plan(ImageContext context);

  ImageContext source;
  std::vector<Step> steps;
  std::vector<uint32_t> ringBeats; ///< by node: iterations kept, a power of two; 0: no value
  std::vector<uint32_t> history;   ///< by node: largest distance of a use
  std::vector<bool> used;          ///< by node: somebody outside its Update reads the value
  std::vector<Hazard> hazards;
  /// Accesses meet in a way that only the order of array time describes: always
  /// execute cycle by cycle.
  bool timed = false;
  std::vector<uint32_t> cycleOrder; ///< nodes in the order of one interval's cycles
};

} // namespace acis::fast
