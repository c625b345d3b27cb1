/* Copies words up to the first 0; what is sent is as long as what was copied.
 *
 * in: uint32[200] 0..40
 * packets: 4
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void copy_until(const uint32_t *restrict in, uint32_t *restrict out,
                             const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, i;
  for (i = 0; i < n; i++) {
    uint32_t word = in[i];
    if (word == 0)
      break;
    out[i] = word * 3 + 1;
  }
  *len = i * 4;
}
