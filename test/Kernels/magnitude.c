/* Magnitudes of complex numbers, real parts first: a square root of a sum of squares.
 *
 * in: float[256] -5..5
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 128

ACIS_HANDLER void magnitude(const float *restrict in, float *restrict out,
                            const float *restrict mem, uint32_t *len) {
  float re[N];
  for (int i = 0; i < N; i++)
    re[i] = in[i];
  for (int i = 0; i < N; i++) {
    float im = in[N + i];
    out[i] = __builtin_sqrtf(re[i] * re[i] + im * im);
  }
  *len = N * 4;
}
