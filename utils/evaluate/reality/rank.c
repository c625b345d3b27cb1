// One rank of a job on a running switch: what collectives take whose ranks begin at the same
// instant, as acis-sim --together has it. All ranks are on one machine, so they share a clock.
//
// usage: rank SWITCH JOB RANK SIZE CALLS NAME:BYTES...
//
// prints a line for each call, "MICROSECONDS LATE": from the common begin, and by how much this
// rank began later, which a busy machine does. BYTES are of a rank's block, of doubles. The sums
// are checked: a wrong one ends the rank with an error.
#include "runtime/host/client/acis_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// For the last rank to hear when to begin, and for links to fall silent that carry 100 Mb/s: ns,
// and ns for each byte that a host gives or gets.
enum { Margin = 50000000, MarginOfByte = 1000 };

static acis_session *session;
static unsigned rank, size;

static void check(const char *error) {
  if (!error)
    return;
  fprintf(stderr, "rank %u: error: %s\n", rank, error);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The same instant on all ranks, after each has said that it is here.
static int64_t together(uint64_t bytes) {
  int64_t mine = now(), last = 0;
  acis_collective latest = {.kind = ACIS_ALLREDUCE, .op = ACIS_MAX, .type = ACIS_INT64, .count = 1};
  latest.send = &mine;
  latest.recv = &last;
  // Twice, as the first may be held up by what an earlier call has left on the links.
  for (int turn = 0; turn < 2; ++turn) {
    mine = now() + Margin + (int64_t)bytes * MarginOfByte;
    check(acis_run(session, &latest, 60));
  }
  const struct timespec at = {last / 1000000000LL, last % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0)
    ;
  return last;
}

static const struct {
  const char *name;
  enum acis_kind kind;
} kinds[] = {{"allgather", ACIS_ALLGATHER}, {"allreduce", ACIS_ALLREDUCE},
             {"alltoall", ACIS_ALLTOALL},   {"barrier", ACIS_BARRIER},
             {"bcast", ACIS_BCAST},         {"gather", ACIS_GATHER},
             {"reduce", ACIS_REDUCE},       {"scatter", ACIS_SCATTER}};

static void verify(const acis_collective *call, const double *into) {
  if (call->kind != ACIS_ALLREDUCE && (call->kind != ACIS_REDUCE || rank != 0))
    return;
  for (uint64_t i = 0; i < call->count; ++i)
    if (into[i] != size)
      check("a sum is wrong");
}

static void measure(const char *name, uint64_t bytes, int calls) {
  acis_collective call = {.op = ACIS_SUM, .type = ACIS_FLOAT64, .count = bytes / sizeof(double)};
  size_t k = 0;
  while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].name, name) != 0)
    ++k;
  if (k == sizeof kinds / sizeof *kinds)
    check("no such collective");
  call.kind = kinds[k].kind;
  const int isBlocks = call.kind == ACIS_GATHER || call.kind == ACIS_ALLGATHER ||
                       call.kind == ACIS_SCATTER || call.kind == ACIS_ALLTOALL;
  const size_t room = (size_t)call.count * (isBlocks ? size : 1) + 1;
  double *from = malloc(room * sizeof *from), *into = malloc(room * sizeof *into);
  for (size_t i = 0; i < room; ++i)
    from[i] = into[i] = 1;
  call.send = from;
  call.recv = call.kind == ACIS_BCAST ? from : into;
  for (int c = 0; c <= calls; ++c) { // the first warms up
    const int64_t begin = together(room * sizeof *from), late = now() - begin;
    check(acis_run(session, &call, 60));
    const double time = (double)(now() - begin) / 1e3;
    verify(&call, into);
    if (c > 0)
      printf("%.1f %.1f\n", time, (double)late / 1e3);
  }
  free(from);
  free(into);
}

int main(int argc, char **argv) {
  if (argc < 7) {
    fprintf(stderr, "usage: rank SWITCH JOB RANK SIZE CALLS NAME:BYTES...\n");
    return 1;
  }
  rank = (unsigned)atoi(argv[3]);
  size = (unsigned)atoi(argv[4]);
  const char *error = NULL;
  if (!(session = acis_open(argv[1], (uint32_t)atoi(argv[2]), "", rank, size, &error)))
    check(error);
  uint32_t *all = malloc(size * sizeof *all);
  for (uint32_t r = 0; r < size; ++r)
    all[r] = r;
  check(acis_add_communicator(session, 0, all, size));
  free(all);
  for (int a = 6; a < argc; ++a) {
    char name[32] = "";
    unsigned long long bytes = 0;
    if (sscanf(argv[a], "%31[a-z_]:%llu", name, &bytes) != 2)
      check("expected NAME:BYTES");
    measure(name, bytes, atoi(argv[5]));
  }
  acis_close(session);
  return 0;
}
