/* Corner detector on a 16x16 image: products of gradients, summed over 3x3 windows, and the
 * response det - trace^2 / 16, in integers.
 *
 * in: uint8[400] any
 * packets: 1
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 20
#define M (N - 2)

ACIS_HANDLER void corner(const uint8_t *restrict in, int32_t *restrict out,
                         const uint8_t *restrict mem, uint32_t *len) {
  int32_t image[N][N], xx[M][M], xy[M][M], yy[M][M];
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++)
      image[r][c] = in[r * N + c];
  for (int r = 0; r < M; r++)
    for (int c = 0; c < M; c++) {
      int32_t dx = image[r + 1][c + 2] - image[r + 1][c];
      int32_t dy = image[r + 2][c + 1] - image[r][c + 1];
      xx[r][c] = dx * dx >> 6;
      xy[r][c] = dx * dy >> 6;
      yy[r][c] = dy * dy >> 6;
    }
  for (int r = 0; r < M - 2; r++)
    for (int c = 0; c < M - 2; c++) {
      int32_t a = 0, b = 0, d = 0;
      for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
          a += xx[r + y][c + x];
          b += xy[r + y][c + x];
          d += yy[r + y][c + x];
        }
      int32_t trace = a + d;
      out[r * (M - 2) + c] = a * d - b * b - (trace * trace >> 4);
    }
  *len = (M - 2) * (M - 2) * 4;
}
