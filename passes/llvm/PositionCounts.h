// Analysis: loops that go through something by steps that data says, such as those over the options
// of a header, or over the frames of a packet.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

#include <optional>

namespace llvm {
class ConstantRange;
class DominatorTree;
class LazyValueInfo;
class PHINode;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Backward branches at most, of a loop whose position moves forward in each iteration, by so many
/// elements at least, and is tested against an end that does not change: the distance by the least
/// step. Null: there is no such position.
const llvm::SCEV *countByPosition(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                  llvm::ScalarEvolution &evolution, llvm::LazyValueInfo &values);

/// What an iteration that comes to its end adds to a position, a phi of the loop's header; none if
/// it does not come from the one before by sums and choices.
std::optional<llvm::ConstantRange> movedInIteration(llvm::PHINode &position, const llvm::Loop &loop,
                                                    llvm::ScalarEvolution &evolution,
                                                    llvm::LazyValueInfo &values);

} // namespace acis
