// The smallest input buffer of a switch that keeps a collective's tree streaming (dissertation,
// section 3.4.1, equation 3.1).
#pragma once

namespace acis::netmodel {

struct Buffer {
  double margin = 16;       ///< m, flow control: phits that arrive after a stop was sent
  double depth = 7;         ///< d, of the tree: log2 of the ranks; 7 for 128
  double slack = 2;         ///< q, for other operations
  double linkLatency = 440; ///< L, ns (table 3.2)
  double clockPeriod = 4;   ///< T_clk, ns: 250 MHz
  double phitBytes = 32;    ///< Ph: 256 bits

  /// (m + (d + q) L / T_clk) Ph.
  double bytes() const {
    return (margin + (depth + slack) * linkLatency / clockPeriod) * phitBytes;
  }
};

} // namespace acis::netmodel
