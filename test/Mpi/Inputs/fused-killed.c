/* Makes a chain until MPI raises an error, and says which. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void raised(MPI_Comm *comm, int *code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length, rank;
  MPI_Comm_rank(*comm, &rank);
  MPI_Error_string(*code, text, &length);
  printf("rank %d: %s\n", rank, text);
  fflush(stdout);
  _Exit(0);
}

int main(int argc, char **argv) {
  double x[256], y[256], all;
  int rank;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(raised, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (int i = 0; i < 256; i++)
    x[i] = i + rank;
  for (int k = 0; k < 1000000; k++) {
    double part = 0;
    MPI_Allreduce(x, y, 256, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 256; i++)
      part += y[i] * x[i];
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (k == 20 && rank == 0) {
      printf("begun\n");
      fflush(stdout);
    }
  }
  MPI_Finalize();
  return 0;
}
