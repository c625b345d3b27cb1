// Runs a mapped graph on both engines and compares with a plain interpreter of it.
#pragma once

#include "passes/mapper/Problem.h"

namespace acis::map::fuzz {

/// The words of the mapping: what each operation computes follows from its number.
/// Then `iterations` beats of bytes from `seed` go through. Fails with what differs.
Status runAndCompare(const Problem &problem, const Overlay &overlay, const Mapping &mapping,
                     unsigned iterations, uint64_t seed);

} // namespace acis::map::fuzz
