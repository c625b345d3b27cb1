// How a stream or memory port turns bytes into the elements of a beat and back
// (isa::ElementFormat), shared by the engines.
#pragma once

#include "backend/isa/Context.h"

#include <cstddef>
#include <cstdint>

namespace acis {

/// Bytes that one access with `active` live elements takes from or gives to a port.
inline unsigned accessBytes(const isa::ElementFormat &format, unsigned active) {
  return format.splat ? format.bytes : format.bytes * active;
}

/// Fills a beat of `vf` containers from the port's bytes: `active` elements (with
/// splat: one, in all `vf` lanes), extended to the container; the other lanes are 0.
void expandElements(const isa::ElementFormat &format, unsigned laneBits, unsigned vf,
                    unsigned active, const uint8_t *bytes, void *beat);

/// The same for `beats` full beats that follow each other in `bytes`.
void expandBeats(const isa::ElementFormat &format, unsigned laneBits, unsigned vf, size_t beats,
                 const uint8_t *bytes, void *out);

/// Writes the first `active` elements of a beat (with splat: lane 0), truncated.
/// `predicate`, a beat or nullptr, keeps the bytes of elements whose lane is 0.
void packElements(const isa::ElementFormat &format, unsigned laneBits, unsigned active,
                  const void *beat, const void *predicate, uint8_t *bytes);

} // namespace acis
