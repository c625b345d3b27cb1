#include "backend/netmodel/GemmTile.h"

#include <algorithm>
#include <cmath>

namespace acis::netmodel {
namespace {

constexpr double NsPerUs = 1000;

/// The smallest Tk with which a tile of this size reaches `ratio`: R (max(Tm, Tn) Tk SZ / BW + L) =
/// Tk (Tm / Sm) (Tn / Sn) T_clk. Infinite if none does: each step of k computes less than it sends.
double innerFor(double tm, double tn, const GemmMachine &machine, double ratio) {
  const GemmTile one = {tm, tn, 1};
  const double gain =
      one.compute(machine) - ratio * std::max(tm, tn) * machine.elementBytes / machine.bandwidth;
  return gain > 0 ? std::max(1.0, ratio * machine.link / gain) : INFINITY;
}

} // namespace

double GemmTile::compute(const GemmMachine &machine) const {
  return tk * (tn / machine.arrayColumns) * (tm / machine.arrayRows) * machine.clockPeriod /
         NsPerUs;
}

double GemmTile::communicate(const GemmMachine &machine) const {
  return std::max(tm, tn) * tk * machine.elementBytes / machine.bandwidth + machine.link;
}

double GemmTile::bufferBytes(const GemmMachine &machine) const {
  return std::max({tm * tk, tn * tk, tm * tn}) * machine.elementBytes;
}

double GemmTile::registerBytes(const GemmMachine &machine) const {
  return (tm / machine.arrayRows) * (tn / machine.arrayColumns) * machine.gridRows *
         machine.gridColumns * machine.elementBytes;
}

std::optional<GemmTile> tune(const GemmMachine &machine, const GemmLimits &limits) {
  for (double ratio = limits.ratio; ratio > 0; ratio -= limits.ratioStep) {
    GemmTile tile = {machine.arrayRows, machine.arrayColumns, 0};
    while (tile.tm * tile.tn * machine.elementBytes <= limits.bufferBytes) {
      const double tk = innerFor(tile.tm, tile.tn, machine, ratio);
      if (std::isfinite(tk)) {
        tile.tk = std::ceil(tk / limits.step) * limits.step;
        if (tile.tk <= limits.inner) {
          if (tile.bufferBytes(machine) <= limits.bufferBytes)
            return tile;
          break;
        }
      }
      // The side that is shorter, so that a tile is as square as the array lets it.
      if (tile.tm <= tile.tn)
        tile.tm += machine.arrayRows;
      else
        tile.tn += machine.arrayColumns;
    }
  }
  return std::nullopt;
}

} // namespace acis::netmodel
