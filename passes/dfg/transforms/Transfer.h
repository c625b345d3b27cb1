// Two questions that dfg-replicate asks of a handler: container widths, and whether a
// loop over VPEs is one vector transfer.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// Sets lane_bits of every array: 64 if a 64-bit type occurs in a nest that uses the
/// array, or in one that shares an array with such a nest; else 32.
void chooseLaneBits(HandlerOp handler);

/// 64 if a value or an array of the nest needs it.
unsigned laneBitsOf(NestOp nest);

/// Whether the loop over VPEs only copies between the start of a per-VPE array and
/// memory or the output stream, without gaps: a vector load, store or send.
bool isTransfer(LoopOp loop);

} // namespace acis::dfg
