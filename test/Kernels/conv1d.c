/* 1D convolution of 16-bit samples with 5 fixed weights, rounded and clamped to 16 bits.
 * The window is in scalars.
 *
 * in: int16[300] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void conv1d(const int16_t *restrict in, int16_t *restrict out,
                         const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2;
  int32_t a = 0, b = 0, c = 0, d = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t e = in[i];
    int32_t sum = (-3 * a + 12 * b + 17 * c + 12 * d - 3 * e + 16) >> 5;
    if (sum > 32767)
      sum = 32767;
    if (sum < -32768)
      sum = -32768;
    out[i] = sum;
    a = b;
    b = c;
    c = d;
    d = e;
  }
}
