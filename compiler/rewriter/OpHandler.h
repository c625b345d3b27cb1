// The op of a chain as a packet handler, for the compiler that handlers go through.
//
// The handler reads the result of the first collective as its input stream; inbound arrays lie
// in memory one after the other, each from a multiple of 64 bytes on; it writes what the second
// collective sends and then the outbound arrays to its output stream. An array whose size is known
// at run time only has room for a number of elements that is fixed here; the program finds out
// right before the call how many of them it uses.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/DoneCall.h"
#include "compiler/rewriter/Effects.h"

namespace acis::rewriter {

struct OpHandler {
  std::string source; ///< C; empty: `refusal` says why there is none
  Refusal refusal;
  /// In the order of the handler; `name` is an address in the program.
  std::vector<Array> arrays;
  /// Of an op with sizes of run time: what the program does before it names the arrays.
  bool hasSizes = false;
  std::string sizes;
  std::vector<std::string> aliases; ///< declarations before the call
};

/// `label` makes names of the program's variables.
OpHandler makeHandler(EffectsAnalysis &effects, const Candidate &candidate,
                      const Captures &captured, const DoneCall &done, const std::string &label);

} // namespace acis::rewriter
