/* A smoother: halo, sweep, global norm, then scaling by it every time. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define IDX(i, j) ((i) * (nx + 2) + (j))
static void exchange(double *u, int nx, int ny, int up, int down, MPI_Comm comm) {
  MPI_Sendrecv(&u[IDX(1, 1)], nx, MPI_DOUBLE, up, 0, &u[IDX(ny + 1, 1)], nx, MPI_DOUBLE, down, 0, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[IDX(ny, 1)], nx, MPI_DOUBLE, down, 1, &u[IDX(0, 1)], nx, MPI_DOUBLE, up, 1, comm, MPI_STATUS_IGNORE);
}
static double norm2(const double *u, int nx, int ny, MPI_Comm comm) {
  double s = 0, all;
  for (int i = 1; i <= ny; i++)
    for (int j = 1; j <= nx; j++)
      s += u[IDX(i, j)] * u[IDX(i, j)];
  MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, comm); /*@norm2*/
  return sqrt(all);
}
int main(int argc, char **argv) {
  int rank, size, nx = 12, ny = 10;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double *u = calloc((nx + 2) * (ny + 2), sizeof(double)), *v = calloc((nx + 2) * (ny + 2), sizeof(double));
  for (int i = 1; i <= ny; i++)
    for (int j = 1; j <= nx; j++)
      u[IDX(i, j)] = 1 + (i * j + rank) % 4;
  double norm = 0;
  for (int it = 0; it < 5; it++) {
    exchange(u, nx, ny, up, down, comm);
    for (int i = 1; i <= ny; i++)
      for (int j = 1; j <= nx; j++)
        v[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
    norm = norm2(v, nx, ny, comm); /*@norm*/
    for (int i = 1; i <= ny; i++)
      for (int j = 1; j <= nx; j++)
        u[IDX(i, j)] = v[IDX(i, j)] / norm;
    if (rank == 0 && it % 2 == 0)
      printf("%d %.9f\n", it, norm);
  }
  MPI_Finalize();
  return 0;
}
