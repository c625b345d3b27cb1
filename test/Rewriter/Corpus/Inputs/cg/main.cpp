#include "solver.hpp"
#include <iostream>
#include <mpi.h>
int main(int argc, char *argv[]) {
  Sparse *A = new Sparse();
  double *x = new double[100](), *b = new double[100](), norm = 0.0, times[7] = {0};
  int size, rank, iterations = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  localise(A);
  int code = solve(A, b, x, 150, 0.0, iterations, norm, times);
  if (code)
    std::cerr << "failed" << std::endl;
  double t4 = times[4];
  double t4min = 0.0, t4max = 0.0, t4avg = 0.0;
  MPI_Allreduce(&t4, &t4min, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD); /*@tmin*/
  MPI_Allreduce(&t4, &t4max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@tmax*/
  MPI_Allreduce(&t4, &t4avg, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@tavg*/
  t4avg = t4avg / ((double)size);
  if (rank == 0)
    std::cout << t4min << t4max << t4avg << iterations << std::endl;
  MPI_Finalize();
  return 0;
}
