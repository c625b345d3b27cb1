/* 2D convolution of a 16x16 image with 3x3 weights from memory: four nested loops.
 *
 * in: int32[324] -128..127
 * mem: int32[9] -8..8
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define H 16
#define W 16

ACIS_HANDLER void conv2d(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  int32_t image[H + 2][W + 2], weight[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      weight[r][c] = mem[r * 3 + c];
  for (int r = 0; r < H + 2; r++)
    for (int c = 0; c < W + 2; c++)
      image[r][c] = in[r * (W + 2) + c];
  for (int r = 0; r < H; r++)
    for (int c = 0; c < W; c++) {
      int32_t sum = 0;
      for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
          sum += weight[y][x] * image[r + y][c + x];
      out[r * W + c] = sum;
    }
  *len = H * W * 4;
}
