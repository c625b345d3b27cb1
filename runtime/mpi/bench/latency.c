/* Latency of collectives as the OSU micro-benchmarks take it: the mean time of a call over
 * many, averaged over the ranks. Also what a call costs the ranks in processor time.
 *
 * usage: latency <largest bytes> [seconds for each figure]
 * Prints one line a figure: collective, bytes, microseconds, microseconds of processor
 * time a rank, calls. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static char *in, *out;
static int size;

static void run(int collective, int bytes) {
  const int floats = bytes / 4;
  switch (collective) {
  case 0:
    MPI_Allreduce(in, out, floats, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return;
  case 1:
    MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return;
  case 2:
    MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
    return;
  case 3:
    MPI_Reduce(in, out, floats, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    return;
  case 4:
    MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return;
  case 5:
    MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return;
  case 6:
    MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
    return;
  case 7:
    MPI_Reduce_scatter_block(in, out, floats, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return;
  case 8:
    MPI_Scan(in, out, floats, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return;
  case 9:
    MPI_Exscan(in, out, floats, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return;
  default:
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static const int sizes[] = {4, 64, 1024, 4096, 16384, 262144, 4194304};
static const char *const names[] = {"Allreduce", "Bcast",   "Allgather", "Reduce",
                                    "Gather",    "Scatter", "Alltoall",  "Reduce_scatter_block",
                                    "Scan",      "Exscan",  "Barrier"};

static double processorTime(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
         1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void measure(int collective, int bytes, double seconds) {
  int rank, calls = 4;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double figures[2], means[2];
  for (;;) {
    run(collective, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), processor = processorTime();
    for (int i = 0; i < calls; ++i)
      run(collective, bytes);
    figures[0] = MPI_Wtime() - start;
    figures[1] = processorTime() - processor;
    MPI_Allreduce(figures, means, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    /* Rank 0 decides, so that all ranks make the same calls. */
    int more = means[0] / size < seconds && calls < 100000;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!more)
      break;
    calls *= 4;
  }
  if (rank == 0)
    printf("%s %d %.3f %.3f %d\n", names[collective], bytes, 1e6 * means[0] / size / calls,
           1e6 * means[1] / size / calls, calls);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int largest = argc > 1 ? atoi(argv[1]) : 4096;
  const double seconds = argc > 2 ? atof(argv[2]) : 0.05;
  in = calloc((size_t)largest, (size_t)size);
  out = calloc((size_t)largest, (size_t)size);
  for (int collective = 0; collective < 11; ++collective) {
    if (collective == 10)
      measure(collective, 0, seconds);
    else
      for (int i = 0; i < 7 && sizes[i] <= largest; ++i)
        measure(collective, sizes[i], seconds);
  }
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
