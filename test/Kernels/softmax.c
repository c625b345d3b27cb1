/* The numerators of a softmax and their sum: the largest value is subtracted, exp is a
 * polynomial after a reduction to a power of two.
 *
 * in: float[128] -6..6
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 128

static inline float power_of_2(int32_t n) {
  union {
    uint32_t u;
    float f;
  } bits = {(uint32_t)(n + 127) << 23};
  return bits.f;
}

ACIS_HANDLER void softmax(const float *restrict in, float *restrict out, const float *restrict mem,
                          uint32_t *len) {
  float x[N], max = -3.0e38f;
  for (int i = 0; i < N; i++) {
    x[i] = in[i];
    if (x[i] > max)
      max = x[i];
  }
  acis_sum_f32 sum = {0};
  for (int i = 0; i < N; i++) {
    float t = (x[i] - max) * 1.44269504f;
    int32_t whole = (int32_t)(t - 0.5f);
    float f = (t - (float)whole) * 0.69314718f;
    float poly =
        1 + f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666668f + f * 0.008333334f))));
    float e = poly * power_of_2(whole);
    out[i] = e;
    acis_sum_add(&sum, e);
  }
  out[N] = acis_sum_get(&sum);
  *len = (N + 1) * 4;
}
