// Is every field of a decoded context in its range for this overlay? What the
// fields mean together is the loader's to verify. Private to the ISA library.
#pragma once

#include "backend/isa/Context.h"

namespace acis::isa {

/// The loop record, before anything is sized by it.
Status checkLoop(const LoopContext &context, const Overlay &overlay);
/// Everything else.
Status checkSlots(const LoopContext &context, const Overlay &overlay);

} // namespace acis::isa
