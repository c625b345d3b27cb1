/* Inclusive prefix sum.
 *
 * in: int32[333] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void prefix_sum(const uint32_t *restrict in, uint32_t *restrict out,
                             const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    sum += in[i];
    out[i] = sum;
  }
}
