/* Floats to signed bytes: scale, round half away from zero, clamp.
 *
 * in: float[500] -3..3
 * mem: float[1] 40..70
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void quantise(const float *restrict in, int8_t *restrict out,
                           const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  float scale = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    float v = in[i] * scale;
    int32_t q = (int32_t)(v < 0 ? v - 0.5f : v + 0.5f);
    if (q > 127)
      q = 127;
    if (q < -127)
      q = -127;
    out[i] = q;
  }
  *len = n;
}
