/* usage: near-bench NODE[,NODE...] SUM.acis REPEATS
 *
 * What a launch costs beside a GET, and the sum of 8 to 2^21 integers (Heinz and Koch, Fig. 7): fetched
 * and added here, and added on the first node and on all of them, with the partial sums fetched at the
 * same time and one after the other. SUM.acis has mpi_sum_local of examples/near-data/sum.c. Times are
 * means in microseconds of wall-clock time. */
#include "runtime/host/near/acis_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 21 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "near-bench: error: %s\n", problem);
    exit(1);
  }
}

/* A communicator with a block of numbers and one for results. */
struct side {
  acis_near *near;
  acis_near_function *sum;
  acis_near_block *numbers, *result;
};

static struct side open_side(const char *nodes, uint32_t job, const char *path) {
  struct side side = {0};
  const char *error = NULL;
  char *binary = malloc(1 << 20);
  FILE *file = fopen(path, "rb");
  size_t size;
  if (!file || !binary) {
    fprintf(stderr, "near-bench: error: %s: cannot be read\n", path);
    exit(1);
  }
  size = fread(binary, 1, 1 << 20, file);
  fclose(file);
  side.near = acis_near_open(nodes, job, "", 0, 1, &error);
  check(error);
  check(acis_near_load(side.near, binary, size, "mpi_sum_local", 4, 4, &side.sum));
  check(acis_near_alloc(side.near, 4 * (uint64_t)MOST, &side.numbers));
  check(acis_near_alloc(side.near, 8, &side.result));
  free(binary);
  return side;
}

static int sum_there(const struct side *side, uint32_t each, int in_turn) {
  acis_near_request request;
  int sums[64] = {0}, total = 0;
  check(acis_near_local_reduce(side->near, side->sum, side->numbers, NULL, side->result, each,
                               &request));
  check(acis_near_wait(side->near, request, NULL));
  check((in_turn ? acis_near_gather_in_turn : acis_near_gather)(side->near, side->result, sums, 4));
  for (unsigned i = 0; i < acis_near_nodes(side->near); i++)
    total = (int)((unsigned)total + (unsigned)sums[i]);
  return total;
}

static int sum_here(const struct side *side, int *buffer, uint32_t count) {
  unsigned total = 0;
  check(acis_near_get(side->near, 0, side->numbers, 0, buffer, 4 * (uint64_t)count, 1, 0));
  for (uint32_t i = 0; i < count; i++)
    total += (unsigned)buffer[i];
  return (int)total;
}

int main(int argc, char **argv) {
  static int data[MOST], buffer[MOST];
  const long repeats = argc == 4 ? atol(argv[3]) : 0;
  char first[256];
  struct side one, all;
  double start;
  unsigned nodes;
  if (repeats < 1 || strcspn(argv[1], ",") >= sizeof first) {
    fprintf(stderr, "usage: near-bench NODE[,NODE...] SUM.acis REPEATS\n");
    return 1;
  }
  snprintf(first, sizeof first, "%.*s", (int)strcspn(argv[1], ","), argv[1]);
  one = open_side(first, 1, argv[2]);
  all = open_side(argv[1], 2, argv[2]);
  nodes = acis_near_nodes(all.near);
  if (nodes > 64) {
    fprintf(stderr, "near-bench: error: %u nodes; at most 64 are allowed\n", nodes);
    return 1;
  }
  for (uint32_t i = 0; i < MOST; i++)
    data[i] = (int)(i * 2654435761u);
  check(acis_near_bcast(one.near, data, one.numbers, sizeof data));

  double launch, get;
  start = now();
  for (long i = 0; i < repeats; i++)
    check(acis_near_get(one.near, 0, one.numbers, 0, buffer, 8, 1, 0));
  get = (now() - start) / (double)repeats;
  start = now();
  for (long i = 0; i < repeats; i++) {
    acis_near_request request;
    check(acis_near_local_reduce(one.near, one.sum, one.numbers, NULL, one.result, 1, &request));
    check(acis_near_wait(one.near, request, NULL));
  }
  launch = (now() - start) / (double)repeats;
  printf("GET of 8 bytes %.1f us, launch on 1 element %.1f us, ratio %.2f; means of %ld\n", get, launch,
         launch / get, repeats);

  printf("%9s %10s %10s %10s %10s\n", "integers", "fetched", "1 node", "all", "in turn");
  for (uint32_t count = 8; count <= MOST; count *= 4) {
    const uint32_t each = count / nodes;
    const long turns = 1 + repeats / (1 + (long)count / 8);
    double time[4] = {0};
    int wrong = 0, expected = 0;
    for (uint32_t i = 0; i < each * nodes; i++)
      expected = (int)((unsigned)expected + (unsigned)data[i]);
    check(acis_near_scatter(all.near, data, all.numbers, 4 * (uint64_t)each));
    for (long t = 0; t < turns; t++)
      for (int way = 0; way < 4; way++) {
        int sum;
        start = now();
        sum = way == 0   ? sum_here(&one, buffer, each * nodes)
              : way == 1 ? sum_there(&one, each * nodes, 0)
                         : sum_there(&all, each, way == 3);
        time[way] += now() - start;
        wrong += sum != expected;
      }
    printf("%9u %10.1f %10.1f %10.1f %10.1f%s\n", each * nodes, time[0] / (double)turns,
           time[1] / (double)turns, time[2] / (double)turns, time[3] / (double)turns,
           wrong ? " WRONG" : "");
    if (wrong)
      return 1;
  }
  acis_near_close(one.near);
  acis_near_close(all.near);
  return 0;
}
