/* Error-checking macros with file and line, a verbose mode, and phases with timers. */
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MPI_CHECK(stmt)                                                                            \
  do {                                                                                             \
    int mpi_errno = (stmt);                                                                        \
    if (MPI_SUCCESS != mpi_errno) {                                                                \
      char msg[MPI_MAX_ERROR_STRING];                                                              \
      int len;                                                                                     \
      MPI_Error_string(mpi_errno, msg, &len);                                                      \
      fprintf(stderr, "[%s:%d] %s failed: %s\n", __FILE__, __LINE__, #stmt, msg);                  \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
    assert(MPI_SUCCESS == mpi_errno);                                                              \
  } while (0)
#ifdef VERBOSE
#define LOG(...) fprintf(stderr, __VA_ARGS__)
#else
#define LOG(...)
#endif
#define TIC(t) (t) = MPI_Wtime()
#define TOC(t) (t) = MPI_Wtime() - (t)

int main(int argc, char **argv) {
  int rank, size, n = 128;
  double times[3], t;
  MPI_CHECK(MPI_Init(&argc, &argv));
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  double *x = malloc(n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = sin(0.1 * i + rank);

  TIC(t);
  double sum = 0, total = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  LOG("rank %d has %f\n", rank, sum);
  MPI_CHECK(MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)); /*@sum*/
  double mean = total / ((double)n * size);
  LOG("mean %f\n", mean);
  double sq = 0, sq_total = 0;
  for (int i = 0; i < n; i++)
    sq += pow(x[i] - mean, 2);
  MPI_CHECK(MPI_Allreduce(&sq, &sq_total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)); /*@sq*/
  double sigma = sqrt(sq_total / ((double)n * size));
  for (int i = 0; i < n; i++)
    x[i] = (x[i] - mean) / sigma;
  TOC(t);
  times[0] = t;

  /* largest value, everywhere */
  double most = fabs(x[0]), global;
  for (int i = 1; i < n; i++)
    if (fabs(x[i]) > most)
      most = fabs(x[i]);
  MPI_CHECK(MPI_Allreduce(&most, &global, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD)); /*@max*/
  if (rank == 0)
    printf("mean %.6f sigma %.6f max %.6f\n", mean, sigma, global);
  if (global > 1e6)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_CHECK(MPI_Reduce(times, &times[1], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD)); /*@times*/
  if (rank == 0)
    fprintf(stderr, "slowest %g\n", times[1]);
  free(x);
  MPI_CHECK(MPI_Finalize());
  return 0;
}
