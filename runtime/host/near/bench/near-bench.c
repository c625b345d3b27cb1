/* usage: near-bench NODE[,NODE...] SUM.acis REPEATS [SUMMERS]
 *
 * What a launch costs beside a GET, and the sum of 8 to 2^21 integers (Heinz and Koch, Fig. 7):
 * fetched and added here, and added on the first node and on SUMMERS of them (all, if it is not
 * said), with the partial sums fetched at the same time and one after the other; then the bytes
 * that functions move for an element, and what reductions over the nodes move at the host, folded
 * there and, where the nodes have one, in a switch. SUM.acis has empty_local, and mpi_sum_local and
 * twice_local of examples/near-data/sum.c. Times are means in microseconds of wall-clock time. */
#include "runtime/host/near/acis_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 21, MOST_TURNS = 10000 };

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
  acis_near_function *sum, *empty, *twice, *sum_of_twice;
  acis_near_block *numbers, *doubled, *result;
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
  check(acis_near_load(side.near, binary, size, "empty_local", 4, 4, &side.empty));
  check(acis_near_load(side.near, binary, size, "twice_local", 4, 4, &side.twice));
  check(acis_near_compose(side.near, side.twice, side.sum, &side.sum_of_twice));
  check(acis_near_alloc(side.near, 4 * (uint64_t)MOST, &side.numbers));
  check(acis_near_alloc(side.near, 4 * (uint64_t)MOST, &side.doubled));
  check(acis_near_alloc(side.near, 8, &side.result));
  free(binary);
  return side;
}

static void launch(const struct side *side, acis_near_function *function) {
  acis_near_request request;
  check(
      acis_near_local_reduce(side->near, function, side->numbers, NULL, side->result, 1, &request));
  check(acis_near_wait(side->near, request, NULL));
}

