/* Chains of collectives with arrays of their own. fused-ahead.test takes away the waits between
 * them, so that all are under way at once, and plain collectives and messages between. */
#include <mpi.h>
#include <stdio.h>

#define N 300

static float a[N], x[N], b[N], c[N], y[N], d[N];
static int e[N], z[N], f[N];

int main(int argc, char **argv) {
  static float sum[N], all[N], low[N], high[N];
  static int count[N], total[N];
  static float between = 1, given = 0, got = 0, taken = 0;
  int rank, ranks, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < N; i++) {
    a[i] = (float)(i % 7 + rank);
    x[i] = (float)(i % 5);
    c[i] = (float)(i * rank % 11);
    y[i] = (float)(i % 3 + 1);
    e[i] = i + rank;
    z[i] = i % 13;
  }
  given = (float)rank;

  MPI_Allreduce(a, sum, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < N; i++)
    b[i] = sum[i] * x[i] + 1;
  MPI_Allreduce(b, all, N, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);

  MPI_Sendrecv(&given, 1, MPI_FLOAT, (rank + 1) % ranks, 3, &taken, 1, MPI_FLOAT,
               (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Allreduce(c, low, N, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
  for (i = 0; i < N; i++)
    d[i] = low[i] + y[i] * 2;
  MPI_Reduce(d, high, N, MPI_FLOAT, MPI_SUM, 1, MPI_COMM_WORLD);

  MPI_Allreduce(&between, &got, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);

  MPI_Allreduce(e, count, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < N; i++)
    f[i] = count[i] * z[i] - rank;
  MPI_Allreduce(f, total, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  for (i = 0; i < N; i += 37)
    printf("%d %d: %g %g %g %g %d %d %g %g\n", rank, i, sum[i], all[i], low[i],
           rank == 1 ? high[i] : 0, count[i], total[i], got, taken);
  MPI_Finalize();
  return 0;
}
