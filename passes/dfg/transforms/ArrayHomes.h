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
  enum Copies : uint8_t {
    Few,     ///< as the ports of a PE allow at the interval
    OnePort, ///< the same with one port
    Many,    ///< one for each read
  };
  Copies copies = Few;
  const map::SubGrid *grid = nullptr; ///< homes and intervals of this part only; null: the whole
};

/// Gives the arrays their homes and copies. `intervals`: of each graph if arrays were everywhere.
/// Whether a graph has so many accesses that another plan could make a difference to it.
bool placeArrays(HandlerOp handler, const Overlay &overlay, const HomePlan &plan,
                 llvm::ArrayRef<unsigned> intervals);

} // namespace acis::dfg
