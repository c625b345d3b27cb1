// Homes and copies of a handler's arrays, by one of several plans.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/mapper/SubGrid.h"

namespace acis::dfg {

struct HomePlan {
  enum Order : uint8_t {
    Corners, ///< squares round PE 0, the PE with the most links of each first
    Path,    ///< the same squares as one way from neighbour to neighbour
    Spaced,  ///< every second PE of every second row first
    Columns, ///< one column after the other
  };
  Order order = Corners;
  unsigned ease = 1;                  ///< times the interval that a graph could have: fewer copies
  bool onePort = false;               ///< a copy for each read that a port serves
  const map::SubGrid *grid = nullptr; ///< homes and intervals of this part only; null: the whole
};

/// Gives the arrays their homes and copies. Whether a graph has so many accesses that another
/// plan could make a difference to it.
bool placeArrays(HandlerOp handler, const Overlay &overlay, const HomePlan &plan);

} // namespace acis::dfg
