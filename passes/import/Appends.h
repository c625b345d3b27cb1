// Writes to the output stream that are not done in every iteration.
//
// The hardware sends an element or leaves it out, by a flag, and sends without gaps. So each
// write must be at the position that the writes before it have come to, which is proven here
// for every combination of the conditions:
//   if (p) out[n++] = x;           for (...) { if (p) break; out[i] = x; }
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// Marks the nest's writes to the output stream as appending, with the position of the first,
/// if one of them has a condition or a position that is not affine, or with `always`. Else it does
/// nothing. Refuses positions that are not those of what was sent before.
Verdict planAppends(NestPlan &plan, llvm::ScalarEvolution &evolution, bool always);

} // namespace acis::import
