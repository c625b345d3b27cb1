#pragma once
#include <mpi.h>
#ifdef __cplusplus
#define SUM_OF(x) global_sum(x, MPI_COMM_WORLD)
#endif
static inline double global_sum(double x, MPI_Comm comm) {
  double result = 0.0;
  MPI_Allreduce(&x, &result, 1, MPI_DOUBLE, MPI_SUM, comm);
  return result;
}
static inline void sum_all(double *values, int n) {
  MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
