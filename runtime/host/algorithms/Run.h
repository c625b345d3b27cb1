// Does a schedule: exchanges its messages and folds what comes.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/algorithms/Schedule.h"

#include <span>

namespace acis::algorithms {

/// Messages between members. Two of one member to another arrive in the order in which they
/// were sent.
class PointToPoint {
public:
  virtual ~PointToPoint() = default;
  /// Sends `out` to a position and fills `in` from another at the same time; Step::Nobody: not.
  /// Returns when both buffers may be used; after an error they may be in use for ever.
  virtual Status exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                          std::span<uint8_t> in) = 0;
};

/// `buffer` holds schedule.held, as elements of `type`. Ends at the first error.
Status run(const Schedule &schedule, ReduceOp op, ElementType type, std::span<uint8_t> buffer,
           PointToPoint &network);

} // namespace acis::algorithms
