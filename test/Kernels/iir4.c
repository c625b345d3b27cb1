/* Cascade of four biquads in direct form II, in floats.
 *
 * in: float[128] -1..1
 * mem: float[20] -0.4..0.4
 * packets: 2
 * expect: maps
 * expect[tiny]: refused loop not mapped: handler 'iir4' needs 20 context slots for 5 mapped
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void iir4(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  float c[20], z1[4] = {0}, z2[4] = {0};
  for (int k = 0; k < 20; k++)
    c[k] = mem[k];
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    float x = in[i];
    for (int s = 0; s < 4; s++) {
      float w = x - c[5 * s + 3] * z1[s] - c[5 * s + 4] * z2[s];
      x = c[5 * s] * w + c[5 * s + 1] * z1[s] + c[5 * s + 2] * z2[s];
      z2[s] = z1[s];
      z1[s] = w;
    }
    out[i] = x;
  }
}
