// Graphs that the mapper is tested and measured with: loops as a compiler would hand
// them over, and random ones.
#pragma once

#include "passes/mapper/Problem.h"

#include <string>
#include <vector>

namespace acis::map::suite {

struct Loop {
  std::string name;
  Problem problem;
};

/// Loops bound by a recurrence: checksums, filters, coders.
std::vector<Loop> recurrenceLoops();
/// Loops bound by units, memory ports or fan-out.
std::vector<Loop> resourceLoops();
/// Image and sound: stencils, transforms, saturated filters.
std::vector<Loop> mediaLoops();
/// Hashes, ciphers, decoders, dense algebra.
std::vector<Loop> codingLoops();
/// All, in this order.
std::vector<Loop> loops();

/// Shape of a random graph. Every operation takes one to three earlier values.
struct Shape {
  unsigned nodes = 40;
  unsigned locality = 0; ///< operands come from so many values before; 0: from all
  unsigned loadPercent = 15, storePercent = 8;
  unsigned floatPercent = 25;
  unsigned recurrences = 0; ///< cycles closed over `recurrenceLength` operations each
  unsigned recurrenceLength = 4;
  unsigned fanOut = 0; ///< operations that take the first value as an operand
};
/// Well-formed on every overlay that has integer and float units and a register file.
Problem randomGraph(const Shape &shape, uint64_t seed);

} // namespace acis::map::suite
