// Random contexts of shapes that randomContext() hardly ever gives, each for a part of the machine
// that only such a shape reaches: several interlocked writes on their way at once or one beside
// other results, the tail of an accumulation, results of several classes of units, indices that
// were read outside of an array, iterations of two launches in one slot.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"

#include <optional>
#include <random>

namespace acis::model {

/// A context that traceContext() accepts, with the arguments of argumentNumber(); none if the
/// overlay has no room for what was thrown.
std::optional<isa::LoopContext> randomCorner(const Overlay &overlay, std::mt19937 &random);

/// The same of other shapes: accumulations that begin with any number and have as few iterations as
/// partial results, and reads in a loop's first cycles whose index is of before it, which is 0.
std::optional<isa::LoopContext> hastyCorner(const Overlay &overlay, std::mt19937 &random);

/// Beats in the arrays of crossingReads().
inline constexpr unsigned CrossingLimit = 32;
/// A loop that reads a register file on both ports in one cycle, for iterations of which one is
/// younger: of another launch now and then, if launches overlap. Iteration i reads beat (last
/// argument) + i of arrays of CrossingLimit beats; what is outside traps. None if there is no PE
/// with a register file.
std::optional<isa::LoopContext> crossingReads(const Overlay &overlay, std::mt19937 &random);

} // namespace acis::model
