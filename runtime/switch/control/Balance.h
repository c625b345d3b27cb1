// Which member gives how many tasks to others (000 6.1): from how long each would take for what it
// has. Pure functions of what is known; who decides when is Moves.h.
//
// A queue's *backlog* is its length times the time of a task there; the *even* one is what all
// would have if tasks could be cut: sum of lengths over sum of speeds. A task is moved only if it
// ends earlier for that, so none goes back and forth.
#pragma once

#include <cstdint>
#include <vector>

namespace acis::control {

struct Queue {
  double length = 0;    ///< tasks, with one that is under way
  uint32_t movable = 0; ///< of these
  double taskTime = 0;  ///< 0: not known; then as the others on average
  bool active = true;   ///< false: it neither gives nor gets
};

class Balance {
public:
  /// Tasks that each is to give; `queues` are then as if they had arrived. Moves begin when the
  /// longest backlog is more than 1 + `imbalance` even ones, and end at 1 + `settled`.
  std::vector<uint32_t> plan(std::vector<Queue> &queues, double imbalance, double settled);

  /// Times that are not known are the mean of the others afterwards, or 1.
  static void guessTimes(std::vector<Queue> &queues);
  /// Where one task more would end first; -1: nobody is active.
  static int shortest(const std::vector<Queue> &queues);

private:
  bool moving = false;
};

} // namespace acis::control
