// Questions that all ways ask of a nest.
#include "passes/nest/LoopNest.h"

#include <algorithm>

namespace acis::nest {

bool LoopNest::holds(unsigned outer, unsigned inner) const {
  while (inner != None && inner != outer)
    inner = levels[inner].around;
  return inner == outer;
}

std::vector<unsigned> LoopNest::levelsIn(unsigned outer) const {
  std::vector<unsigned> result;
  for (unsigned level = 0; level < levels.size(); ++level)
    if (levels[level].around == outer)
      result.push_back(level);
  return result;
}

static bool isMovedByAll(const Access &access) {
  return std::all_of(access.steps.begin(), access.steps.end(),
                     [](std::optional<int64_t> step) { return step != 0; });
}

bool mayReadStale(const LoopNest &nest) {
  for (const Access &write : nest.accesses)
    for (const Access &read : nest.accesses) {
      if (write.object != Object::Memory || read.object != Object::Memory || !write.isWrite ||
          read.isWrite)
        continue;
      const bool isSamePlace =
          read.origin == write.origin && read.offset == write.offset && read.steps == write.steps;
      const bool isBehind = &write < &read;
      if (!isSamePlace || isBehind || !isMovedByAll(read))
        return true;
    }
  return false;
}

} // namespace acis::nest
