/* SUMMA: panels of A along the rows and of B along the columns of a grid of processes. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NB 8

static void dgemm_local(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int argc, char **argv) {
  int rank, size, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  dims[0] = (int)sqrt((double)size);
  while (size % dims[0])
    dims[0]--;
  dims[1] = size / dims[0];
  MPI_Comm grid, row_comm, col_comm;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Comm_split(grid, coords[0], coords[1], &row_comm);
  MPI_Comm_split(grid, coords[1], coords[0], &col_comm);
  double A[NB * NB], B[NB * NB], C[NB * NB] = {0}, Abuf[NB * NB], Bbuf[NB * NB];
  for (int i = 0; i < NB * NB; i++) {
    A[i] = (i + rank) % 5;
    B[i] = (i * 3 + rank) % 4;
  }
  int steps = dims[0] < dims[1] ? dims[0] : dims[1];
  for (int k = 0; k < steps; k++) {
    if (coords[1] == k)
      memcpy(Abuf, A, sizeof(A));
    if (coords[0] == k)
      memcpy(Bbuf, B, sizeof(B));
    MPI_Bcast(Abuf, NB * NB, MPI_DOUBLE, k, row_comm); /*@a*/
    MPI_Bcast(Bbuf, NB * NB, MPI_DOUBLE, k, col_comm); /*@b*/
    dgemm_local(Abuf, Bbuf, C, NB); /*@gemm*/
  }
  double trace = 0, total;
  for (int i = 0; i < NB; i++)
    trace += C[i * NB + i];
  MPI_Allreduce(&trace, &total, 1, MPI_DOUBLE, MPI_SUM, grid); /*@trace*/
  if (rank == 0)
    printf("trace %g\n", total);
  MPI_Finalize();
  return 0;
}
