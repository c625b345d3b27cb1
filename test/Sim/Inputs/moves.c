// The collectives that only move data, blocking and not, whose results are known from ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, count, wrong;
static int *give, *get;

/// Element `i` of what rank `from` gives to rank `to`.
static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

static void fill(int from, int blocks) {
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < count; ++i)
      give[b * count + i] = value(from, b, i);
  for (int i = 0; i < size * count; ++i)
    get[i] = -1;
}

static void check(int block, int from, int to) {
  for (int i = 0; i < count; ++i)
    wrong += get[block * count + i] != value(from, to, i);
}

static void blocking(int root) {
  fill(root, 1);
  if (rank != root)
    for (int i = 0; i < count; ++i)
      give[i] = -1;
  MPI_Bcast(give, count, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    wrong += give[i] != value(root, 0, i);
  fill(rank, 1);
  MPI_Gather(give, count, MPI_INT, get, count, MPI_INT, root, MPI_COMM_WORLD);
  for (int r = 0; rank == root && r < size; ++r)
    check(r, r, 0);
  fill(rank, 1);
  MPI_Allgather(give, count, MPI_INT, get, count, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    check(r, r, 0);
  fill(root, size);
  MPI_Scatter(give, count, MPI_INT, get, count, MPI_INT, root, MPI_COMM_WORLD);
  check(0, root, rank);
  fill(rank, size);
  MPI_Alltoall(give, count, MPI_INT, get, count, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    check(r, r, rank);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void nonBlocking(void) {
  MPI_Request requests[2];
  fill(rank, 1);
  MPI_Iallgather(give, count, MPI_INT, get, count, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int r = 0; r < size; ++r)
    check(r, r, 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  count = argc > 1 ? atoi(argv[1]) : 1;
  give = malloc(sizeof(int) * count * size);
  get = malloc(sizeof(int) * count * size);
  for (int root = 0; root < size; root += 3)
    blocking(root);
  nonBlocking();
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d wrong elements\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
