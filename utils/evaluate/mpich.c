// See mpich.h.
#include "mpich.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { Tag = 71 };

static int rankOf(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int sizeOf(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void binomialScatter(const double *from, double *into, int count) {
  const int rank = rankOf(), size = sizeOf();
  int mask = 1;
  while (mask < size && !(rank & mask))
    mask <<= 1;
  // A rank has the blocks of its subtree: itself and what follows.
  const int own = rank == 0 ? size : rank + mask > size ? size - rank : mask;
  double *part = NULL;
  if (rank != 0 && own == 1) {
    MPI_Recv(into, count, MPI_DOUBLE, rank - mask, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank != 0) {
    part = malloc(sizeof(double) * count * own);
    MPI_Recv(part, count * own, MPI_DOUBLE, rank - mask, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    from = part;
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (rank + mask < size) {
      const int theirs = rank + 2 * mask > size ? size - rank - mask : mask;
      MPI_Send(from + (size_t)count * mask, count * theirs, MPI_DOUBLE, rank + mask, Tag,
               MPI_COMM_WORLD);
    }
  if (own > 1) // through MPI, which charges the copy
    MPI_Sendrecv(from, count, MPI_DOUBLE, 0, Tag, into, count, MPI_DOUBLE, 0, Tag,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
  free(part);
}

void knomialReduce(const double *from, double *into, int count, int k) {
  const int rank = rankOf(), size = sizeOf();
  double *sum = into, *theirs = malloc(sizeof(double) * (count + 1));
  int isLeaf = 1, parent = -1;
  if (rank != 0)
    sum = malloc(sizeof(double) * (count + 1));
  for (int step = 1; step < size && parent < 0; step *= k) {
    if (rank % (step * k) != 0) {
      parent = rank - rank % (step * k);
      break;
    }
    for (int child = 1; child < k && rank + child * step < size; ++child) {
      MPI_Recv(theirs, count, MPI_DOUBLE, rank + child * step, Tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      if (isLeaf)
        memcpy(sum, from, sizeof(double) * count);
      isLeaf = 0;
      MPI_Reduce_local(theirs, sum, count, MPI_DOUBLE, MPI_SUM);
    }
  }
  if (parent >= 0)
    MPI_Send(isLeaf ? from : sum, count, MPI_DOUBLE, parent, Tag, MPI_COMM_WORLD);
  if (rank != 0)
    free(sum);
  free(theirs);
}
