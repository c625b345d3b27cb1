// The search over IIs: proofs from below, then mappings with growing reach.
#include "passes/mapper/exact/Exact.h"
#include "passes/mapper/exact/Placement.h"
#include "passes/mapper/exact/Schedule.h"
#include "passes/mapper/exact/Window.h"
#include "passes/mrrg/Mrrg.h"

#include <algorithm>

namespace acis::map {

using namespace exact;

static Deadline after(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(seconds));
}

static ExactResult prove(const Problem &problem, const Overlay &overlay, unsigned upTo,
                         Deadline deadline) {
  Bounds bound = bounds(problem, overlay);
  ExactResult result;
  result.lowerBound = bound.mii();
  result.reason = bound.reason();
  auto isPossible = [&](unsigned ii) {
    return mayCyclesBePlaced(problem, overlay, ii, deadline) != Answer::No &&
           mayBePlaced(problem, overlay, ii, deadline) != Answer::No;
  };
  while (result.lowerBound < upTo && !isPossible(result.lowerBound)) {
    ++result.lowerBound;
    result.reason = "no placement at an initiation interval of " +
                    std::to_string(result.lowerBound - 1) + " (SAT)";
  }
  return result;
}

ExactResult proveLowerBound(const Problem &problem, const Overlay &overlay, unsigned upTo,
                            double seconds) {
  return prove(problem, overlay, upTo, after(seconds));
}

Result<ExactResult, Unmapped> mapExact(const Problem &problem, const Overlay &overlay,
                                       const ExactOptions &options) {
  if (StatusOf<Unmapped> status = problem.check(overlay); !status)
    return status.error();
  if (problem.nodes.empty())
    return Unmapped{fault("nothing to map: the graph has no nodes")};
  Deadline deadline = after(options.seconds);
  unsigned most = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  if (options.known)
    most = std::min(most, options.known->ii - 1);
  ExactResult result = prove(problem, overlay, most + 1, deadline);
  if (options.known)
    result.mapping = *options.known;
  for (unsigned ii = std::max(result.lowerBound, options.minIi); ii <= most; ++ii)
    for (unsigned reach = 3; reach <= 12; reach += 3) {
      Mapping mapping;
      Answer answer =
          findMapping(problem, overlay, ii,
                      {.slack = std::max(ii, 2u) - 1 + reach, .travel = reach}, deadline, mapping);
      if (answer == Answer::Unknown)
        return result;
      if (answer == Answer::Yes && verify(problem, overlay, mapping)) {
        result.mapping = std::move(mapping);
        return result;
      }
    }
  return result;
}

} // namespace acis::map
