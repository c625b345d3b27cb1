/* Sparse matrix times vector, compressed rows: a packet has the length of each row, then
 * column and value of each element. The vector is in memory.
 *
 * in: csr
 * mem: float[64] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define ROWS 32
#define COLS 64

static inline float as_float(uint32_t u) {
  union {
    uint32_t u;
    float f;
  } bits = {u};
  return bits.f;
}

ACIS_HANDLER void spmv(const uint32_t *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  uint32_t length[ROWS];
  float x[COLS];
  for (int c = 0; c < COLS; c++)
    x[c] = mem[c];
  for (int r = 0; r < ROWS; r++)
    length[r] = in[r];
  uint32_t at = ROWS;
  for (int r = 0; r < ROWS; r++) {
    float sum = 0;
    for (uint32_t k = 0; k < length[r]; k++) {
      sum += as_float(in[at + 1]) * x[in[at] & (COLS - 1)];
      at += 2;
    }
    out[r] = sum;
  }
  *len = ROWS * 4;
}
