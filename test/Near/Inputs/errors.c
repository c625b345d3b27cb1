/* usage: errors CASE NODES JOB FOLDER [PID]
 * What goes wrong on memory nodes, as an MPI program sees it: rank 0 prints the class and the text
 * of each error, and whether the nodes still have what they had. PID: of the last node's process.
 */
#include "runtime/host/near/acis_near_mpi.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 25, LONG = 1 << 22 };

static const char *nodes, *folder;
static unsigned job;
static MPI_Comm memory, raised_on;
static int raised;

static void handler(MPI_Comm *comm, int *code, ...) {
  raised_on = *comm;
  raised = *code;
}

/* Prints the error that the handler got last; `returned`: what the call gave, -1 for one that gives
 * a pointer. */
static void says(const char *call, int returned) {
  static const char *const names[] = {"ok",       "argument", "block", "full",
                                      "function", "trapped",  "node"};
  char text[MPI_MAX_ERROR_STRING];
  int length, class, kind = 0;
  if (raised == MPI_SUCCESS) {
    printf("%s: no error\n", call);
    return;
  }
  MPI_Error_string(raised, text, &length);
  MPI_Error_class(raised, &class);
  for (int i = 1; i <= ACIS_NEAR_NODE; i++)
    if (class == MPI_Local_Error_class((enum acis_near_class)i))
      kind = i;
  printf("%s: %s | %s%s%s\n", call, names[kind], text,
         raised_on == memory ? "" : " | another communicator",
         returned == -1 || returned == raised ? "" : " | another code returned");
  raised = MPI_SUCCESS;
}

