// Tiles of a distributed matrix product that hide its messages (dissertation, section 4.5.1,
// equations 4.2 to 4.5 and figure 4-9). Times are in microseconds, sizes in bytes or elements.
#pragma once

#include <optional>

namespace acis::netmodel {

/// A systolic array on each node of a grid, and the links to its neighbours.
struct GemmMachine {
  double arrayRows = 48;    ///< Sm; the publication prints Sm and Sn nowhere, see docs/models.md
  double arrayColumns = 32; ///< Sn
  double clockPeriod = 4;   ///< T_clk in nanoseconds: 250 MHz (section 4.6.1)
  double bandwidth = 95.9e3 / 8; ///< link_BW in bytes per microsecond: 95.9 Gb/s (table 3.2)
  double link = 0.44;            ///< L (table 3.2)
  double elementBytes = 4;       ///< SZ: float
  double gridRows = 4;           ///< Pm, at 16 nodes (table 4.1)
  double gridColumns = 4;        ///< Pn
};

/// What a node computes before it goes on to the next neighbour's data.
struct GemmTile {
  double tm = 192, tn = 160, tk = 64; ///< section 4.6.1, for float

  double compute(const GemmMachine &machine) const;       ///< 4.2
  double communicate(const GemmMachine &machine) const;   ///< 4.3
  double bufferBytes(const GemmMachine &machine) const;   ///< 4.4
  double registerBytes(const GemmMachine &machine) const; ///< 4.5, of each processing element
  /// R: messages are hidden where it is at least 1.
  double ratio(const GemmMachine &machine) const { return compute(machine) / communicate(machine); }
};

/// What a tile has to keep to.
struct GemmLimits {
  double ratio = 1.125;        ///< R to begin with; lowered while buffers are too large
  double ratioStep = 0.025;    ///< by which it is lowered
  double inner = 16384;        ///< K of a node
  double bufferBytes = 131072; ///< max_buf
  double step = 8;             ///< Tk is a multiple of it
};

/// Figure 4-9: register files grow, from one tile of the array on, until a Tk of at most K reaches
/// the ratio; if its buffers are larger than the limit, the ratio is lowered and it begins anew.
/// Nothing if no ratio above 0 has a tile.
std::optional<GemmTile> tune(const GemmMachine &machine, const GemmLimits &limits);

} // namespace acis::netmodel
