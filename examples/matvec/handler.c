/* Matrix times vector: the vector is the payload, the matrix is in off-chip memory, row
 * by row. */
#include <acis.h>

#ifndef ROWS
#define ROWS 48
#endif
#ifndef COLS
#define COLS 256
#endif

ACIS_HANDLER void matvec(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  float x[COLS];
  for (uint32_t k = 0; k < COLS; k++)
    x[k] = in[k];
  for (uint32_t r = 0; r < ROWS; r++) {
    acis_sum_f32 s = {0};
    for (uint32_t k = 0; k < COLS; k++)
      acis_sum_add(&s, mem[r * COLS + k] * x[k]);
    out[r] = acis_sum_get(&s);
  }
  *len = ROWS * 4;
}
