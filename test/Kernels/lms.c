/* Adaptive filter of four weights, by the error of each output.
 *
 * in: float[240] -1..1
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void lms(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 8;
  float w0 = 0, w1 = 0, w2 = 0, w3 = 0, x1 = 0, x2 = 0, x3 = 0;
  for (uint32_t i = 0; i < n; i++) {
    float x0 = in[2 * i], d = in[2 * i + 1];
    float y = w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3;
    float e = d - y, g = 0.05f * e;
    w0 += g * x0;
    w1 += g * x1;
    w2 += g * x2;
    w3 += g * x3;
    x3 = x2;
    x2 = x1;
    x1 = x0;
    out[i] = e;
  }
  *len = n * 4;
}
