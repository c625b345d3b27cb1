// How late each rank comes to each collective of all ranks: what acis-sim takes as --lateness.
//
//   mpicc -shared -fPIC -O1 utils/evaluate/arrivals.c -o libarrivals.so
//   ARRIVALS=late.txt mpirun -x LD_PRELOAD=./libarrivals.so -n 8 ./program
//
// or linked into the program. At MPI_Finalize rank 0 writes a line for each call, in order:
// microseconds after the first rank, for each rank. Clocks of ranks are compared at MPI_Init, by the
// fastest of some exchanges with rank 0. Calls on communicators of fewer ranks are left out; in
// programs whose ranks disagree on their number, lines after the last common one, too.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Tag = 72, Exchanges = 50 };

static double offset; // to rank 0's clock
static double *times;
static size_t calls, room;

// Half of what the fastest exchange takes is the way of the answer.
static double compareWith(int other) {
  double best = 1e30, found = 0, theirs;
  for (int e = 0; e < Exchanges; ++e) {
    const double begin = PMPI_Wtime();
    PMPI_Send(&begin, 1, MPI_DOUBLE, other, Tag, MPI_COMM_WORLD);
    PMPI_Recv(&theirs, 1, MPI_DOUBLE, other, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double end = PMPI_Wtime();
    if (end - begin < best) {
      best = end - begin;
      found = theirs - (begin + end) / 2;
    }
  }
  return found;
}

static void answer(int other) {
  double theirs;
  for (int e = 0; e < Exchanges; ++e) {
    PMPI_Recv(&theirs, 1, MPI_DOUBLE, other, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double mine = PMPI_Wtime();
    PMPI_Send(&mine, 1, MPI_DOUBLE, other, Tag, MPI_COMM_WORLD);
  }
}

static void compareClocks(void) {
  int rank, size;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0)
    offset = compareWith(0);
  for (int other = 1; rank == 0 && other < size; ++other)
    answer(other);
}

static void comes(MPI_Comm comm) {
  int all, size;
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS || size != all)
    return;
  if (calls == room) {
    double *more = realloc(times, sizeof *times * (room = 2 * room + 1024));
    if (!more) {
      room = calls; // the rest is not traced
      return;
    }
    times = more;
  }
  times[calls++] = PMPI_Wtime() + offset;
}

static void writeAll(const double *all, unsigned long common, int size) {
  const char *path = getenv("ARRIVALS");
  FILE *file = fopen(path ? path : "arrivals.txt", "w");
  if (!file) {
    fprintf(stderr, "arrivals: cannot write %s\n", path ? path : "arrivals.txt");
    return;
  }
  for (unsigned long c = 0; c < common; ++c) {
    double first = 1e300;
    for (int r = 0; r < size; ++r)
      if (all[r * common + c] < first)
        first = all[r * common + c];
    for (int r = 0; r < size; ++r)
      fprintf(file, "%s%.3f", r ? " " : "", (all[r * common + c] - first) * 1e6);
    fprintf(file, "\n");
  }
  fclose(file);
}

static void report(void) {
  int rank, size;
  unsigned long mine = calls, common = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Allreduce(&mine, &common, 1, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
  double *all = rank == 0 ? malloc(sizeof *all * (common * size + 1)) : NULL;
  PMPI_Gather(times, (int)common, MPI_DOUBLE, all, (int)common, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0 && all)
    writeAll(all, common, size);
  free(all);
  free(times);
}

int MPI_Init(int *argc, char ***argv) {
  const int code = PMPI_Init(argc, argv);
  compareClocks();
  return code;
}

int MPI_Init_thread(int *argc, char ***argv, int asked, int *given) {
  const int code = PMPI_Init_thread(argc, argv, asked, given);
  compareClocks();
  return code;
}

int MPI_Finalize(void) {
  report();
  return PMPI_Finalize();
}

#define TRACED(Name, Parameters, ...)                                                              \
  int MPI_##Name Parameters {                                                                      \
    comes(comm);                                                                                   \
    return PMPI_##Name(__VA_ARGS__);                                                               \
  }

TRACED(Barrier, (MPI_Comm comm), comm)
TRACED(Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm), data, n, type, root,
       comm)
TRACED(Reduce,
       (const void *from, void *into, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
       from, into, n, type, op, root, comm)
TRACED(Allreduce, (const void *from, void *into, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
       from, into, n, type, op, comm)
TRACED(Reduce_scatter,
       (const void *from, void *into, const int *ns, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
       from, into, ns, type, op, comm)
TRACED(Gather,
       (const void *from, int n, MPI_Datatype type, void *into, int m, MPI_Datatype to, int root,
        MPI_Comm comm),
       from, n, type, into, m, to, root, comm)
TRACED(Scatter,
       (const void *from, int n, MPI_Datatype type, void *into, int m, MPI_Datatype to, int root,
        MPI_Comm comm),
       from, n, type, into, m, to, root, comm)
TRACED(Allgather,
       (const void *from, int n, MPI_Datatype type, void *into, int m, MPI_Datatype to,
        MPI_Comm comm),
       from, n, type, into, m, to, comm)
TRACED(Alltoall,
       (const void *from, int n, MPI_Datatype type, void *into, int m, MPI_Datatype to,
        MPI_Comm comm),
       from, n, type, into, m, to, comm)
