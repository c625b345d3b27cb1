/* Tile of a matrix product: C += A * B, 8x16 times 16x16. B is in memory, the rows of A are
 * streamed, C stays in the switch.
 *
 * in: float[128] -1..1
 * mem: float[256] -1..1
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define M 8
#define N 16
#define K 16

static float c[M][N];

ACIS_HANDLER void gemm(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  float a[M][K], b[K][N];
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      a[i][k] = in[i * K + k];
  for (int k = 0; k < K; k++)
    for (int j = 0; j < N; j++)
      b[k][j] = mem[k * N + j];
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      out[i * N + j] = c[i][j];
  *len = M * N * 4;
}
