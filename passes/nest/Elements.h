// A nest with one element in each iteration of the graph: the root is counted, and one level in it,
// the row, if there is one; what is further in is unrolled.
#pragma once

#include "passes/nest/LoopNest.h"

namespace acis::nest {

/// The part of a stream that one iteration accesses: of the root, or of the row in it.
struct Window {
  unsigned first = None; ///< access; none: nothing is accessed, or it moves by what is no constant
  int64_t element = 1;   ///< units of one element
  int64_t least = INT64_MAX, most = INT64_MIN; ///< from the origin of the accesses
  int64_t taken = 0;                           ///< units of all accesses together
  int64_t rootStep = 0, rowStep = 0;

  int64_t size() const { return most - least; }
};

/// Refuses accesses that do not move together. Those that append are not looked at.
Judged<Window> windowOf(const LoopNest &nest, Object stream, unsigned row);

/// Refuses a stream that an iteration does not access without gaps, from one end of its window to
/// the other, where the iteration before has ended.
StatusOf<Obstacle> checkInOrder(const LoopNest &nest, Object stream, unsigned row);

/// Rows, each what an iteration of the root reads, that a copy of `most` units holds at a time; all
/// where they overlap. 0 if they are no elements of one type, or if it would hold too few.
uint64_t rowsHeld(const LoopNest &nest, const Window &window, int64_t most);

/// Refuses levels in the root that can be neither counted nor unrolled, steps that are no
/// constants, and sums in the order of lanes.
StatusOf<Obstacle> checkLevels(const LoopNest &nest);

/// The level in the root that can be counted with it, since the root does nothing beside it.
unsigned countedRow(const LoopNest &nest);

/// Operations of an iteration with all levels but the row unrolled, at most `most` + 1.
uint64_t unrolledSize(const LoopNest &nest, unsigned row, uint64_t most);

/// Whether what stands beside the row can be done in its first and last iteration; `staged`: the
/// input is read from a copy.
StatusOf<Obstacle> checkBesideRow(const LoopNest &nest, unsigned row, bool staged);

} // namespace acis::nest
