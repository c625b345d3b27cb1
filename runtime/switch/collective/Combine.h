// The predefined reduction operations on blocks of elements: an aggregation unit.
//
// out[i] = a[i] op b[i], where `a` is from the lower positions. Integer sums and products
// wrap. Min and max keep `a` unless `b` is strictly less or greater, so a NaN in `a` stays.
// MINLOC and MAXLOC take the lower index among equal values. Logical results are 0 and 1.
// Merge is of the blocks as a whole, each a sparse vector (wire/Types.h). A union that has no room
// has no entries, and the index of its first place is MergeFull; so has any union with that.
#pragma once

#include "runtime/switch/wire/Types.h"

#include <cstdint>
#include <span>

namespace acis::collective {

inline constexpr int32_t MergeNone = -1, MergeFull = -2;

/// `out` may be `a` or `b`; all have the same size, a multiple of bytesOf(type), and any
/// alignment. Requires isDefined(op, type) and op != User.
void combine(ReduceOp op, ElementType type, std::span<const uint8_t> a, std::span<const uint8_t> b,
             std::span<uint8_t> out);

} // namespace acis::collective
