/* Heat in a rod, cut among MPI ranks: a stencil whose steps take ranks differently long. While a
 * rank waits for the others it analyses its part of the field in situ, a piece at a time, until the
 * switch says stop (docs/control.md).
 *
 * usage: stencil STEPS MODE [MICROSECONDS]   MODE: none, deadline, last
 *
 * Prints the sum of the field, which is the same in all modes; with MODE not none also what was
 * done in the time that would have been waited. Without a switch it runs as with none. */
#include "runtime/host/control/acis_control.h"
#include "runtime/host/mpi/acis_mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the library that acis-mpirun loads; without it these are not there. */
#pragma weak ACIS_Control_open
#pragma weak acis_control_begin
#pragma weak acis_control_end
#pragma weak acis_control_extra
#pragma weak acis_control_look
#pragma weak acis_control_close

enum { Cells = 4096, Piece = 2048, Bins = 32 };

static double field[Cells + 2], next[Cells + 2];
static unsigned rank, ranks;

/* In situ: a histogram of the field, a piece after the other, over and over. */
static struct {
  size_t at;
  unsigned long bins[Bins], pieces;
} analysis;

static int analyse(void *unused) {
  (void)unused;
  for (size_t i = analysis.at; i < analysis.at + Piece; ++i) {
    const double value = fmin(fmax(field[i + 1], 0), 0.999);
    ++analysis.bins[(size_t)(value * Bins)];
  }
  analysis.at = (analysis.at + Piece) % Cells;
  ++analysis.pieces;
  return 1;
}

static void exchange(void) {
  const int left = rank == 0 ? MPI_PROC_NULL : (int)rank - 1;
  const int right = rank + 1 == ranks ? MPI_PROC_NULL : (int)rank + 1;
  MPI_Sendrecv(&field[1], 1, MPI_DOUBLE, left, 0, &field[Cells + 1], 1, MPI_DOUBLE, right, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&field[Cells], 1, MPI_DOUBLE, right, 1, &field[0], 1, MPI_DOUBLE, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void relax(void) {
  for (size_t i = 1; i <= Cells; ++i)
    next[i] = field[i] + 0.25 * (field[i - 1] - 2 * field[i] + field[i + 1]);
  memcpy(field + 1, next + 1, Cells * sizeof field[0]);
}

/* Who has more to do differs from step to step, as in programs whose work follows what they model.
 */
static double seconds_of(unsigned step, double unit) {
  unsigned h = (step * 2654435761u) ^ (rank * 40503u);
  h = (h ^ (h >> 13)) * 2246822519u;
  return unit * (1 + (h >> 16) % 8);
}

static void work_for(double seconds) {
  const double end = MPI_Wtime() + seconds;
  relax();
  for (volatile double sink = 0; MPI_Wtime() < end;)
    for (int i = 0; i < 200; ++i)
      sink = sink + sqrt(i);
}

static acis_control *open_group(const char *mode) {
  if (strcmp(mode, "none") == 0)
    return NULL;
  const acis_control_policy policy = {
      .staleness = ACIS_UNBOUNDED, /* the Allreduce of each step keeps ranks together */
      .extra = strcmp(mode, "last") == 0 ? ACIS_EXTRA_LAST_ARRIVAL : ACIS_EXTRA_DEADLINE,
      .utility = 0.9,
      .every = 8,
      .timeout = 60,
  };
  const char *error = "no library of ACiS is loaded";
  acis_control *group =
      ACIS_Control_open ? ACIS_Control_open(MPI_COMM_WORLD, &policy, &error) : NULL;
  if (!group && rank == 0)
    fprintf(stderr, "stencil: %s; goes on without control\n", error);
  return group;
}

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "stencil: rank %u: %s\n", rank, problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int number;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  rank = (unsigned)number;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  ranks = (unsigned)number;
  const unsigned steps = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
  const char *mode = argc > 2 ? argv[2] : "none";
  const double unit = 1e-6 * (argc > 3 ? atof(argv[3]) : 200);

  for (size_t i = 1; i <= Cells; ++i)
    field[i] = (i * 7 + rank * 3) % 64 / 64.0;
  acis_control *group = open_group(mode);
  double worked = 0, extra = 0, left = 0;
  unsigned long late = 0;
  const double start = MPI_Wtime();
  for (unsigned step = 0; step < steps; ++step) {
    exchange();
    const double begun = MPI_Wtime();
    if (group)
      check(acis_control_begin(group, step));
    work_for(seconds_of(step, unit));
    worked += MPI_Wtime() - begun;
    if (group) {
      acis_extra_work done;
      check(acis_control_end(group, step));
      check(acis_control_extra(group, analyse, NULL, &done));
      extra += done.seconds;
      late += done.overruns;
    }
    double heat = 0;
    for (size_t i = 1; i <= Cells; ++i)
      heat += field[i];
    MPI_Allreduce(&heat, &left, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  const double whole = MPI_Wtime() - start;
  if (group)
    acis_control_close(group);

  const double mine[4] = {worked / whole, extra / whole, (double)analysis.pieces, (double)late};
  double sums[4];
  MPI_Reduce(mine, sums, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("heat %.12g after %u steps on %u ranks\n", left, steps, ranks);
    printf("work %.1f %%", 100 * sums[0] / ranks);
    if (group)
      printf(", extra work %.1f %% of the time: %.0f pieces, of which %.0f ended after the signal",
             100 * sums[1] / ranks, sums[2], sums[3]);
    printf(", in %.3f s\n", whole);
  }
  MPI_Finalize();
  return 0;
}
