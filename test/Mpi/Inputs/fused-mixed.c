// Random chains of collectives whose ranks take different ways: plain, fused, fused with another
// op, fused without a program for the switch. Prints what the ranks got, which must not depend on
// the ways.
// With `wrong`, the last rank calls plainly what does not match the others' first collective.
// usage: fused-mixed CHAINS SEED plain|mixed|wrong
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 48
#define CHAINS(way)                                                                                \
  void way##_allreduce(int *, int *);                                                              \
  void way##_bcast(int *, int *);                                                                  \
  void way##_scan(int *, int *);                                                                   \
  void way##_one(int *, int *);
#define TABLE(way) {way##_allreduce, way##_bcast, way##_scan, way##_one}

CHAINS(plain)
CHAINS(fused)
CHAINS(other)
CHAINS(declined)

typedef void (*Chain)(int *, int *);
static const Chain chains[4][4] = {TABLE(plain), TABLE(fused), TABLE(other), TABLE(declined)};

static unsigned mix(unsigned a, unsigned b, unsigned c) {
  unsigned h = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}

/// A third of the chains is fused on all ranks, some are so on all but one.
static int wayOf(unsigned seed, unsigned chain, int rank, int size) {
  const unsigned kind = mix(seed, chain, 1000) % 3;
  if (kind == 0)
    return 1;
  if (kind == 1)
    return (int)(mix(seed, chain, 2000) % (unsigned)size) == rank
               ? (int)(mix(seed, chain, 3000) % 4)
               : 1;
  return (int)(mix(seed, chain, (unsigned)rank) % 4);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const unsigned count = (unsigned)atoi(argv[1]), seed = (unsigned)atoi(argv[2]);
  const int isMixed = strcmp(argv[3], "mixed") == 0;
  if (rank == 0) {
    printf("begun\n");
    fflush(stdout);
  }
  if (strcmp(argv[3], "wrong") == 0) {
    int mine[N] = {0}, total[N];
    if (rank < size - 1)
      fused_allreduce(mine, total);
    else
      MPI_Allreduce(mine, total, N - 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  unsigned *seen = calloc(count, sizeof *seen), *all = calloc(count * (unsigned)size, sizeof *all);
  for (unsigned i = 0; i < count; ++i) {
    int mine[N], total[N] = {0};
    for (unsigned e = 0; e < N; ++e)
      mine[e] = (int)(mix(seed + i, (unsigned)rank, e) % 1000);
    const int way = isMixed ? wayOf(seed, i, rank, size) : 0;
    chains[way][mix(seed, i, 4000) % 4](mine, total);
    for (unsigned e = 0; e < N; ++e)
      seen[i] = mix(seen[i], (unsigned)total[e], (unsigned)mine[e]);
  }
  MPI_Gather(seen, (int)count, MPI_UNSIGNED, all, (int)count, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  for (unsigned i = 0; rank == 0 && i < count * (unsigned)size; ++i)
    printf("rank %u chain %u: %u\n", i / count, i % count, all[i]);
  MPI_Finalize();
  return 0;
}
