// Recurrences that are linear over bits: checksums, scramblers, shift registers.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// Where each bit of what the carry takes is a sum (exclusive or) of bits of a few values, it is
/// computed from them at once: their shifted fields, and for a bit that many bits depend on a
/// choice of the constant that it adds. Eight steps of a CRC become a tree of depth six. False if
/// the value is not of this kind; the graph is then as it was. The sum is a chain: dfg-rebalance
/// makes a tree of it.
bool flattenLinear(CarryOp carry);

} // namespace acis::dfg
