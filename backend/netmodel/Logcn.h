// LoGcN: the time of a fused collective in switches (dissertation, section 5.6, equations 5.1 to
// 5.3), T = 2o + L + m/G + c. Times are in microseconds, sizes in bytes. The model has no term for
// inbound arrays and does not describe distributed kernels (section 5.7); the term for inbound
// arrays here is an addition, 0 unless it is asked for.
#pragma once

#include "backend/netmodel/Loggp.h"

namespace acis::netmodel {

struct Logcn {
  double overhead = 14.8;        ///< o, of MPI on a host (table 5.2)
  double pcie = 0.9;             ///< host to switch (table 5.2)
  double link = 0.44;            ///< switch to switch (table 5.2)
  double port = 0.052;           ///< port to port in one switch (table 5.2)
  double bandwidth = 95.9e3 / 8; ///< BW, bytes per us: 95.9 Gb/s (table 5.2)
  double unitLatency = 0.1;      ///< alpha, a message's way through the unit of one switch; assumed
  double gatherAttenuation = 0.5; ///< beta of gather-type collectives and Scatter; assumed, else 1
  double pcieBandwidth = 15.75e3; ///< bytes per us, for inbound arrays: PCIe 3.0 x16

  /// L: PCIe at both ends and so many links, each into a switch.
  double latency(double hops) const { return 2 * pcie + hops * (link + port); }
  /// A single collective of hosts in this network, by LogGP with half of o at each end.
  Loggp hosts() const;
};

/// What is fused.
struct FusedCall {
  double bytes = 8; ///< m: what each host sends
  double interval =
      1; ///< gamma: the II of the mapped op, or how often kernel logic uses data again
  double inboundBytes = 0; ///< 0: as in the dissertation
  bool isGather = false;   ///< a gather-type collective or Scatter
};

/// The network that a call crosses.
struct Way {
  double hops = 1;     ///< links on the longest way, each into a switch or a host
  double switches = 1; ///< N: switches whose unit a message passes
};

/// Terms of equation 5.1 one by one.
struct LogcnTime {
  double overhead = 0, latency = 0, transfer = 0, compute = 0, inbound = 0;
  double total() const { return overhead + latency + transfer + compute + inbound; }
};
LogcnTime fusedTime(const Logcn &model, const FusedCall &call, const Way &way);

/// A 3D torus with a switch for each rank, as near to a cube as can be: three times half of a side
/// (rounded down) is the longest way. How many units are passed is not said in the dissertation;
/// here it is one for each switch of a side, as a tree along the axes has.
Way torus3d(unsigned ranks);
/// A tree of switches with `radix` ports, one of them up: from a host to the top and down again.
Way tree(unsigned ranks, unsigned radix);

} // namespace acis::netmodel
