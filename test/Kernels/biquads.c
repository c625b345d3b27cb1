/* Two second-order sections in fixed point, one behind the other.
 *
 * in: int32[150] -20000..20000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void biquads(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t a1 = 0, a2 = 0, b1 = 0, b2 = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t w = in[i] + ((1843 * a1 - 901 * a2) >> 10);
    int32_t y = w + 2 * a1 + a2;
    a2 = a1;
    a1 = w;
    int32_t v = (y >> 2) + ((1520 * b1 - 640 * b2) >> 10);
    int32_t z = v - 2 * b1 + b2;
    b2 = b1;
    b1 = v;
    out[i] = z >> 2;
  }
}
