#include "solver.hpp"
#include <mpi.h>
int dot(const int n, const double *const x, const double *const y, double *const result,
        double &time_reduce) {
  double local = 0.0;
  if (y == x)
    for (int i = 0; i < n; i++)
      local += x[i] * x[i];
  else
    for (int i = 0; i < n; i++)
      local += x[i] * y[i];
#ifdef USING_MPI
  double t0 = timer();
  double global = 0.0;
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@dot*/
  *result = global;
  time_reduce += timer() - t0;
#else
  *result = local;
#endif
  return (0);
}
