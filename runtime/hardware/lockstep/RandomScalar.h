// Random RV32IM code as parts of a handler: arithmetic and branches, memory, system registers.
// Results are in a3 to a7; t0 to t2, s0 and s1 are used up.
#pragma once

#include "runtime/engine/programs/TestElf.h"

#include <random>

namespace acis {

class RandomScalar {
public:
  RandomScalar(std::mt19937 &random, cts::Words &code) : random(random), code(code) {}

  void arithmetic(unsigned instructions);
  /// Loads and stores in scratch, and off-chip at `memory` and the next 4 KiB.
  void memory(unsigned accesses, uint32_t memory);
  /// CSRs and fences; `timed`: the cycle counter too.
  void system(bool timed);

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  uint32_t source();
  uint32_t target();
  void one();
  void skip();
  void loop();

  std::mt19937 &random;
  cts::Words &code;
};

} // namespace acis
