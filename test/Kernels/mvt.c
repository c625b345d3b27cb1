/* x1 += A y1 and x2 += A^T y2 with the matrix on chip: the second product goes down its
 * columns.
 *
 * in: int32[288] -1000..1000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 16

static int32_t x1[N], x2[N];

ACIS_HANDLER void mvt(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  int32_t a[N][N], y1[N], y2[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = in[i * N + j];
  for (int i = 0; i < N; i++)
    y1[i] = in[N * N + i];
  for (int i = 0; i < N; i++)
    y2[i] = in[N * N + N + i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x1[i] += a[i][j] * y1[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x2[i] += a[j][i] * y2[j];
  for (int i = 0; i < N; i++)
    out[i] = x1[i];
  for (int i = 0; i < N; i++)
    out[N + i] = x2[i];
  *len = 2 * N * 4;
}
