/* How long a signal takes: from the last rank's arrival until the last other rank has heard it,
 * against a Bcast of 4 bytes from that rank. All ranks on one machine, whose clock they share; run
 * by acis-mpirun.
 *
 * usage: signal ROUNDS [PAUSE]   PAUSE: microseconds that a rank sleeps between two looks; without,
 *                                it only offers its core
 *
 * Prints p50 and p99 of each, in microseconds. */
#include "runtime/host/control/acis_control.h"
#include "runtime/host/mpi/acis_mpi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#pragma weak ACIS_Control_open
#pragma weak acis_control_begin
#pragma weak acis_control_end
#pragma weak acis_control_look
#pragma weak acis_control_close

static int rank;
static unsigned pause_us;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int later(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "signal: rank %d: %s\n", rank, problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Others are there first. */
static double after_others(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (const double until = now() + 300; now() < until;)
      ;
  return now();
}

static double by_signal(acis_control *group, unsigned round) {
  check(acis_control_begin(group, round));
  const double begun = after_others();
  check(acis_control_end(group, round));
  acis_control_state state = {0};
  while (rank != 0 && state.signalled <= round) {
    check(acis_control_look(group, &state));
    if (pause_us)
      usleep(pause_us);
    else
      sched_yield(); /* as waits in collectives do: the switch may share the core */
  }
  return rank == 0 ? begun : now();
}

static double by_bcast(unsigned round) {
  const double begun = after_others();
  MPI_Bcast(&round, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  return rank == 0 ? begun : now();
}

/* From rank 0's moment to the last of the others'. */
static double spread(double moment) {
  double begun = moment, last = 0, mine = rank == 0 ? 0 : moment;
  MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return last - begun;
}

static void print(const char *name, double *times, unsigned rounds) {
  qsort(times, rounds, sizeof *times, later);
  if (rank == 0)
    printf("%s %.1f %.1f\n", name, times[rounds / 2], times[rounds - 1 - rounds / 100]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
  pause_us = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
  const acis_control_policy policy = {.staleness = ACIS_UNBOUNDED,
                                      .extra = ACIS_EXTRA_LAST_ARRIVAL};
  const char *error = "run it by acis-mpirun";
  acis_control *group =
      ACIS_Control_open ? ACIS_Control_open(MPI_COMM_WORLD, &policy, &error) : NULL;
  if (!group)
    check(error);
  double *signals = calloc(rounds, sizeof *signals), *bcasts = calloc(rounds, sizeof *bcasts);
  for (unsigned round = 0; round < rounds; ++round) { /* in turn, so that both meet the same load */
    signals[round] = spread(by_signal(group, round));
    bcasts[round] = spread(by_bcast(round));
  }
  acis_control_close(group);
  print("signal", signals, rounds);
  print("bcast", bcasts, rounds);
  free(signals);
  free(bcasts);
  MPI_Finalize();
  return 0;
}
