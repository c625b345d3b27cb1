/* Biquad IIR filter in floats, direct form I: each output needs the two before it.
 *
 * in: float[300] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void iir(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 4;
  float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (uint32_t i = 0; i < n; i++) {
    float x = in[i];
    float y = 0.2f * x + 0.4f * x1 + 0.2f * x2 + 0.3f * y1 - 0.25f * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    out[i] = y;
  }
}
