// Analysis: loops that go through something by steps that data says, such as those over the options
// of a header, or over the frames of a packet.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace llvm {
class DominatorTree;
class LazyValueInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Backward branches at most, of a loop whose position moves forward in each iteration, by so many
/// elements at least, and is tested against an end that does not change: the distance by the least
/// step. So of a loop whose iterations take of what is left, which is tested. Null: it is neither.
const llvm::SCEV *countByPosition(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                  llvm::ScalarEvolution &evolution, llvm::LazyValueInfo &values);

} // namespace acis