/* One after the other, so that all three find the same machine. */
static void print_latencies(const struct side *side, long repeats) {
  double get = 0, empty = 0, sum = 0;
  char eight[8];
  for (long i = 0; i < repeats; i++) {
    const double start = now();
    check(acis_near_get(side->near, 0, side->numbers, 0, eight, sizeof eight, 1, 0));
    const double got = now();
    launch(side, side->empty);
    const double launched = now();
    launch(side, side->sum);
    get += got - start;
    empty += launched - got;
    sum += now() - launched;
  }
  printf("GET of 8 bytes %.1f us; launch of an empty function %.1f us, ratio %.2f; of a sum of 1 "
         "element %.1f us; means of %ld\n",
         get / (double)repeats, empty / (double)repeats, empty / get, sum / (double)repeats,
         repeats);
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

/* Fig. 7: on one node, and on several. */
static void print_sums(const struct side *one, const struct side *all, const int *data, int *buffer,
                       long repeats) {
  const unsigned nodes = acis_near_nodes(all->near);
  printf("%9s %10s %10s %10s %10s\n", "integers", "fetched", "1 node", "all", "in turn");
  for (uint32_t count = 8; count <= MOST; count *= 4) {
    const uint32_t each = count / nodes;
    const long turns = 1 + (repeats < MOST_TURNS ? repeats : MOST_TURNS) / (1 + (long)count / 8);
    double time[4] = {0};
    int wrong = 0, expected = 0;
    for (uint32_t i = 0; i < each * nodes; i++)
      expected = (int)((unsigned)expected + (unsigned)data[i]);
    check(acis_near_scatter(all->near, data, all->numbers, 4 * (uint64_t)each));
    for (long t = 0; t < turns; t++)
      for (int way = 0; way < 4; way++) {
        const double start = now();
        int sum;
        sum = way == 0   ? sum_here(one, buffer, each * nodes)
              : way == 1 ? sum_there(one, each * nodes, 0)
                         : sum_there(all, each, way == 3);
        time[way] += now() - start;
        wrong += sum != expected;
      }
    printf("%9u %10.1f %10.1f %10.1f %10.1f%s\n", each * nodes, time[0] / (double)turns,
           time[1] / (double)turns, time[2] / (double)turns, time[3] / (double)turns,
           wrong ? " WRONG" : "");
    if (wrong)
      exit(1);
  }
}

/* The sum of the doubled numbers: in which way is the position in `ways`. */
static const char *const ways[] = {"fetch", "map, fetch", "map, reduce", "reduce", "composed"};
enum { WAYS = sizeof ways / sizeof *ways };

static int sum_of_doubled(const struct side *side, int way, int *buffer, uint32_t count) {
  acis_near_request request;
  unsigned total = 0;
  int sum = 0;
  if (way == 1 || way == 2) {
    check(acis_near_map(side->near, side->twice, side->numbers, NULL, side->doubled, count,
                        &request));
    check(acis_near_wait(side->near, request, NULL));
  }
  if (way < 2) {
    check(acis_near_get(side->near, 0, way ? side->doubled : side->numbers, 0, buffer,
                        4 * (uint64_t)count, 1, 0));
    for (uint32_t i = 0; i < count; i++)
      total += (way ? 1u : 2u) * (unsigned)buffer[i];
    return (int)total;
  }
  check(acis_near_local_reduce(side->near, way == 4 ? side->sum_of_twice : side->sum,
                               way == 2 ? side->doubled : side->numbers, NULL, side->result, count,
                               &request));
  check(acis_near_wait(side->near, request, NULL));
  check(acis_near_get(side->near, 0, side->result, 0, &sum, 4, 1, 0));
  return way == 3 ? (int)(2u * (unsigned)sum) : sum;
}

static void print_bytes(const struct side *side, int *buffer) {
  printf("\nbytes at the host for an element, sum of doubled numbers on 1 node\n%9s", "integers");
  for (int way = 0; way < WAYS; way++)
    printf(" %12s", ways[way]);
  printf("\n");
  for (uint32_t count = 8; count <= MOST; count *= 64) {
    int expected = sum_of_doubled(side, 0, buffer, count);
    printf("%9u", count);
    for (int way = 0; way < WAYS; way++) {
      uint64_t packets, before, after;
      acis_near_traffic(side->near, &packets, &before);
      const int sum = sum_of_doubled(side, way, buffer, count);
      acis_near_traffic(side->near, &packets, &after);
      if (sum != expected) {
        fprintf(stderr, "near-bench: error: %s of %u integers is WRONG\n", ways[way], count);
        exit(1);
      }
      printf(" %12.4f", (double)(after - before) / count);
    }
    printf("\n");
  }
}

/* Of one reduction. */
struct moved {
  uint64_t packets, bytes;
  double time;
};

static struct moved reduce_of(const struct side *side, uint32_t count, int turns, int in_switch) {
  static int result[MOST];
  struct moved before, after;
  double start;
  acis_near_fold_in_switch(side->near, in_switch);
  check(acis_near_reduce(side->near, side->numbers, result, count, ACIS_INT32,
                         ACIS_SUM)); /* asks for it */
  acis_near_traffic(side->near, &before.packets, &before.bytes);
  start = now();
  for (int i = 0; i < turns; i++)
    check(acis_near_reduce(side->near, side->numbers, result, count, ACIS_INT32, ACIS_SUM));
  after.time = (now() - start) / turns;
  acis_near_traffic(side->near, &after.packets, &after.bytes);
  after.packets = (after.packets - before.packets) / (uint64_t)turns;
  after.bytes = (after.bytes - before.bytes) / (uint64_t)turns;
  for (uint32_t i = 0; i < count; i++)
    if (result[i] != (int)((unsigned)i * acis_near_nodes(side->near))) {
      fprintf(stderr, "near-bench: error: the reduction of %u integers is WRONG\n", count);
      exit(1);
    }
  return after;
}

static void print_reductions(const struct side *side, int *data) {
  for (uint32_t i = 0; i < MOST / 8; i++)
    data[i] = (int)i;
  check(acis_near_bcast(side->near, data, side->numbers, MOST / 2));
  printf("\nreduction over %u nodes, at the host; folded there | in the switch\n",
         acis_near_nodes(side->near));
  printf("%9s %10s %10s %10s %10s %10s %10s\n", "integers", "packets", "bytes", "us", "packets",
         "bytes", "us");
  for (uint32_t count = 1; count <= MOST / 8; count *= 64) {
    const struct moved here = reduce_of(side, count, 10, 0), there = reduce_of(side, count, 10, 1);
    printf("%9u %10llu %10llu %10.1f", count, (unsigned long long)here.packets,
           (unsigned long long)here.bytes, here.time);
    if (acis_near_folds_in_switch(side->near))
      printf(" %10llu %10llu %10.1f\n", (unsigned long long)there.packets,
             (unsigned long long)there.bytes, there.time);
    else
      printf(" %10s %10s %10s\n", "-", "-", "-");
  }
}

/* The length of the first names of a list with commas; 0 if it has not so many. */
static size_t length_of(const char *list, long names) {
  size_t length = strcspn(list, ",");
  for (long i = 1; i < names; i++) {
    if (!list[length])
      return 0;
    length += 1 + strcspn(list + length + 1, ",");
  }
  return length;
}

int main(int argc, char **argv) {
  static int data[MOST], buffer[MOST];
  const long repeats = argc == 4 || argc == 5 ? atol(argv[3]) : 0;
  const long summers = argc == 5 ? atol(argv[4]) : 0;
  char names[4096];
  struct side one, some, all;
  if (repeats < 1 || (argc == 5 && (summers < 1 || !length_of(argv[1], summers))) ||
      strlen(argv[1]) >= sizeof names) {
    fprintf(stderr, "usage: near-bench NODE[,NODE...] SUM.acis REPEATS [SUMMERS]\n");
    return 1;
  }
  snprintf(names, sizeof names, "%.*s", (int)length_of(argv[1], 1), argv[1]);
  one = open_side(names, 1, argv[2]);
  all = some = open_side(argv[1], 2, argv[2]);
  if (summers) {
    snprintf(names, sizeof names, "%.*s", (int)length_of(argv[1], summers), argv[1]);
    some = open_side(names, 3, argv[2]);
  }
  if (acis_near_nodes(all.near) > 64) {
    fprintf(stderr, "near-bench: error: %u nodes; at most 64 are allowed\n",
            acis_near_nodes(all.near));
    return 1;
  }
  for (uint32_t i = 0; i < MOST; i++)
    data[i] = (int)(i * 2654435761u);
  check(acis_near_bcast(one.near, data, one.numbers, sizeof data));

  print_latencies(&one, repeats);
  print_sums(&one, &some, data, buffer, repeats);
  print_bytes(&one, buffer);
  print_reductions(&all, data);
  acis_near_close(one.near);
  if (summers)
    acis_near_close(some.near);
  acis_near_close(all.near);
  return 0;
}
