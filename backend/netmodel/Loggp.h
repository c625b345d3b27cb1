// LogGP of a broadcast in a binomial tree, among hosts and in switches (dissertation, section 3.5,
// equations 3.2 to 3.5). All ranks start at the same time; times are in microseconds, sizes in
// bytes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acis::netmodel {

struct Loggp {
  double sendOverhead = 7.4;    ///< O_s: half of o = 14.8 us (table 5.2), which has both
  double receiveOverhead = 7.4; ///< O_r
  double latency = 2.292; ///< L: twice PCIe (0.9), one link (0.44), one switch (0.052), table 5.2
  double gap = 0;         ///< g, between messages of one host; 0 in switches always
  double gapPerByte = 8 / 95.9e3; ///< G: 95.9 Gb/s (table 3.2)

  /// When the last rank of a tree among hosts has the message: floor(log2 P)(O_s + kG + L + O_r).
  double lastAmongHosts(unsigned ranks, double bytes) const;
  /// The same in switches: O_s + kG + L + O_r.
  double lastInSwitch(double bytes) const;
  /// When the root is free again: O_s + (ceil(log2 P) - 1) max(g, O_s) + ceil(log2 P) kG.
  double rootAmongHosts(unsigned ranks, double bytes) const;
  /// The same in switches: O_s + kG.
  double rootInSwitch(double bytes) const;

  /// The collective ends with its last rank.
  double amongHosts(unsigned ranks, double bytes) const {
    return std::max(lastAmongHosts(ranks, bytes), rootAmongHosts(ranks, bytes));
  }
  double inSwitch(double bytes) const { return std::max(lastInSwitch(bytes), rootInSwitch(bytes)); }
};

/// Rounds of a binomial tree: floor and ceiling of log2. Of one rank both are 0.
unsigned log2Floor(unsigned ranks);
unsigned log2Ceil(unsigned ranks);

} // namespace acis::netmodel
