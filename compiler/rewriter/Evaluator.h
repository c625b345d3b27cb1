// Whether a CCCF is worth sending to the switch: the two criteria of the dissertation (section
// 5.4.2) and the models of backend/netmodel.
#pragma once

#include "compiler/rewriter/Candidate.h"

namespace acis::rewriter {

struct Thresholds {
  uint64_t maxArrayBytes = 16 * 1024; ///< of one inbound or outbound array
  unsigned simdWidth = 16;            ///< parallelism must be larger; lanes of the overlay
  unsigned ranks = 64;                ///< for which times are predicted
};

/// Sets `evaluator` and `prediction`: LoGcN of the call in a 3D torus with a switch for each rank,
/// LogGP of the plain collectives and the op on one core; of an op that is not mapped an II of 1 is
/// assumed. Bytes of the plain collectives are those of recursive doubling (reductions of a buffer,
/// prefixes), binomial trees (with a root; the mean of the hosts) and pairwise exchange; bytes of
/// the fused call are what goes to the switch, the first collective's message and what the op
/// reads, and what comes back, both results and what the op writes
/// (runtime/switch/collective/Task.h).
void evaluate(Candidate &candidate, const Thresholds &thresholds);

} // namespace acis::rewriter
