// Windows of control code: a word is read where it or a later one is wanted first, and kept.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Brings reads outside of the array's loops into the order of the stream, each word once. In
/// front of a read of a later word, and of a loop that begins with one, an earlier word that may
/// still be wanted is read, too: the stream passes it there, so no packet is taken that C does not
/// read. Who wants it then takes what was read; where that depends on the way, a flag tells it.
/// Returns whether the function was changed.
bool readControlWindows(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

} // namespace acis
