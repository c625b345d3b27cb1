// Contexts written by hand in tests: a few words on one or more PEs of a test overlay.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "runtime/engine/loader/Trace.h"

namespace acis::cts {

/// A chain of `pes` PEs with everything, 4096 register file beats and the latencies
/// of the u280-full overlay except for division.
Overlay testOverlay(unsigned pes = 2);

/// A context of `ii` empty slots per PE.
inline isa::LoopContext emptyContext(const Overlay &overlay, unsigned ii = 1,
                                     unsigned laneBits = 32) {
  isa::LoopContext loop;
  loop.ii = uint16_t(ii);
  loop.laneBits = uint8_t(laneBits);
  loop.streamInSlots.resize(ii);
  loop.pes.resize(overlay.numPes());
  for (isa::PeContext &pe : loop.pes)
    pe.slots.resize(ii);
  return loop;
}

/// Sets `stages` and the register masks from the elements.
void finishContext(isa::LoopContext &loop, const Overlay &overlay);

inline isa::Operand operand(isa::Source source, unsigned delay = 0) {
  return {source, uint8_t(delay)};
}

} // namespace acis::cts
