// What the steps of handlers do, one file for each. Each returns whether the function was changed.
#pragma once

#include "passes/cost/CostModel.h"
#include "passes/llvm/Diagnostic.h"

#include "llvm/IR/PassManager.h"

namespace llvm {
class ICmpInst;
} // namespace llvm

namespace acis {

/// On a read of an array or of the memory that may be done needlessly, wherever its address is.
inline constexpr const char *GuardedMetadata = "acis.guarded";
/// On a read of the input stream that every iteration does, whatever its conditions say.
inline constexpr const char *AlwaysMetadata = "acis.always";

/// Moves of a few elements within one array become reads of all and then writes, and copies of the
/// rest of a record from and to streams single bytes, so that SROA can take the array apart.
bool expandMoves(llvm::Function &handler);

/// Says of what is read from a table of constants between which numbers it is.
bool boundTables(llvm::Function &handler);

/// On the ways into a loop, and back to its start, the conditions that lead there hold: a counter
/// that moves by a flag, as in `while (x > 1 && i++ < n)`, moves by 1.
bool simplifyWays(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// `x < 48 ? x >> 2 : 12`, which InstCombine makes of the lesser of `x >> 2` and 12, is that again:
/// who asks for the bounds of loops knows minima.
bool recogniseMinima(llvm::Function &handler);

/// A loop that goes on while one counter is less than another one, which comes towards it, as that
/// of std::reverse, gets one counter and an end that is known when it starts.
bool countMeetings(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// A counter of a loop that goes on in the loop around, as k in nests that write out[k++], is a
/// counter there, too: behind the inner loop it is what it was in front of it and a distance.
bool restateNestedCounters(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Fully unrolls the loops that have to be for small arrays and windows of the input to become
/// values, and for the loop around them to be lanes, where that takes fewer cycles; and loops over
/// VPEs that take turns at a stream. See docs/rationale/front-end.md, Values.
bool unrollForValues(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                     const CostModel &cost);

/// Reads of the memory at places that are no sums of steps of loops, which the address generators
/// cannot go to, become reads of a copy in the register file, where they stay within `most` bytes
/// and nothing is written to the memory in the loop.
bool copyMemoryTables(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                      uint64_t most);

/// Pointers into different objects are not equal, and none of those into an object is null.
bool comparePointers(llvm::Function &handler);

/// Why a comparison of pointers that is left cannot be computed: an object has no address. Those
/// into one object are compared by how far they are in it.
std::optional<Refusal> whyNotCompared(const llvm::ICmpInst &compare);

/// memset, memcpy and memmove become loops over elements, which are mapped like any other loop:
/// they are rotated (tested at the end) and count elements of the array from 0. False, with a
/// message, where the bytes do not make elements. `changed`: the function was.
bool lowerMemory(llvm::Function &handler, Diagnostics &diagnostics, bool &changed);

/// A variable of which parts of numbers are accessed, as words that are filled byte by byte, gets
/// numbers of the size of the least of them. Not one that other handlers use as well.
bool narrowElements(llvm::Function &handler);

/// Accesses of arrays with another type than their elements have, as a header that is looked at as
/// bytes and as fields: a word is made of its elements, or taken apart into them. What is copied
/// from a stream or the memory is read by elements there, too, since it need not lie at a multiple
/// of the word. An access of less than an element stays, and is refused later: narrowElements() has
/// left none that it could mend.
bool splitWords(llvm::Function &handler);

/// Early exits as predicates: a loop that may end in its middle (break, return, while) becomes
/// one that ends by its count only.
///
/// After the exit that C takes, the iterations left still run and do nothing: a flag `done` is
/// carried, stores happen only where it is not set, and a value that the code after the loop
/// uses is carried from the iteration in which the loop ended. What such an iteration reads is
/// not used, so reads of the input stream go on (marked !acis.always), and those of arrays give
/// 0 where they are outside (!acis.guarded).
///
/// The count is that of the loop's condition where it has one. A loop that reads the input
/// stream must not go on into the next packet after its end, though: it runs up to the end of
/// the packet that started the invocation, and goes on behind it element by element as long as
/// it has not ended. The part for that is left out where the condition says that it is not
/// needed, as in "i < *len / 4".
bool predicateExits(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Partial predication: the conditions inside an innermost loop become selects.
///
/// All blocks between a branch and the place where its ways join are put into one line.
/// What may be computed needlessly is; a phi becomes selects; a division gets the divisor
/// 1 where the program would not divide. A load from an array or from memory is done
/// always and marked !acis.guarded: where its condition is false its address may lie
/// outside and its value is not used (the register file then gives 0 instead of a trap;
/// memory has no such guard, so the verifier warns). What must not be done needlessly
/// (stores, streams) keeps a branch of its own around it, a triangle of one block,
/// whatever the conditions were.
bool ifConvert(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// The same for one condition beside or around loops, in a loop over a stream: those behind it run
/// always, and what they must not do needlessly is under the condition in them. Only loops of
/// arrays, whose number of iterations is a constant. To be called until nothing changes.
bool ifConvertInNests(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Integers of a width that no lane has, which LLVM makes of sums (33 bits) and of reversed bits
/// (3), become ones of 32 or 64 bits whose upper bits are zero; but not if one has more than 64
/// bits or is used in a way that has no such form.
bool widenIntegers(llvm::Function &handler);

/// Shortens the way of a value that a loop carries through two selects that both may keep it:
/// c ? old : (d ? new : old) becomes (d and not c) ? new : old. The loop starts iterations no
/// faster than the carried value comes round; the condition does not go round with it.
bool carriedSelects(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Operations that no unit of the overlay has become some that it has: funnel shifts, saturating
/// additions and subtractions, byte swaps, counts of bits, three-way comparisons, arithmetic that
/// tells of an overflow, rounding to an integer, classes of floating-point numbers.
bool expandIntrinsics(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Moves floating-point computations into the loops that use them: the scalar unit, which
/// runs what is outside of mapped loops, has no floating point. A value that does not
/// change in a loop is computed there in each iteration, at no cost in time; long ones stay.
bool sinkFloats(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// A launch returns a few values (isa::MaxResults). What else an innermost loop of data hands on is
/// written to arrays of one element in each iteration and read behind the loop, where it is a step.
bool loopResults(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

/// Values that a loop computes with, beyond half of a launch's `arguments`, are written to arrays
/// of one element in front of it, where that is a step, and read in each iteration: in the loops
/// whose launches had more arguments than there are (ArrayArgumentsAttribute).
bool loopArguments(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses,
                   unsigned arguments);

} // namespace acis
