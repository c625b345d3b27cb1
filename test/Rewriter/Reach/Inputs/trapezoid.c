/* Input by a function that broadcasts; the integral is a loop; a sum at the root. */
#include <mpi.h>
#include <stdio.h>

static void get_input(int rank, double *a, double *b, int *n) {
  if (rank == 0) {
    *a = 0.5;
    *b = 3.5;
    *n = 96;
  }
  MPI_Bcast(a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static double f(double x) { return x * x - 2 * x + 3; }

int main(int argc, char **argv) {
  int rank, size, n;
  double a, b, h, local = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  get_input(rank, &a, &b, &n);
  h = (b - a) / n;
  for (int i = rank; i < n; i += size)
    local += 0.5 * h * (f(a + i * h) + f(a + (i + 1) * h));
  MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d %.9f\n", n, total);
  MPI_Finalize();
  return 0;
}
