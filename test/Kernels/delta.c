/* Differences of neighbours, zigzag coded: small numbers whatever the sign.
 *
 * in: int32[300] -100000..100000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void delta(const int32_t *restrict in, uint32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t last = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t d = in[i] - last;
    out[i] = (uint32_t)d << 1 ^ (uint32_t)(d >> 31);
    last = in[i];
  }
}
