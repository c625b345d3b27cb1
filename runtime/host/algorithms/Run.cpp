// See Run.h.
#include "runtime/host/algorithms/Run.h"

#include "runtime/switch/collective/Combine.h"

#include <algorithm>
#include <memory>

namespace acis::algorithms {

Status run(const Schedule &schedule, ReduceOp op, ElementType type, std::span<uint8_t> buffer,
           PointToPoint &network) {
  const size_t bytes = bytesOf(type);
  auto at = [&](Range range) {
    return range.count == 0
               ? std::span<uint8_t>()
               : buffer.subspan((range.first - schedule.held.first) * bytes, range.count * bytes);
  };
  uint64_t longest = 0;
  for (const Step &step : schedule.steps)
    if (step.take != Take::Copy)
      longest = std::max(longest, step.received.count * bytes);
  std::unique_ptr<uint8_t[]> arrived(new uint8_t[longest]);
  for (const Step &step : schedule.steps) {
    const std::span<uint8_t> mine = at(step.received);
    std::span<uint8_t> into = mine;
    if (step.take != Take::Copy)
      into = {arrived.get(), mine.size()};
    if (Status status = network.exchange(step.to, at(step.sent), step.from, into); !status) {
      (void)arrived.release(); // a message may still come into it
      return status;
    }
    if (step.take == Take::FoldLeft && !mine.empty())
      collective::combine(op, type, into, mine, mine);
    else if (step.take == Take::FoldRight && !mine.empty())
      collective::combine(op, type, mine, into, mine);
  }
  return {};
}

} // namespace acis::algorithms
