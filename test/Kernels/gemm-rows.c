/* Rows of a matrix product, an element of A for a row of B at a time: A in memory, B comes,
 * a row of the result has as many elements as lanes hold.
 *
 * in: float[256] -1..1
 * mem: float[128] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define M 8
#define N 16
#define K 16

ACIS_HANDLER void gemm_rows(const float *restrict in, float *restrict out,
                            const float *restrict mem, uint32_t *len) {
  float b[K][N], c[M][N];
  for (int k = 0; k < K; k++)
    for (int j = 0; j < N; j++)
      b[k][j] = in[k * N + j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      c[i][j] = 0;
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        c[i][j] += mem[i * K + k] * b[k][j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      out[i * N + j] = c[i][j];
  *len = M * N * 4;
}
