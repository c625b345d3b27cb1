// Double buffering: an array that a loop of the control code loads anew in each turn gets
// a second copy, so that the load of one turn runs beside the computing of the turn before.
#pragma once

#include "passes/import/Import.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis::dfg {
class HandlerOp;
} // namespace acis::dfg

namespace acis::import {

/// Unrolls each such loop once and renames the array in the second half, in the control
/// function and in copies of the nests. Needed of the array: in each turn one nest
/// overwrites all of it from memory before other nests of the turn read it, and nothing
/// else uses it. Remarks say where that holds and, at an array that is loaded in a loop,
/// why it does not.
void doubleBuffer(llvm::Function &control, dfg::HandlerOp handler, const ImportOptions &options,
                  Diagnostics &remarks);

} // namespace acis::import
