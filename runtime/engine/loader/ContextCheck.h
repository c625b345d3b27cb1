// The part of traceContext() that looks at one field at a time: what exists, what is
// allowed there. Private to the loader.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"

namespace acis {

/// "pe 3, slot 1", the place of every message about a context.
Error slotError(unsigned pe, unsigned slot, std::string what);

/// Everything but the paths of values and the order of register file accesses.
Status checkContext(const isa::LoopContext &context, const Overlay &overlay);

} // namespace acis
