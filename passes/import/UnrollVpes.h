// Loops over VPEs whose stream order cannot be kept when the VPEs work side by side.
#pragma once

#include "passes/import/Import.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis::import {

/// Fully unrolls each loop over VPEs in which one VPE reads or writes more than a beat of
/// a stream before the next VPE has its turn: the copies become nests one after the other,
/// each for one VPE.
void unrollStreamedVpes(llvm::Function &handler, const ImportOptions &options);

} // namespace acis::import
