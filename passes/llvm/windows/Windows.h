// The rules of windows, in the order of the steps that apply them. Each returns whether the
// function was changed. See docs/rationale/front-end.md.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class LoadInst;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Accesses of a stream in one loop become accesses of words of one size: a stream moves by
/// elements, and a header has fields of 8, 16 and 32 bits. Blocks stay as they are.
bool cutLoops(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// A loop that reads a word in its first or in its last iterations alone, as `i < n ? in[i] : 0`
/// for i up to 256, becomes two loops: one whose iterations all read it, one whose iterations never
/// do.
bool divideLoops(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Takes the first iterations out of a loop that read what was read in front of it: `most = in[0];
/// for (i = 0; ..) most = max(most, in[i])`. Beside the first read, both are of one window.
bool peelRereads(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Reads each word of a loop's iteration once and in any case where the stream has it then: an
/// iteration that reads it or a later one on each of its ways passes it, and so does one of the
/// packet's elements. What the stream may not have stays under its condition. Then what overlaps is
/// kept (KeptWindows.h). Blocks stay as they are, but for some in front of loops.
bool readLoopWindows(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Brings reads outside of the array's loops into the order of the stream, each word once. In
/// front of a read of a later word, and of a loop that begins with one, an earlier word that may
/// still be wanted is read, too: the stream passes it there, so no packet is taken that C does not
/// read. Who wants it then takes what was read; where that depends on the way, a flag tells it.
bool readControlWindows(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Of reads of one iteration, makes those that overlap, as of a byte and of the word that it is in,
/// at constant distances, of the words between their bounds: a stream has each byte once. Returns
/// whether there were such; they are gone then.
bool cutOverlaps(llvm::ArrayRef<llvm::LoadInst *> reads, llvm::ScalarEvolution &evolution);

} // namespace acis
