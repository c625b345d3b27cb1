/* Mixes 16-bit sound with what is in memory, with saturation; the mix replaces what was in
 * memory.
 *
 * in: int16[400] any
 * mem: int16[400] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void mix(const int16_t *restrict in, int16_t *restrict out, int16_t *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 2;
  for (uint32_t i = 0; i < n; i++) {
    int32_t s = in[i] + mem[i];
    if (s > 32767)
      s = 32767;
    else if (s < -32768)
      s = -32768;
    mem[i] = s;
    out[i] = s;
  }
}
