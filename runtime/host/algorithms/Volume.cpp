// Counts a schedule's messages.
#include "runtime/host/algorithms/Volume.h"

#include "runtime/host/algorithms/Schedule.h"

namespace acis::algorithms {

std::optional<Volume> volumeAmongHosts(const Shape &shape, const Group &group, uint32_t position) {
  if (group.size < 2)
    return Volume();
  const Algorithm algorithm = hostAlgorithm(shape.kind, shape.count * shape.unit, group);
  if (!isByHosts(algorithm) || !has(shape.kind, algorithm))
    return std::nullopt;
  const Schedule schedule = makeSchedule({.kind = shape.kind,
                                          .algorithm = fitting(shape.kind, algorithm, group),
                                          .group = group,
                                          .position = position,
                                          .root = shape.root,
                                          .count = shape.count});
  Volume volume;
  for (const Step &step : schedule.steps) {
    if (step.to != Step::Nobody)
      volume += {1, step.sent.count * shape.unit};
    if (step.from != Step::Nobody)
      volume += {1, step.received.count * shape.unit};
  }
  return volume;
}

} // namespace acis::algorithms
