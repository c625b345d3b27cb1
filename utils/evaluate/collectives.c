// What a collective takes, as the OSU micro-benchmarks measure it: a barrier, then the call, on all
// ranks of MPI_COMM_WORLD. For a simulated cluster, where each call of a kind takes the same time.
//
// usage: collectives NAME:BYTES[:ALGORITHM]...
//
// prints for each: mean over ranks, slowest rank, in microseconds. ALGORITHM is one of MPICH's that
// SMPI has not (mpich.h), or two calls of MPI in place of one; without it MPI itself chooses.
//
// BYTES are of doubles: what a rank gives, as OSU counts; of Reduce_scatter all blocks together.
// Buffers are shared by all ranks (SMPI), as their contents do not matter.
#include "mpich.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static double *from, *into;
static int *counts, *starts;

typedef void Call(int count);

static void barrier(int count) {
  (void)count;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void allgather(int count) {
  MPI_Allgather(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void allreduce(int count) {
  MPI_Allreduce(from, into, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void alltoall(int count) {
  MPI_Alltoall(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void bcast(int count) { MPI_Bcast(from, count, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
static void gather(int count) {
  MPI_Gather(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void reduce(int count) {
  MPI_Reduce(from, into, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void reduce_scatter(int count) {
  for (int r = 0; r < size; ++r)
    counts[r] = count / size + (r < count % size);
  MPI_Reduce_scatter(from, into, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void scatter(int count) {
  MPI_Scatter(from, count, MPI_DOUBLE, into, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void binomial(int count) { binomialScatter(from, into, count); }
static void knomial4(int count) { knomialReduce(from, into, count, 4); }
static void knomial8(int count) { knomialReduce(from, into, count, 8); }
static void reduceBcast(int count) {
  MPI_Reduce(from, into, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Bcast(into, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void reduceScatterv(int count) {
  knomialReduce(from, into, count, 8);
  starts[0] = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = count / size + (r < count % size);
    starts[r + 1] = starts[r] + counts[r];
  }
  MPI_Scatterv(into, counts, starts, MPI_DOUBLE, from, counts[rank], MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
}

static const struct {
  const char *kind, *name;
  Call *call;
} algorithms[] = {{"scatter", "binomial", binomial},
                  {"reduce", "knomial4", knomial4},
                  {"reduce", "knomial8", knomial8},
                  {"allreduce", "reduce+bcast", reduceBcast},
                  {"reduce_scatter", "reduce+scatterv", reduceScatterv}};

static const struct {
  const char *name;
  Call *call;
  int rankedFrom, rankedInto; // does the buffer have a block for each rank
} kinds[] = {{"allgather", allgather, 0, 1}, {"allreduce", allreduce, 0, 0},
             {"alltoall", alltoall, 1, 1},   {"barrier", barrier, 0, 0},
             {"bcast", bcast, 0, 0},         {"gather", gather, 0, 1},
             {"reduce", reduce, 0, 0},       {"reduce_scatter", reduce_scatter, 0, 0},
             {"scatter", scatter, 1, 0}};

// Of the second call: the first sets up what MPI keeps.
static double timeOf(Call *call, int count) {
  double begin = 0;
  for (int c = 0; c < 2; ++c) {
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    call(count);
  }
  return (MPI_Wtime() - begin) * 1e6;
}

static Call *named(const char *kind, const char *name) {
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; ++a)
    if (strcmp(algorithms[a].kind, kind) == 0 && strcmp(algorithms[a].name, name) == 0)
      return algorithms[a].call;
  return NULL;
}

struct Wanted {
  size_t kind;
  Call *call;
  long bytes;
};

static int parse(char *text, struct Wanted *wanted) {
  const char *name = strtok(text, ":"), *bytes = strtok(NULL, ":"), *algorithm = strtok(NULL, ":");
  if (!name || !bytes)
    return 0;
  const size_t known = sizeof kinds / sizeof *kinds;
  for (wanted->kind = 0; wanted->kind < known; ++wanted->kind)
    if (strcmp(kinds[wanted->kind].name, name) == 0)
      break;
  if (wanted->kind == known)
    return 0;
  wanted->call = algorithm ? named(name, algorithm) : kinds[wanted->kind].call;
  wanted->bytes = atol(bytes);
  return wanted->call && wanted->bytes >= 0;
}

static void measure(const struct Wanted *wanted) {
  const size_t block = (size_t)wanted->bytes + sizeof(double);
  from = SMPI_SHARED_MALLOC(kinds[wanted->kind].rankedFrom ? block * size : block);
  into = SMPI_SHARED_MALLOC(kinds[wanted->kind].rankedInto ? block * size : block);
  const double mine = timeOf(wanted->call, (int)(wanted->bytes / (long)sizeof(double)));
  double sum = 0, most = 0;
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.3f %.3f\n", sum / size, most);
  SMPI_SHARED_FREE(from);
  SMPI_SHARED_FREE(into);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  counts = malloc(sizeof *counts * size);
  starts = malloc(sizeof *starts * (size + 1));
  for (int a = 1; a < argc; ++a) {
    struct Wanted wanted;
    char *text = strdup(argv[a]);
    if (!parse(text, &wanted)) {
      if (rank == 0)
        fprintf(stderr, "usage: collectives NAME:BYTES[:ALGORITHM]...; found %s\n", argv[a]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    measure(&wanted);
    free(text);
  }
  free(counts);
  free(starts);
  MPI_Finalize();
  return 0;
}
