/* Norm of a vector and the scaled vector, as an Arnoldi step of GMRES does it, in double.
 *
 * in: double[96] -10..10
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 96

ACIS_HANDLER void norm(const double *restrict in, double *restrict out, const double *restrict mem,
                       uint32_t *len) {
  double v[N];
  acis_sum_f64 sum = {0};
  for (int i = 0; i < N; i++) {
    double x = in[i];
    v[i] = x;
    acis_sum_add(&sum, x * x);
  }
  double scale = 1 / __builtin_sqrt(acis_sum_get(&sum));
  for (int i = 0; i < N; i++)
    out[i] = v[i] * scale;
}
