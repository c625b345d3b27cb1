// Random handlers of everything the machine has: mapped loops (vectors, single elements),
// vector instructions with sparse accumulation, and RV32IM code with memory and streams, in
// one program, without waiting in between. Valid: the loader accepts them; a few trap.
#pragma once

#include "runtime/engine/programs/RandomProgram.h"

namespace acis {

struct RandomMix {
  model::RandomProgram program;
  bool timed = false; ///< reads the cycle counter: data depends on disturbances
};

/// The same for the same state of `random`. The handlers of `hasty` ones are ahead of the streams:
/// they end without waiting for what their loops send, some invocations send nothing, and loops
/// follow one another closely. Their accumulations begin with any number.
RandomMix randomMix(const Overlay &overlay, std::mt19937 &random, bool hasty = false);

} // namespace acis
