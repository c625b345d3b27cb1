// The rules of windows, in the order of the steps that apply them. Each returns whether the
// function was changed. See docs/rationale/front-end.md.
#pragma once

#include "llvm/IR/PassManager.h"

#include <optional>

namespace llvm {
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Gives loops that read the input a block in front of them, where what they pass or keep can be
/// read, one latch, and exits of their own.
bool simplifyReadingLoops(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Accesses of a stream in one loop become accesses of words of one size: a stream moves by
/// elements, and a header has fields of 8, 16 and 32 bits. Blocks stay as they are.
bool cutLoops(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// What a loop has read, up to `mostBytes` bytes, and a later loop reads again is kept in an array.
/// The later loop reads the stream in the iterations in which there is none of it. One pair of
/// loops at a time.
bool keepPasses(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                uint64_t mostBytes);

/// The one word that an iteration of a loop may read, and the packet has for each, is read by each.
bool readEachWord(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// On the read of the loop that keepBeginning() makes.
inline constexpr const char *BeginningMetadata = "acis.beginning";

struct Beginning {
  bool isKept = false; ///< the function was changed
  /// Nobody knows whether it lies behind what was read before; null: all is known.
  const llvm::LoadInst *unordered = nullptr;
};

/// Where what is read outside of loops, or by a loop over the packet behind that, is in an order
/// that nobody knows, as behind a header of a length that data says, a loop at the beginning of the
/// handler keeps so much of the packet in an array, up to `mostBytes` bytes: what is read outside
/// of loops comes from there, and keepPasses() knows what to do about the loops. Nothing is changed
/// where they are no such loops, or where it is not known how far the header goes.
Beginning keepBeginning(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                        uint64_t mostBytes);

/// A loop that reads a word in its first or in its last iterations alone, as `i < n ? in[i] : 0`
/// for i up to 256, becomes two loops: one whose iterations all read it, one whose iterations never
/// do.
bool divideLoops(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Takes the first iterations out of a loop that read what was read in front of it: `most = in[0];
/// for (i = 0; ..) most = max(most, in[i])`. Beside the first read, both are of one window.
bool peelRereads(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Brings the reads of each iteration, of loops and of what is outside of them, into the order of
/// the stream, each word once. An iteration of a loop reads a word in any case where the stream has
/// it then: if it reads it or a later one on each of its ways it passes it, and so does one of the
/// packet's elements. Elsewhere an earlier word that may still be wanted is read in front of a
/// later one, and of a loop that begins with one; whether it was, a flag tells where that depends
/// on the way. What overlaps in a loop is kept (KeptWindows.h).
bool readIterations(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Reads of what the stream has passed for certain.
llvm::SmallVector<llvm::LoadInst *, 1> passedReads(llvm::Function &handler,
                                                   llvm::FunctionAnalysisManager &analyses);

/// A read of a loop, with others in it that read or rows that write under a condition, whose
/// iterations go back in front of what the one before has read; or null.
llvm::LoadInst *overlappingRead(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// A read in a loop at a place that data says, or one of what another read may have passed, where a
/// loop has one of both; or null.
llvm::LoadInst *perhapsPassedRead(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

struct KeptPacket {
  uint64_t bytes; ///< that the array holds
  bool mayNotFit; ///< a packet may be longer, which traps
};

/// Reads the packet, or so much of it as is read at most, into an array of at most so many numbers
/// in front of all that reads it, which then reads the array. None, and nothing is changed, where
/// something reads in front of where the packet's length is known.
std::optional<KeptPacket> keepPacket(llvm::Function &handler,
                                     llvm::FunctionAnalysisManager &analyses, uint64_t mostNumbers);

/// Lets a loop that reads a word and, some iterations later, the same word at another
/// place of its window, read it the first time only: `in[i] + in[i + 1]` reads in[i + 1], and in[0]
/// in front of the loop. Loops of constant counts are left, since all of what they read may be
/// copied, and so are those with others in them that read the input. `reads` are those of the loop
/// itself, each of a word of its own.
bool keepWindow(llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> reads,
                const llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

/// Whether no iteration of the loops around reads behind the packet: one of them has as many
/// iterations as the packet has elements of its step, or fewer, and those in it constant counts.
bool staysInPacket(llvm::LoadInst &read, const llvm::LoopInfo &loops,
                   llvm::ScalarEvolution &evolution);

/// Of reads of one iteration, makes those that overlap, as of a byte and of the word that it is in,
/// at constant distances, of the words between their bounds: a stream has each byte once. Returns
/// whether there were such; they are gone then.
bool cutOverlaps(llvm::ArrayRef<llvm::LoadInst *> reads, llvm::ScalarEvolution &evolution);

} // namespace acis
