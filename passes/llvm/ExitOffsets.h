// Addresses that a loop hands on to what comes after it, as positions in their arrays.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace acis {

/// Replaces each phi of an exit block (in closed form) that chooses among addresses into one
/// array by a phi of positions. A loop that may end in any iteration carries what it hands
/// on; an address that was carried could point anywhere for those who look at it.
void handOnOffsets(llvm::Loop &loop);

} // namespace acis
