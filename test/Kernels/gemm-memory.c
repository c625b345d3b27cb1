/* A tile times a matrix in off-chip memory: with too few ports for a column at once, the
 * product goes down the column one element after the other.
 *
 * in: int32[64] -100..100
 * mem: int32[64] -100..100
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
#define N 8

ACIS_HANDLER void gemm_memory(const int32_t *restrict in, int32_t *restrict out,
                              const int32_t *restrict mem, uint32_t *len) {
  int32_t a[N][N];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      a[i][k] = in[i * N + k];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int32_t s = 0;
      for (int k = 0; k < N; k++)
        s += a[i][k] * mem[k * N + j];
      out[i * N + j] = s;
    }
}
