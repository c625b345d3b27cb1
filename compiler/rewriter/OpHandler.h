// The op of a chain as a packet handler, for the compiler that handlers go through.
//
// The handler reads the result of the first collective as its input stream; inbound arrays lie
// in memory one after the other, each from a multiple of 64 bytes on; it writes what the second
// collective sends and then the outbound arrays to its output stream.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/Effects.h"

namespace acis::rewriter {

struct OpHandler {
  std::string source; ///< C; empty: `refusal` says why there is none
  Refusal refusal;
  /// In the order of the handler; `name` is a variable of the function.
  std::vector<Array> arrays;
};

OpHandler makeHandler(EffectsAnalysis &effects, const Candidate &candidate,
                      const Captures &captured);

} // namespace acis::rewriter
