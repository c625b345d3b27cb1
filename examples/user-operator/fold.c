/* Four processes fold vectors in the switch with an operator of their own, and compare the
 * result with the same operator run here.
 *
 * usage: fold HOST:PORT OPERATOR.acis */
#include "runtime/host/client/acis_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Ranks = 4, Count = 5000 };

static int32_t valueOf(int rank, int i) { return (i * 37 + rank * 211) % 1400 - 600; }

static int32_t saturatingAdd(int32_t a, int32_t b) {
  int32_t sum = a + b;
  return sum > 1000 ? 1000 : sum < -1000 ? -1000 : sum;
}

static void check(const char *error) {
  if (!error)
    return;
  fprintf(stderr, "fold: error: %s\n", error);
  exit(1);
}

static int run(const char *address, uint32_t job, const void *elf, size_t bytes, int rank) {
  const char *error = NULL;
  acis_session *session = acis_open(address, job, "", (uint32_t)rank, Ranks, &error);
  if (!session)
    check(error);
  const uint32_t all[Ranks] = {0, 1, 2, 3};
  uint64_t handle = 0;
  check(acis_add_communicator(session, 0, all, Ranks));
  check(acis_load_operator(session, elf, bytes, "", &handle));

  static int32_t in[Count], out[Count];
  for (int i = 0; i < Count; i++)
    in[i] = valueOf(rank, i);
  const acis_collective call = {.kind = ACIS_ALLREDUCE,
                                .op = ACIS_USER,
                                .type = ACIS_INT32,
                                .count = Count,
                                .send = in,
                                .recv = out,
                                .operator_handle = handle};
  check(acis_run(session, &call, 20));
  int wrong = 0;
  for (int i = 0; i < Count; i++) {
    /* The switch folds neighbours first: (0, 1) and (2, 3). */
    const int32_t low = saturatingAdd(valueOf(0, i), valueOf(1, i));
    const int32_t high = saturatingAdd(valueOf(2, i), valueOf(3, i));
    wrong += out[i] != saturatingAdd(low, high);
  }
  printf("rank %d: %d elements, %d wrong\n", rank, Count, wrong);
  acis_close(session);
  return wrong != 0;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return fprintf(stderr, "usage: fold HOST:PORT OPERATOR.acis\n"), 1;
  static char elf[1 << 20];
  FILE *file = fopen(argv[2], "rb");
  const size_t bytes = file ? fread(elf, 1, sizeof elf, file) : 0;
  if (bytes == 0)
    return fprintf(stderr, "fold: error: %s: cannot be read\n", argv[2]), 1;
  fclose(file);
  const uint32_t job = (uint32_t)getpid();
  for (int rank = 0; rank < Ranks; rank++)
    if (fork() == 0)
      exit(run(argv[1], job, elf, bytes, rank));
  int failures = 0, status = 0;
  while (wait(&status) > 0)
    failures += status != 0;
  return failures != 0;
}
