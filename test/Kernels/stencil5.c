/* 5-point stencil, one Jacobi step over an 18x18 tile on chip.
 *
 * in: float[324] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 18

ACIS_HANDLER void stencil5(const float *restrict in, float *restrict out, const float *restrict mem,
                           uint32_t *len) {
  float a[N][N];
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++)
      a[r][c] = in[r * N + c];
  for (int r = 1; r < N - 1; r++)
    for (int c = 1; c < N - 1; c++)
      out[(r - 1) * (N - 2) + c - 1] =
          0.2f * (a[r][c] + a[r - 1][c] + a[r + 1][c] + a[r][c - 1] + a[r][c + 1]);
  *len = (N - 2) * (N - 2) * 4;
}
