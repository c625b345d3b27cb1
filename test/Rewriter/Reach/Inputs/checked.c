/* Calls behind a macro of the project that tests the return code. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    int code_ = (call);                                                                            \
    if (code_ != MPI_SUCCESS) {                                                                    \
      fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, code_);                             \
      MPI_Abort(MPI_COMM_WORLD, code_);                                                            \
    }                                                                                              \
  } while (0)

int main(int argc, char **argv) {
  int rank, n = 40;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  double x[40], mean, sum = 0, dev = 0, total;
  int size;
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  for (int i = 0; i < n; i++) {
    x[i] = (i * 17 + rank * 5) % 23;
    sum += x[i];
  }
  CHECK(MPI_Allreduce(&sum, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  mean /= n * size;
  for (int i = 0; i < n; i++)
    dev += (x[i] - mean) * (x[i] - mean);
  CHECK(MPI_Allreduce(&dev, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  printf("%d %.9f %.9f\n", rank, mean, total);
  CHECK(MPI_Finalize());
  return 0;
}
