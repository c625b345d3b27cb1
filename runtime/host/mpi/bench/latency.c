/* Latency of collectives as the OSU micro-benchmarks take it: each call is timed on each
 * rank, with a barrier between calls that is not; the figure is the mean over ranks. Given
 * are the mean and the median over calls, which differ where the machine is busy, and what
 * a call costs a rank in processor time, the barriers taken off.
 *
 * usage: latency <largest bytes>|=<bytes> [seconds for each figure [collective [calls]]]
 * Prints one line a figure: collective, bytes, mean and median microseconds, microseconds
 * of processor time, calls; "end" when all is measured. With a number of calls: collective,
 * bytes, and what so many calls in a row (fewer where they would take more than the seconds)
 * have cost: packets and bytes on the loopback device (of all processes of its network
 * namespace), microseconds of a rank's processor time; calls that were measured, calls in all. */
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

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { MaxCalls = 65536 };
static double times[MaxCalls];

/* Seconds of processor time of `calls` barriers. */
static double costOfBarriers(int calls) {
  const double before = processorTime();
  for (int i = 0; i < calls; ++i)
    MPI_Barrier(MPI_COMM_WORLD);
  return processorTime() - before;
}

/* Makes `calls` calls; mean and median time, and processor time of all. */
static void take(int collective, int bytes, int calls, double figures[3]) {
  double sum = 0;
  const double before = processorTime();
  for (int i = 0; i < calls; ++i) {
    const double start = MPI_Wtime();
    run(collective, bytes);
    times[i] = MPI_Wtime() - start;
    sum += times[i];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  figures[2] = processorTime() - before - costOfBarriers(calls);
  qsort(times, (size_t)calls, sizeof times[0], ascending);
  figures[0] = sum / calls;
  figures[1] = times[calls / 2];
}

static void measure(int collective, int bytes, double seconds) {
  int rank, calls = 4;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double figures[3], means[3];
  for (;; calls *= 4) {
    run(collective, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    take(collective, bytes, calls, figures);
    /* Rank 0 decides, so that all ranks make the same calls. */
    int more = MPI_Wtime() - start < seconds && calls < MaxCalls;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!more)
      break;
  }
  MPI_Allreduce(figures, means, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %d %.3f %.3f %.3f %d\n", names[collective], bytes, 1e6 * means[0] / size,
           1e6 * means[1] / size, 1e6 * means[2] / size / calls, calls);
  fflush(stdout);
}

/* Processes that have just started together share cores, and what polls backs off for a while. */
static void warmUp(double seconds) {
  const double start = MPI_Wtime();
  for (int more = 1; more;) {
    for (int i = 0; i < 8; ++i)
      MPI_Barrier(MPI_COMM_WORLD);
    more = MPI_Wtime() - start < seconds;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD); /* rank 0 decides */
  }
}

static void measureAll(int largest, int onlyThat, double seconds, const char *only) {
  warmUp(0.4);
  for (int collective = 0; collective < 11; ++collective) {
    if (only && strcmp(only, names[collective]) != 0)
      continue;
    if (collective == 10)
      measure(collective, 0, seconds);
    else if (onlyThat)
      measure(collective, largest, seconds);
    else
      for (int i = 0; i < 7 && sizes[i] <= largest; ++i)
        measure(collective, sizes[i], seconds);
  }
}

/* Packets and bytes that the loopback device has carried. */
static void carried(long long counts[2]) {
  char line[512];
  FILE *file = fopen("/proc/net/dev", "r");
  counts[0] = counts[1] = 0;
  while (file && fgets(line, sizeof line, file))
    sscanf(line, " lo: %lld %lld", &counts[1], &counts[0]);
  if (file)
    fclose(file);
}

/* Calls that fit into the time, at most `calls`; the same on all ranks. */
static int thatFit(int collective, int bytes, int calls, double seconds, int *made) {
  int tried = calls < 4 ? calls : 4;
  const double start = MPI_Wtime();
  for (int i = 0; i < tried; ++i)
    run(collective, bytes);
  const double each = tried ? (MPI_Wtime() - start) / tried : 0;
  *made = tried;
  int fit = each * calls > seconds ? 1 + (int)(seconds / each) : calls;
  MPI_Bcast(&fit, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fit;
}

/* Prints what the loopback device has carried for so many calls and a barrier. */
static void count(int bytes, const char *name, int calls, double seconds) {
  long long before[2], after[2];
  int rank, collective = 0, made;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while (collective < 10 && strcmp(name, names[collective]) != 0)
    ++collective;
  calls = thatFit(collective, bytes, calls, seconds, &made);
  MPI_Barrier(MPI_COMM_WORLD);
  carried(before);
  MPI_Barrier(MPI_COMM_WORLD);
  const double processor = processorTime();
  for (int i = 0; i < calls; ++i)
    run(collective, bytes);
  double cost = processorTime() - processor, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  carried(after);
  MPI_Reduce(&cost, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %d %lld %lld %.3f %d %d\n", names[collective], bytes, after[0] - before[0],
           after[1] - before[1], 1e6 * sum / size, calls, calls + made);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int onlyThat = argc > 1 && argv[1][0] == '=';
  const int largest = argc > 1 ? atoi(argv[1] + onlyThat) : 4096;
  const double seconds = argc > 2 ? atof(argv[2]) : 0.05;
  in = calloc((size_t)largest, (size_t)size);
  out = calloc((size_t)largest, (size_t)size);
  if (argc > 4)
    count(largest, argv[3], atoi(argv[4]), seconds);
  else
    measureAll(largest, onlyThat, seconds, argc > 3 ? argv[3] : NULL);
  if (rank == 0) {
    printf("end\n");
    fflush(stdout);
  }
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
