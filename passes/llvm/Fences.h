// LLVM's passes that join, move or remove instructions, run such that streams and arrays keep the
// accesses that the overlay can make: streams are plain pointers to LLVM, which would reorder reads
// of them, and two accesses on two ways become one of a place that no address generator could tell.
#pragma once

#include "passes/llvm/Steps.h"

namespace acis {

/// InstCombine. Reads of the input stream stay in order.
bool combine(Forming &forming);

/// SimplifyCFG alone: a branch on a value that some way to it knows is taken on that way already.
bool threadBranches(Forming &forming);

/// combine() and SimplifyCFG. What both sides of an if do is done once, but for accesses of two
/// places.
bool simplify(Forming &forming);

/// Rotates loops and moves what does not change out of them, but for writes of the output stream.
bool rotateLoops(Forming &forming);

/// Removes what only told passes something, and reads of arrays that nothing needs any more; joins
/// blocks, and makes "and" and "or" of conditions plain operations.
bool dropMarkers(Forming &forming);

} // namespace acis
