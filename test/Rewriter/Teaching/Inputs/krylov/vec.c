#include "vec.h"
#include <math.h>

double p_dot(const double *x, const double *y, int n) {
  double local = 0.0, result;
  if (x == y) {
    for (int i = 0; i < n; i++)
      local += x[i] * x[i];
  } else {
    for (int i = 0; i < n; i++)
      local += x[i] * y[i];
  }
#ifdef USE_MPI
  double t0 = elapsed();
  MPI_Allreduce(&local, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@dot*/
  static double in_reduce;
  in_reduce += elapsed() - t0;
#else
  result = local;
#endif
  return result;
}

void waxpby(int n, double alpha, const double *x, double beta, const double *y, double *w) {
  if (alpha == 1.0) {
    for (int i = 0; i < n; i++)
      w[i] = x[i] + beta * y[i];
  } else if (beta == 1.0) {
    for (int i = 0; i < n; i++)
      w[i] = alpha * x[i] + y[i];
  } else {
    for (int i = 0; i < n; i++)
      w[i] = alpha * x[i] + beta * y[i];
  }
}

double max_norm(const double *x, int n) {
  double local = 0, global;
  for (int i = 0; i < n; i++)
    local = fabs(x[i]) > local ? fabs(x[i]) : local;
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@max*/
  return global;
}
