/* Histogram of bytes: 256 bins that stay in the switch.
 *
 * in: uint8[1000] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static uint32_t bins[256];

ACIS_HANDLER void histogram(const uint8_t *restrict in, uint32_t *restrict out,
                            const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++)
    bins[in[i]]++;
  for (int b = 0; b < 256; b++)
    out[b] = bins[b];
  *len = 256 * 4;
}
