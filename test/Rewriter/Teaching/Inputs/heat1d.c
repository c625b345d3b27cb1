/* Explicit heat equation on a rod; ghost cells by Sendrecv, convergence by Allreduce. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 256
#define TOL 1e-4
#define MAX_ITER 300

int main(int argc, char **argv) {
  int rank, nprocs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  int local = NX / nprocs;
  double *u = calloc(local + 2, sizeof(double));
  double *unew = calloc(local + 2, sizeof(double));
  int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
  int right = rank == nprocs - 1 ? MPI_PROC_NULL : rank + 1;
  if (rank == 0)
    u[0] = unew[0] = 100.0;

  double global_diff = 1.0;
  int iter = 0;
  while (global_diff > TOL && iter < MAX_ITER) {
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[local + 1], 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[local], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    double diff = 0.0;
    for (int i = 1; i <= local; i++) {
      unew[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
      double d = fabs(unew[i] - u[i]);
      if (d > diff)
        diff = d;
    }
    MPI_Allreduce(&diff, &global_diff, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@diff*/
    double *tmp = u;
    u = unew;
    unew = tmp;
    iter++;
  }
  double sum = 0.0, total;
  for (int i = 1; i <= local; i++)
    sum += u[i];
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@total*/
  if (rank == 0)
    printf("%d iterations, heat %.6f\n", iter, total);
  double *rod = NULL;
  if (rank == 0)
    rod = malloc(NX * sizeof(double));
  MPI_Gather(&u[1], local, MPI_DOUBLE, rod, local, MPI_DOUBLE, 0, MPI_COMM_WORLD); /*@rod*/
  if (rank == 0) {
    for (int i = 0; i < local * nprocs; i += 32)
      printf("%d %.4f\n", i, rod[i]);
    free(rod);
  }
  MPI_Finalize();
  return 0;
}
