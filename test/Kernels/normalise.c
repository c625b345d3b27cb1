/* Integers to doubles between 0 and 1: x / sqrt(x^2 + c).
 *
 * in: int32[200] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void normalise(const int32_t *restrict in, double *restrict out,
                            const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    double x = in[i];
    out[i] = x / __builtin_sqrt(x * x + 1000.0);
  }
  *len = n * 8;
}
