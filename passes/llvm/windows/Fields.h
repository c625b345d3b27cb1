// Fields of a header that are read whole and in parts, as a byte and as the word that it is in.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class LoadInst;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Makes reads that overlap, at constant distances, of the words between their bounds: a stream has
/// each byte once. Returns whether there were such; they are gone then.
bool splitOverlaps(llvm::ArrayRef<llvm::LoadInst *> reads, llvm::ScalarEvolution &evolution);

} // namespace acis
