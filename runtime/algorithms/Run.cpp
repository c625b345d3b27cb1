// See Run.h.
#include "runtime/algorithms/Run.h"

#include "runtime/collective/Combine.h"

#include <vector>

namespace acis::algorithms {

Status run(const Schedule &schedule, ReduceOp op, ElementType type, std::span<uint8_t> buffer,
           PointToPoint &network) {
  const size_t bytes = bytesOf(type);
  auto at = [&](Range range) {
    return range.count == 0
               ? std::span<uint8_t>()
               : buffer.subspan((range.first - schedule.held.first) * bytes, range.count * bytes);
  };
  std::vector<uint8_t> arrived;
  for (const Step &step : schedule.steps) {
    const std::span<uint8_t> mine = at(step.received);
    std::span<uint8_t> into = mine;
    if (step.take != Take::Copy) {
      arrived.resize(std::max(arrived.size(), mine.size()));
      into = std::span(arrived).first(mine.size());
    }
    if (Status status = network.exchange(step.to, at(step.sent), step.from, into); !status)
      return status;
    if (step.take == Take::FoldLeft && !mine.empty())
      collective::combine(op, type, into, mine, mine);
    else if (step.take == Take::FoldRight && !mine.empty())
      collective::combine(op, type, mine, into, mine);
  }
  return {};
}

} // namespace acis::algorithms
