/* Dense matrix-vector product in double: the matrix is in memory, the vector comes.
 *
 * in: double[32] -1..1
 * mem: double[1024] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 32

ACIS_HANDLER void matvec(const double *restrict in, double *restrict out,
                         const double *restrict mem, uint32_t *len) {
  double x[N];
  for (int c = 0; c < N; c++)
    x[c] = in[c];
  for (int r = 0; r < N; r++) {
    double sum = 0;
    for (int c = 0; c < N; c++)
      sum += mem[r * N + c] * x[c];
    out[r] = sum;
  }
  *len = N * 8;
}
