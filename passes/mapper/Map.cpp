// The search over initiation intervals and attempts.
#include "passes/mapper/Negotiation.h"
#include "passes/mapper/Timing.h"

#include <algorithm>

namespace acis::map {

/// Attempts per II, with prices that are disturbed more and more.
static constexpr unsigned Attempts = 3, LateAttempts = 1;
/// So many IIs are tried one by one, with all attempts; then the steps grow.
static constexpr unsigned Close = 4;
/// States of routing floods in one attempt: so many, and more for each node and PE.
static constexpr unsigned long Budget = 300000, BudgetPerNodeAndPe = 300;

namespace {

bool negotiate(const Problem &problem, const Overlay &overlay, const Mrrg &mrrg, unsigned number,
               unsigned seed, Mapping &mapping, unsigned &hardest) {
  Negotiation negotiation(problem, overlay, mrrg, /*noise=*/number,
                          (uint64_t(seed) << 32) + mrrg.ii() * 64 + 32 + number);
  if (!negotiation.run(Budget + BudgetPerNodeAndPe * problem.nodes.size() * overlay.numPes())) {
    hardest = negotiation.hardest();
    return false;
  }
  mapping = negotiation.result();
  return true;
}

} // namespace

Result<Mapping> map(const Problem &problem, const Overlay &overlay, const Options &options) {
  if (Status status = problem.check(overlay); !status)
    return status.error();
  if (problem.nodes.empty())
    return Error{"", "nothing to map: the graph has no nodes"};
  Bounds bound = bounds(problem, overlay);
  unsigned maxIi = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  unsigned ii = std::max({bound.resMii, bound.recMii, options.minIi});
  if (ii > maxIi) {
    bool byResource = bound.resMii >= bound.recMii;
    return Error{"", "initiation interval would be at least " + std::to_string(ii) + " (" +
                         (byResource ? bound.resReason : bound.recReason) + "); " +
                         std::to_string(maxIi) + " context slots are allowed"};
  }
  unsigned hardest = 0;
  std::string refused;
  unsigned first = ii;
  for (bool last = false; !last; ii = std::min(maxIi, ii + 1 + (ii - first) / Close)) {
    last = ii == maxIi;
    Mrrg mrrg(overlay, ii);
    unsigned attempts = ii - first < Close ? Attempts : LateAttempts;
    for (unsigned number = 0; number < attempts; ++number) {
      Mapping mapping;
      if (!negotiate(problem, overlay, mrrg, number, options.seed, mapping, hardest))
        continue;
      Status status = verify(problem, overlay, mapping);
      if (status)
        return mapping;
      refused = status.error().str();
    }
  }
  if (!refused.empty())
    return Error{"", "no valid mapping found; the last one: " + refused};
  return Error{"", "no place and route found for " + nameOf(problem, hardest) +
                       " with an initiation interval of up to " + std::to_string(maxIi) +
                       " on overlay '" + overlay.name + "'"};
}

} // namespace acis::map
