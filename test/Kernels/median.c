/* Median of three neighbours, by minima and maxima.
 *
 * in: int16[400] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static inline int16_t min(int16_t a, int16_t b) { return a < b ? a : b; }
static inline int16_t max(int16_t a, int16_t b) { return a > b ? a : b; }

ACIS_HANDLER void median(const int16_t *restrict in, int16_t *restrict out,
                         const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2;
  int16_t a = 0, b = 0;
  for (uint32_t i = 0; i < n; i++) {
    int16_t c = in[i];
    out[i] = max(min(a, b), min(max(a, b), c));
    a = b;
    b = c;
  }
}
