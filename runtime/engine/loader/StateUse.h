// Whether packets of a handler can be given to several devices: only if none can see what an
// earlier one has left.
#pragma once

#include "runtime/engine/loader/Image.h"

namespace acis {

/// "" if the handler leaves nothing in memory or register files that a later invocation could
/// read; else what does and where, "sum.c:4: an array is written and read". It looks at what
/// the code can do and not at when, so a local array that is written before it is read counts,
/// too. Taken as the ABI has them, empty at the entry of a handler: registers, the stack,
/// launch arguments and results.
std::string whyKeepsState(const Image &image, const Handler &handler, const Overlay &overlay);

} // namespace acis
