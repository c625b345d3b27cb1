// Whether a CCCF is worth sending to the switch: the two criteria of the dissertation (section
// 5.4.2) and the LoGcN model (section 5.6).
#pragma once

#include "compiler/rewriter/Candidate.h"

namespace acis::rewriter {

struct Thresholds {
  uint64_t maxArrayBytes = 16 * 1024; ///< of one inbound or outbound array
  unsigned simdWidth = 16;            ///< parallelism must be larger; lanes of the overlay
  unsigned ranks = 64;                ///< for which times are predicted
};

/// Parameters of LoGcN, from tables 3.2 and 5.2.
struct LogcnModel {
  double overhead = 14.8;    ///< o, MPI on the host, us
  double pcie = 0.9;         ///< host to switch, us
  double link = 0.44;        ///< FPGA to FPGA, us
  double port = 0.052;       ///< port to port in one switch, us
  double bandwidth = 95.9e3; ///< bits per us
  double unitLatency = 0.1;  ///< alpha, a pass of the grid, us
  double hostFlops = 2000;   ///< operations per us of one core, for the plain version
  /// L(N) of a 3D torus of `ranks` switches.
  double latency(unsigned ranks) const;
  /// T = 2o + L(N) + m/G + N alpha + (ii - 1) m/G.
  double fused(unsigned ranks, double bytes, double ii, double attenuation) const;
  /// One collective of `bytes` among hosts: ceil(log2 N) steps.
  double plain(unsigned ranks, double bytes) const;
};

/// Sets `evaluator` and `prediction`. `ii` of the mapped op; 0: not mapped, 1 is assumed.
void evaluate(Candidate &candidate, const Thresholds &thresholds, unsigned ii);

} // namespace acis::rewriter
