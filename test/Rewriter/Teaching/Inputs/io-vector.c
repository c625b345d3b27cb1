/* Vectors read on rank 0 and dealt out by functions; every rank prints in turn. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void Check_for_error(int local_ok, const char *fname, const char *message, MPI_Comm comm) {
  int ok;
  MPI_Allreduce(&local_ok, &ok, 1, MPI_INT, MPI_MIN, comm); /*@ok*/
  if (ok == 0) {
    int my_rank;
    MPI_Comm_rank(comm, &my_rank);
    if (my_rank == 0)
      fprintf(stderr, "Proc %d > In %s, %s\n", my_rank, fname, message);
    MPI_Finalize();
    exit(-1);
  }
}

void Read_vector(double local_a[], int local_n, int n, int my_rank, MPI_Comm comm) {
  double *a = NULL;
  int i, local_ok = 1;
  if (my_rank == 0) {
    a = malloc(n * sizeof(double));
    if (a == NULL)
      local_ok = 0;
    Check_for_error(local_ok, "Read_vector", "Can't allocate", comm);
    for (i = 0; i < n; i++)
      a[i] = i % 11;
    MPI_Scatter(a, local_n, MPI_DOUBLE, local_a, local_n, MPI_DOUBLE, 0, comm); /*@root*/
    free(a);
  } else {
    Check_for_error(local_ok, "Read_vector", "Can't allocate", comm);
    MPI_Scatter(a, local_n, MPI_DOUBLE, local_a, local_n, MPI_DOUBLE, 0, comm); /*@others*/
  }
}

double Parallel_dot(double x[], double y[], int local_n, MPI_Comm comm) {
  double local = 0.0, dot = 0.0;
  for (int i = 0; i < local_n; i++)
    local += x[i] * y[i];
  MPI_Allreduce(&local, &dot, 1, MPI_DOUBLE, MPI_SUM, comm); /*@dot*/
  return dot;
}

int main(int argc, char **argv) {
  int my_rank, comm_sz, local_n = 12, turn;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(comm, &comm_sz);
  MPI_Comm_rank(comm, &my_rank);
  double x[12], y[12];
  Read_vector(x, local_n, local_n * comm_sz, my_rank, comm);
  Read_vector(y, local_n, local_n * comm_sz, my_rank, comm);
  double dot = Parallel_dot(x, y, local_n, comm); /*@call*/
  if (my_rank == 0)
    printf("dot %g\n", dot);
  for (turn = 0; turn < comm_sz; turn++) {
    MPI_Barrier(comm);
    if (turn == my_rank)
      printf("rank %d has %g\n", my_rank, x[my_rank]);
  }
  MPI_Finalize();
  return 0;
}
