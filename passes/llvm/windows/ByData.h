// Loops that read the input stream where data says.
#pragma once

#include "passes/llvm/windows/Streams.h"

namespace llvm {
class LoadInst;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Reads of the input in a loop, in the order of the function.
InputReads inputReadsIn(const llvm::Loop &loop);

/// Whether the loop around it reads the input stream at a place that depends on where it ended, as
/// a decoder of numbers of several bytes does. To its end in the packet, it would read what the
/// next turn needs.
bool isReadOnFromEnd(const llvm::Loop &loop);

/// A read of the input in an innermost loop that has no count because of it, since data says how
/// far its iterations, or those of the loop around it, move. Null: there is none.
const llvm::LoadInst *readByData(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace acis
