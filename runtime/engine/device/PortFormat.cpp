#include "runtime/engine/device/PortFormat.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace acis {

using isa::ElementFormat;

/// Elements of type E to containers; a signed E is sign-extended.
template <typename E, typename C> static void expand(const uint8_t *bytes, size_t n, C *beat) {
  for (size_t i = 0; i < n; ++i) {
    E element;
    std::memcpy(&element, bytes + i * sizeof(E), sizeof(E));
    beat[i] = C(element); // NOLINT(bugprone-signed-char-misuse): the sign is meant
  }
}

template <typename C>
static void expandTo(const ElementFormat &format, size_t n, const uint8_t *bytes, C *beat) {
  switch (format.bytes) {
  case 1:
    return format.isSigned ? expand<int8_t>(bytes, n, beat) : expand<uint8_t>(bytes, n, beat);
  case 2:
    return format.isSigned ? expand<int16_t>(bytes, n, beat) : expand<uint16_t>(bytes, n, beat);
  case 4:
    return format.isSigned ? expand<int32_t>(bytes, n, beat) : expand<uint32_t>(bytes, n, beat);
  default:
    return expand<uint64_t>(bytes, n, beat);
  }
}

template <typename C>
static void expandBeat(const ElementFormat &format, unsigned vf, unsigned active,
                       const uint8_t *bytes, C *beat) {
  expandTo(format, format.splat ? 1 : active, bytes, beat);
  if (format.splat)
    std::fill_n(beat + 1, vf - 1, beat[0]);
  else
    std::fill(beat + active, beat + vf, C(0));
}

void expandElements(const ElementFormat &format, unsigned laneBits, unsigned vf, unsigned active,
                    const uint8_t *bytes, void *beat) {
  if (laneBits == 32)
    expandBeat(format, vf, active, bytes, static_cast<uint32_t *>(beat));
  else
    expandBeat(format, vf, active, bytes, static_cast<uint64_t *>(beat));
}

template <typename C>
static void expandAll(const ElementFormat &format, unsigned vf, size_t beats, const uint8_t *bytes,
                      C *out) {
  if (!format.splat)
    return expandTo(format, beats * vf, bytes, out);
  for (size_t i = 0; i < beats; ++i)
    expandBeat(format, vf, vf, bytes + i * format.bytes, out + i * vf);
}

void expandBeats(const ElementFormat &format, unsigned laneBits, unsigned vf, size_t beats,
                 const uint8_t *bytes, void *out) {
  if (laneBits == 32)
    expandAll(format, vf, beats, bytes, static_cast<uint32_t *>(out));
  else
    expandAll(format, vf, beats, bytes, static_cast<uint64_t *>(out));
}

template <typename E, typename C>
static void pack(const C *beat, const C *predicate, size_t n, uint8_t *bytes) {
  for (size_t i = 0; i < n; ++i) {
    const E element = E(beat[i]);
    if (!predicate || predicate[i])
      std::memcpy(bytes + i * sizeof(E), &element, sizeof(E));
  }
}

template <typename C>
static void packFrom(const ElementFormat &format, size_t n, const void *beat, const void *predicate,
                     uint8_t *bytes) {
  const C *from = static_cast<const C *>(beat), *keep = static_cast<const C *>(predicate);
  switch (format.bytes) {
  case 1:
    return pack<uint8_t>(from, keep, n, bytes);
  case 2:
    return pack<uint16_t>(from, keep, n, bytes);
  case 4:
    return pack<uint32_t>(from, keep, n, bytes);
  default:
    return pack<uint64_t>(from, keep, n, bytes);
  }
}

void packElements(const ElementFormat &format, unsigned laneBits, unsigned active, const void *beat,
                  const void *predicate, uint8_t *bytes) {
  const size_t n = format.splat ? 1 : active;
  if (laneBits == 32)
    packFrom<uint32_t>(format, n, beat, predicate, bytes);
  else
    packFrom<uint64_t>(format, n, beat, predicate, bytes);
}

} // namespace acis
