/* Dense matrix-vector product in double whose sums are added in the overlay's order.
 *
 * in: double[64] -1..1
 * mem: double[2048] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define ROWS 32
#define COLS 64

ACIS_HANDLER void matvec_sum(const double *restrict in, double *restrict out,
                             const double *restrict mem, uint32_t *len) {
  double x[COLS];
  for (int c = 0; c < COLS; c++)
    x[c] = in[c];
  for (int r = 0; r < ROWS; r++) {
    acis_sum_f64 sum = {0};
    for (int c = 0; c < COLS; c++)
      acis_sum_add(&sum, mem[r * COLS + c] * x[c]);
    out[r] = acis_sum_get(&sum);
  }
  *len = ROWS * 8;
}
