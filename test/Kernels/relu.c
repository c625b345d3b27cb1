/* ReLU of one half of a packet and soft thresholding of the other.
 *
 * in: float[512] -2..2
 * mem: float[1] 0.1..0.5
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 256

ACIS_HANDLER void relu(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  float limit = mem[0];
  for (int i = 0; i < N; i++)
    out[i] = in[i] > 0 ? in[i] : 0;
  for (int i = N; i < 2 * N; i++) {
    float v = in[i];
    if (v > limit)
      out[i] = v - limit;
    else if (v < -limit)
      out[i] = v + limit;
    else
      out[i] = 0;
  }
}
