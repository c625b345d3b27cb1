// Exact mapping with a SAT solver: proofs that no mapping has an II, and mappings.
//
// Two questions are asked at each II, both in the terms of passes/mapper/Problem.h.
// The first one leaves out links, registers and operand inputs, and the times of nodes
// that are on no cycle: its "no" holds for every schedule, however long. The second one
// has everything, but times and routes of bounded length: its "yes" is a mapping.
#pragma once

#include "passes/mapper/Problem.h"

namespace acis::map {

struct ExactOptions {
  unsigned maxIi = 0;  ///< 0: the overlay's context slots
  unsigned minIi = 1;  ///< smaller ones are not searched, but counted out if proven
  double seconds = 10; ///< limit for the whole call
  /// A mapping that is known, from map(): only smaller IIs are searched. Must be valid.
  const Mapping *known = nullptr;
};

struct ExactResult {
  Mapping mapping;         ///< the best one, verified; ii 0 if there is none
  unsigned lowerBound = 1; ///< no mapping has a smaller II: proven
  std::string reason;      ///< what proves the lower bound
  bool isOptimal() const { return mapping.ii != 0 && mapping.ii == lowerBound; }
};

/// Fails where map() would before its search. Running out of time is no failure: the
/// result then says what is known.
Result<ExactResult, Unmapped> mapExact(const Problem &problem, const Overlay &overlay,
                                       const ExactOptions &options);

/// The lower bound alone: raised from the bounds of bounds() while the solver proves
/// that the next II is impossible, up to `upTo`, in at most `seconds`.
ExactResult proveLowerBound(const Problem &problem, const Overlay &overlay, unsigned upTo,
                            double seconds);

} // namespace acis::map
