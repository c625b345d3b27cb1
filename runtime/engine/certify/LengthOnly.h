// Whether the time that a handler takes depends on the packet's length only.
#pragma once

#include "runtime/engine/loader/Image.h"

namespace acis {

/// Follows what comes from the stream, from off-chip memory and from results of loops
/// through the control code. Fails, with the source line in `where` and what is wrong, if
/// a branch, a number of iterations, or an address that takes part in timing may depend on
/// it. Interlocked accesses are allowed: their worst case is known (ModelOptions).
Status dependsOnLengthOnly(const Image &image, const Handler &handler);

} // namespace acis
