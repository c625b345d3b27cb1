/* Dot products of rows of signed bytes with weights in memory, as a quantised layer does
 * it, scaled and clamped to a byte.
 *
 * in: int8[1024] any
 * mem: int8[64] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define COLS 64

ACIS_HANDLER void dot8(const int8_t *restrict in, int8_t *restrict out, const int8_t *restrict mem,
                       uint32_t *len) {
  uint32_t rows = *len / COLS;
  for (uint32_t r = 0; r < rows; r++) {
    int32_t sum = 0;
    for (int c = 0; c < COLS; c++)
      sum += in[r * COLS + c] * mem[c];
    sum >>= 9;
    out[r] = sum > 127 ? 127 : sum < -128 ? -128 : sum;
  }
  *len = rows;
}
