// Chains of collectives, as functions that are the same for all ranks. Built several times, with
// other names: as they are, rewritten with and without switch programs, and with other ops that
// give the same (OTHER).
#include <mpi.h>
#include <string.h>

#define N 48

#ifdef OTHER
#define STEP(x) ((x) + 2 * (x) + 1)
#else
#define STEP(x) ((x) * 3 + 1)
#endif

void chain_allreduce(int *mine, int *total) {
  int sums[N], next[N];
  MPI_Allreduce(mine, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    next[i] = STEP(sums[i]);
  MPI_Allreduce(next, total, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

void chain_bcast(int *mine, int *total) {
  int data[N], next[N];
  for (int i = 0; i < N; i++)
    data[i] = mine[i];
  MPI_Bcast(data, N, MPI_INT, 1, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    next[i] = STEP(data[i]);
  MPI_Allreduce(next, total, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

void chain_scan(int *mine, int *total) {
  int sums[N], next[N];
  MPI_Scan(mine, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    next[i] = STEP(sums[i]);
  MPI_Reduce(next, total, N, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
}

void chain_one(int *mine, int *total) {
  int sums[N], next[N];
  MPI_Allreduce(mine, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    next[i] = STEP(sums[i]);
  memcpy(total, next, sizeof next);
}
