/* exp of each element: reduction to a power of two, a polynomial of degree 5, the exponent
 * put together from its bits.
 *
 * in: float[300] -20..20
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void exponential(const float *restrict in, float *restrict out,
                              const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    float t = in[i] * 1.44269504f;
    int32_t whole = (int32_t)(t < 0 ? t - 0.5f : t + 0.5f);
    float f = (t - (float)whole) * 0.69314718f;
    float p = 1 + f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666668f + f * 0.008333334f))));
    union {
      uint32_t u;
      float f;
    } power = {(uint32_t)(whole + 127) << 23};
    out[i] = p * power.f;
  }
}