static void check(const char *problem) {
  if (problem) {
    printf("error: %s\n", problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static MPI_Comm opened(unsigned number) {
  MPI_Comm comm;
  MPI_Errhandler errors;
  if (MPI_Local_Open(nodes, number, "", MPI_COMM_WORLD, &comm) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_create_errhandler(handler, &errors);
  MPI_Comm_set_errhandler(comm, errors);
  MPI_Errhandler_free(&errors);
  return comm;
}

/* Bytes of a file in `folder`. */
static char *binary(const char *name, size_t *bytes) {
  char path[4096];
  char *out = malloc(1 << 20);
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file || !out)
    MPI_Abort(MPI_COMM_WORLD, 1);
  *bytes = fread(out, 1, 1 << 20, file);
  fclose(file);
  return out;
}

static acis_near_function *loaded(const char *file, const char *name, uint32_t element) {
  size_t bytes;
  char *elf = binary(file, &bytes);
  acis_near_function *function;
  acis_near_load(acis_near_of(memory), elf, bytes, name, element, element, &function);
  free(elf);
  return function;
}

/* Numbers on every node, other ones on each, and whether they are still there on node `node`. */
static void fill(void *block, int count) {
  const unsigned size = acis_near_nodes(acis_near_of(memory));
  int *numbers = malloc(size * sizeof(int) * (size_t)count);
  for (unsigned i = 0; i < size * (unsigned)count; i++)
    numbers[i] = (int)(i * 2654435761u);
  check(acis_near_scatter(acis_near_of(memory), numbers, block, sizeof(int) * (uint64_t)count));
  free(numbers);
}

static int has(unsigned node, void *block, int count) {
  int *numbers = malloc(sizeof(int) * (size_t)count), same = 1;
  check(acis_near_get(acis_near_of(memory), node, block, 0, numbers, sizeof(int) * (uint64_t)count,
                      1, 0));
  for (int i = 0; i < count; i++)
    same &= numbers[i] == (int)((node * (unsigned)count + (unsigned)i) * 2654435761u);
  free(numbers);
  return same;
}

static void keeps(void *block) {
  const unsigned size = acis_near_nodes(acis_near_of(memory));
  int same = 1;
  for (unsigned i = 0; i < size; i++)
    same &= has(i, block, COUNT);
  printf("nodes have what they had: %s\n", same ? "yes" : "no");
}

static void foreign(void *mine) {
  const MPI_Comm first = memory;
  uint64_t handles[8];
  acis_near_block *block;
  for (unsigned i = 0; i < acis_near_nodes(acis_near_of(first)); i++)
    handles[i] = acis_near_handle(mine, i);
  memory = opened(job + 1);
  says("Dealloc", MPI_Local_Dealloc(mine));
  acis_near_attach(acis_near_of(memory), handles, 4 * COUNT, &block);
  says("attach", -1);
  MPI_Comm_free(&memory);
  memory = first;
}

static void twice(void *mine) {
  void *block = MPI_Local_Alloc(100);
  says("Dealloc", MPI_Local_Dealloc(block));
  says("Dealloc", MPI_Local_Dealloc(block));
  says("Dealloc", MPI_Local_Dealloc(NULL));
  says("Map", MPI_Local_Map(loaded("sum.acis", "twice_local", 4), block, mine, COUNT));
}

static void bounds(void *mine) {
  const acis_near_function *function = loaded("sum.acis", "twice_local", 4);
  says("Map", MPI_Local_Map(function, mine, mine, COUNT + 1));
  (void)!MPI_Local_Reduce(function, mine, COUNT + 1);
  says("Reduce", -1);
  (void)!MPI_Local_Reduce(function, mine, 0);
  says("Reduce", -1);
  says("Map", MPI_Local_Map(NULL, mine, mine, 1));
}

static void full(void *mine) {
  (void)mine;
  (void)!MPI_Local_Alloc((size_t)1 << 30);
  says("Alloc", -1);
  (void)!MPI_Local_Alloc(0);
  says("Alloc", -1);
}

static void signature(void *mine) {
  void *out = MPI_Local_Alloc(4 * COUNT);
  says("Map", MPI_Local_Map(loaded("sum.acis", "mpi_sum_local", 4), mine, out, COUNT));
  (void)!MPI_Local_Reduce(loaded("sum.acis", "twice_local", 4), mine, COUNT);
  says("Reduce", -1);
  loaded("sum.acis", "subtract", 4);
  says("load", -1);
}

static void overlay(void *mine) {
  (void)mine;
  loaded("other.acis", "mpi_sum_local", 4);
  says("load", -1);
}

/* The last node is killed in a launch; the others end theirs. */
static void dies(void *mine, int pid) {
  acis_near *near = acis_near_of(memory);
  void *block = MPI_Local_Alloc(4 * LONG), *out = MPI_Local_Alloc(4);
  const unsigned last = acis_near_nodes(near) - 1;
  acis_near_function *function = loaded("sum.acis", "mpi_sum_local", 4);
  acis_near_request request;
  int complete, sum;
  unsigned expected = 0;
  fill(block, LONG);
  for (unsigned i = 0; i < LONG; i++)
    expected += i * 2654435761u;
  acis_near_timeout(near, 20);
  check(acis_near_local_reduce(near, function, block, NULL, out, LONG, &request));
  check(acis_near_test(near, request, &complete));
  kill(pid, SIGKILL);
  printf("killed in the middle: %s\n", complete ? "no" : "yes");
  acis_near_wait(near, request, NULL);
  says("wait", -1);
  says("Map", MPI_Local_Map(function, mine, mine, 1));
  (void)!MPI_Local_Alloc(100);
  says("Alloc", -1);
  for (unsigned i = 0; i < last; i++)
    printf("node %u has what it had: %s\n", i, has(i, mine, COUNT) ? "yes" : "no");
  check(acis_near_get(near, 0, out, 0, &sum, 4, 1, 0));
  printf("node 0 has its result: %s\n", sum == (int)expected ? "yes" : "no");
}

/* The last node is killed, and another started in its place: a line from standard input says when.
 */
static void empty(void *mine, int pid) {
  char line[16];
  acis_near_function *function = loaded("sum.acis", "twice_local", 4);
  void *out = MPI_Local_Alloc(4 * COUNT);
  kill(pid, SIGKILL);
  printf("killed\n");
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin))
    return;
  says("Map", MPI_Local_Map(function, mine, out, COUNT));
  printf("node 0 has what it had: %s\n", has(0, mine, COUNT) ? "yes" : "no");
  says("Dealloc", MPI_Local_Dealloc(mine));
}

/* Beside another job: every handle that is not of this one is refused. */
static void jobs(void *mine) {
  acis_near *near = acis_near_of(memory);
  acis_near_function *function = loaded("sum.acis", "twice_local", 4);
  void *out = MPI_Local_Alloc(4 * COUNT);
  const unsigned size = acis_near_nodes(near);
  int refused = 0, wrong = 0, got[COUNT];
  for (uint64_t i = 1; i <= 30; i++) {
    uint64_t handles[8];
    acis_near_block *block;
    for (unsigned k = 0; k < size; k++)
      handles[k] = 1000 + i;
    refused += acis_near_attach(near, handles, 4, &block) != NULL;
    if (MPI_Local_Map(function, mine, out, COUNT) != MPI_SUCCESS)
      wrong++;
    check(acis_near_get(near, size - 1, out, 0, got, sizeof got, 1, 0));
    for (unsigned k = 0; k < COUNT; k++)
      wrong += got[k] != (int)(2 * ((size - 1) * COUNT + k) * 2654435761u);
  }
  printf("refused %d wrong %d\n", refused, wrong);
}

int main(int argc, char **argv) {
  int rank;
  void *mine;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 5)
    MPI_Abort(MPI_COMM_WORLD, 1);
  const char *name = argv[1];
  const int pid = argc > 5 ? atoi(argv[5]) : 0;
  nodes = argv[2];
  job = (unsigned)atoi(argv[3]);
  folder = argv[4];
  memory = opened(job);
  if (strcmp(name, "fatal") == 0)
    MPI_Comm_set_errhandler(memory, MPI_ERRORS_ARE_FATAL);
  if (rank == 0 || strcmp(name, "foreign") == 0) {
    mine = MPI_Local_Alloc(4 * COUNT);
    fill(mine, COUNT);
    if (rank != 0)
      freopen("/dev/null", "w", stdout);
    if (strcmp(name, "foreign") == 0)
      foreign(mine);
    else if (strcmp(name, "twice") == 0 || strcmp(name, "fatal") == 0)
      twice(mine);
    else if (strcmp(name, "bounds") == 0)
      bounds(mine);
    else if (strcmp(name, "full") == 0)
      full(mine);
    else if (strcmp(name, "signature") == 0)
      signature(mine);
    else if (strcmp(name, "overlay") == 0)
      overlay(mine);
    else if (strcmp(name, "dies") == 0)
      dies(mine, pid);
    else if (strcmp(name, "empty") == 0)
      empty(mine, pid);
    else if (strcmp(name, "jobs") == 0)
      jobs(mine);
    if (!pid)
      keeps(mine);
  }
  MPI_Comm_free(&memory);
  MPI_Errhandler errors;
  MPI_Comm_create_errhandler(handler, &errors);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, errors);
  (void)!MPI_Local_Alloc(4);
  if (rank == 0)
    says("Alloc", -1);
  MPI_Finalize();
  if (rank == 0)
    printf("program ended\n");
  return 0;
}
