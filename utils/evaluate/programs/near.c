/* Integers in memory nodes, summed (Heinz and Koch, Fig. 7): fetched by the host; on the first node; on
 * all of them, with the partial sums fetched at the same time and one after the other. One rank; the
 * host's own additions take no time here.
 *
 * usage: near NODES FUNCTION.acis INTEGERS...
 *
 * The first line: us of a GET of 8 bytes, and of a launch on one integer. Then for each number of integers:
 * us of fetching, on the first node, on all, in turn. */
#include "runtime/host/near/acis_near.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the library that acis-simrun loads. */
#pragma weak acis_near_open
#pragma weak acis_near_load
#pragma weak acis_near_alloc
#pragma weak acis_near_bcast
#pragma weak acis_near_scatter
#pragma weak acis_near_get
#pragma weak acis_near_gather
#pragma weak acis_near_gather_in_turn
#pragma weak acis_near_local_reduce
#pragma weak acis_near_wait
#pragma weak acis_near_nodes
#pragma weak acis_near_close

enum { Most = 1 << 21, MostNodes = 64 };

static int data[Most], buffer[Most];

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "near: error: %s\n", problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

typedef struct {
  acis_near *near;
  acis_near_function *sum;
  acis_near_block *numbers, *result;
} Side;

static Side open_side(const char *nodes, unsigned job, const void *binary, size_t size) {
  Side side = {0};
  const char *error = NULL;
  side.near = acis_near_open(nodes, job, "", 0, 1, &error);
  check(error);
  check(acis_near_load(side.near, binary, size, "mpi_sum_local", 4, 4, &side.sum));
  check(acis_near_alloc(side.near, sizeof data, &side.numbers));
  check(acis_near_alloc(side.near, 8, &side.result));
  return side;
}

static void launch(const Side *side, unsigned each) {
  acis_near_request request;
  check(acis_near_local_reduce(side->near, side->sum, side->numbers, NULL, side->result, each,
                               &request));
  check(acis_near_wait(side->near, request, NULL));
}

typedef const char *Gather(acis_near *, acis_near_block *, void *, uint64_t);

static unsigned sum_there(const Side *side, unsigned each, Gather *gather) {
  unsigned sums[MostNodes] = {0}, total = 0;
  launch(side, each);
  check(gather(side->near, side->result, sums, 4));
  for (unsigned i = 0; i < acis_near_nodes(side->near); ++i)
    total += sums[i];
  return total;
}

static unsigned sum_here(const Side *side, unsigned count) {
  unsigned total = 0;
  check(acis_near_get(side->near, 0, side->numbers, 0, buffer, 4 * (uint64_t)count, 1, 0));
  for (unsigned i = 0; i < count; ++i)
    total += (unsigned)buffer[i];
  return total;
}

static double since(double begin) { return (MPI_Wtime() - begin) * 1e6; }

static void measure(const Side *one, const Side *all, unsigned count) {
  const unsigned each = count / acis_near_nodes(all->near);
  unsigned expected = 0, sums[4];
  double begin, time[4];
  for (unsigned i = 0; i < count; ++i)
    expected += (unsigned)data[i];
  check(acis_near_scatter(all->near, data, all->numbers, 4 * (uint64_t)each));
  for (int way = 0; way < 4; ++way) {
    begin = MPI_Wtime();
    sums[way] = way == 0   ? sum_here(one, count)
                : way == 1 ? sum_there(one, count, acis_near_gather)
                : way == 2 ? sum_there(all, each, acis_near_gather)
                           : sum_there(all, each, acis_near_gather_in_turn);
    time[way] = since(begin);
    if (sums[way] != expected)
      check("a sum is wrong");
  }
  printf("%u %.3f %.3f %.3f %.3f\n", count, time[0], time[1], time[2], time[3]);
}

int main(int argc, char **argv) {
  static char binary[1 << 20], first[64];
  MPI_Init(&argc, &argv);
  FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
  if (!file || strlen(argv[1]) > 1000)
    check("usage: near NODES FUNCTION.acis INTEGERS...");
  const size_t size = fread(binary, 1, sizeof binary, file);
  fclose(file);
  snprintf(first, sizeof first, "%.*s", (int)strcspn(argv[1], ","), argv[1]);
  const Side one = open_side(first, 1, binary, size), all = open_side(argv[1], 2, binary, size);
  if (acis_near_nodes(all.near) > MostNodes)
    check("at most 64 nodes");
  for (unsigned i = 0; i < Most; ++i)
    data[i] = (int)(i * 2654435761u);
  check(acis_near_bcast(one.near, data, one.numbers, sizeof data));
  double begin = MPI_Wtime();
  check(acis_near_get(one.near, 0, one.numbers, 0, buffer, 8, 1, 0));
  const double get = since(begin);
  begin = MPI_Wtime();
  launch(&one, 1);
  printf("%.3f %.3f\n", get, since(begin));
  for (int i = 3; i < argc; ++i)
    measure(&one, &all, (unsigned)atoi(argv[i]));
  acis_near_close(one.near);
  acis_near_close(all.near);
  MPI_Finalize();
  return 0;
}
