/* Morton codes: the bits of two 16-bit coordinates in one word, x in the even places.
 *
 * in: uint32[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t spread(uint32_t v) {
  v = (v | v << 8) & 0x00ff00ff;
  v = (v | v << 4) & 0x0f0f0f0f;
  v = (v | v << 2) & 0x33333333;
  return (v | v << 1) & 0x55555555;
}

ACIS_HANDLER void morton(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = spread(in[i] & 0xffff) | spread(in[i] >> 16) << 1;
}
