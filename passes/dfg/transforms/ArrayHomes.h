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
  bool together = false; ///< arrays that recurrences lead through stay close to each other
  const map::SubGrid *grid = nullptr; ///< homes and intervals of this part only; null: the whole
};

/// Names of arrays that one recurrence leads through.
using ArrayGroup = llvm::SmallVector<llvm::StringRef>;

/// What a handler's loops could have if its arrays were everywhere.
struct FreeArrays {
  std::vector<unsigned> intervals; ///< by graph; 0: without arrays
  std::vector<ArrayGroup> groups;  ///< of two arrays or more, of all graphs
};

struct PlacedArrays {
  bool isChoice = false; ///< another plan could make a difference to some graph
  bool fits = true;      ///< no array is where others have taken its room
};

/// Gives the arrays their homes and copies.
PlacedArrays placeArrays(HandlerOp handler, const Overlay &overlay, const HomePlan &plan,
                         const FreeArrays &free);

} // namespace acis::dfg
