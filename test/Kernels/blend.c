/* Blends bytes with a picture in memory: alpha * a + (255 - alpha) * b, divided by 255 and
 * rounded.
 *
 * in: uint8[500] any
 * mem: uint8[501] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void blend(const uint8_t *restrict in, uint8_t *restrict out,
                        const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len, alpha = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t t = alpha * in[i] + (255 - alpha) * mem[1 + i] + 128;
    out[i] = (t + (t >> 8)) >> 8;
  }
}
