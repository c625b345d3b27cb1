/* Banded matrix-vector product: five diagonals, stored by diagonal, in memory.
 *
 * in: float[132] -1..1
 * mem: float[640] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 128
#define BAND 5

ACIS_HANDLER void banded(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  float x[N + BAND - 1], y[N];
  for (int i = 0; i < N + BAND - 1; i++)
    x[i] = in[i];
  for (int i = 0; i < N; i++)
    y[i] = 0;
  for (int d = 0; d < BAND; d++)
    for (int i = 0; i < N; i++)
      y[i] += mem[d * N + i] * x[i + d];
  for (int i = 0; i < N; i++)
    out[i] = y[i];
  *len = N * 4;
}
