/* Ones in each 64-bit word, by adding neighbouring fields.
 *
 * in: uint64[150] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void bitcount(const uint64_t *restrict in, uint8_t *restrict out,
                           const uint64_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t v = in[i];
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    out[i] = v * 0x0101010101010101 >> 56;
  }
  *len = n;
}
