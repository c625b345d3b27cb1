#include "solver.hpp"
#include <cmath>
#include <mpi.h>
using std::fabs;
int residual(const int n, const double *const v1, const double *const v2, double *const result) {
  double local = 0.0;
  for (int i = 0; i < n; i++) {
    double diff = fabs(v1[i] - v2[i]);
    if (diff > local)
      local = diff;
  }
#ifdef USING_MPI
  double global = 0;
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@residual*/
  *result = global;
#else
  *result = local;
#endif
  return (0);
}
