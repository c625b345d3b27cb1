/* The 9-point stencil of stencil9.c for as many rows as a packet has.
 *
 * in: int32[512] -4000..4000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define COLS 32

ACIS_HANDLER void stencil9_rows(const int32_t *restrict in, int32_t *restrict out,
                                const int32_t *restrict mem, uint32_t *len) {
  int32_t above[COLS], middle[COLS];
  for (int c = 0; c < COLS; c++)
    above[c] = middle[c] = 0;
  uint32_t rows = *len / (COLS * 4);
  for (uint32_t r = 0; r < rows; r++) {
    int32_t a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0;
    for (int c = 0; c < COLS; c++) {
      int32_t a2 = above[c], b2 = middle[c], c2 = in[r * COLS + c];
      out[r * COLS + c] = (a0 + 2 * a1 + a2 + 2 * b0 + 4 * b1 + 2 * b2 + c0 + 2 * c1 + c2) >> 4;
      above[c] = b2;
      middle[c] = c2;
      a0 = a1;
      a1 = a2;
      b0 = b1;
      b1 = b2;
      c0 = c1;
      c1 = c2;
    }
  }
}
