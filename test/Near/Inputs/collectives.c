/* usage: collectives NODES FOLDER ITERATIONS SEED
 * The collectives on the memory communicator beside those of MPI, on random data, types, sizes and
 * roots. There are as many nodes as ranks: rank i has of node i what MPI's collective gives it. */
#include "runtime/host/near/acis_near_mpi.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000, WIDEST = 16, MOST_RANKS = 8 };
enum kind { BCAST, SCATTER, GATHER, ALLGATHER, REDUCE, ALLREDUCE, BARRIER, KINDS };
static const char *const NAMES[] = {"Bcast",  "Scatter",   "Gather", "Allgather",
                                    "Reduce", "Allreduce", "Barrier"};

struct type {
  enum acis_type ours;
  MPI_Datatype mpi;
  size_t bytes;
  char sort; /* integer, unsigned, real, complex */
};
struct op {
  enum acis_op ours;
  MPI_Op mpi;
  const char *sorts;
};

static acis_near *near;
static acis_near_block *block, *to;
static int rank, size;
static unsigned long long state;

static unsigned draw(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "collectives: error: %s\n", problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Values whose sums and products have the same bits in every order, and that MPI libraries agree
 * on: Open MPI saturates some integers, both order some unsigned ones by their top bit. */
static void fill(void *data, const struct type *type, enum acis_op op, size_t count) {
  const int small = op == ACIS_SUM || op == ACIS_PROD;
  for (size_t i = 0; i < count * (type->sort == 'c' ? 2 : 1); i++) {
    const double real = (2 * (int)draw(32) - 31) / 8.0;
    uint64_t bits = (uint64_t)draw(1u << 31) << 32 | (uint64_t)draw(1u << 31) << 1 | draw(2);
    bits = draw(4) ? bits >> (64 - 8 * type->bytes) % 64 : 0;
    if (small)
      bits = draw(4);
    if (type->sort == 'i' && draw(2))
      bits = ~bits;
    if (type->sort == 'i' || type->sort == 'u')
      memcpy((char *)data + i * type->bytes, &bits, type->bytes);
    else if (type->bytes == (type->sort == 'c' ? 8 : 4))
      ((float *)data)[i] = (float)real;
    else
      ((double *)data)[i] = real;
  }
}

/* One block for all ranks, made by rank 0. */
static acis_near_block *shared(uint64_t bytes) {
  acis_near_block *out = NULL;
  uint64_t handles[MOST_RANKS] = {0};
  if (rank == 0) {
    check(acis_near_alloc(near, bytes, &out));
    for (int i = 0; i < size; i++)
      handles[i] = acis_near_handle(out, (unsigned)i);
  }
  MPI_Bcast(handles, MOST_RANKS, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0)
    check(acis_near_attach(near, handles, bytes, &out));
  return out;
}

static void put_mine(const void *data, size_t bytes) {
  check(acis_near_put(near, (unsigned)rank, block, 0, data, bytes, 1, 0));
  MPI_Barrier(MPI_COMM_WORLD);
}

/* What this rank's node has, after the root is done. */
static void get_mine(acis_near_block *of, void *data, size_t bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  check(acis_near_get(near, (unsigned)rank, of, 0, data, bytes, 1, 0));
}

/* Calls both; the bytes of `ours` and `mpis` that have to be the same. */
static size_t both(enum kind kind, const struct type *type, const struct op *op, int count,
                   int root, const void *mine, void *ours, void *mpis) {
  const size_t bytes = (size_t)count * type->bytes, all = bytes * (size_t)size;
  const int here = rank == root;
  switch (kind) {
  case BCAST:
    memcpy(mpis, mine, bytes);
    MPI_Bcast(mpis, count, type->mpi, root, MPI_COMM_WORLD);
    if (here)
      check(acis_near_bcast(near, mine, block, bytes));
    get_mine(block, ours, bytes);
    return bytes;
  case SCATTER:
    MPI_Scatter(mine, count, type->mpi, mpis, count, type->mpi, root, MPI_COMM_WORLD);
    if (here)
      check(acis_near_scatter(near, mine, block, bytes));
    get_mine(block, ours, bytes);
    return bytes;
  case GATHER:
    put_mine(mine, bytes);
    MPI_Gather(mine, count, type->mpi, mpis, count, type->mpi, root, MPI_COMM_WORLD);
    if (here)
      check((draw(2) ? acis_near_gather : acis_near_gather_in_turn)(near, block, ours, bytes));
    return here ? all : 0;
  case ALLGATHER:
    put_mine(mine, bytes);
    MPI_Allgather(mine, count, type->mpi, mpis, count, type->mpi, MPI_COMM_WORLD);
    if (here)
      check(acis_near_allgather(near, block, to, bytes));
    get_mine(to, ours, all);
    return all;
  case REDUCE:
    put_mine(mine, bytes);
    MPI_Reduce(mine, mpis, count, type->mpi, op->mpi, root, MPI_COMM_WORLD);
    if (here)
      check(acis_near_reduce(near, block, ours, (uint64_t)count, type->ours, op->ours));
    return here ? bytes : 0;
  case ALLREDUCE:
    put_mine(mine, bytes);
    MPI_Allreduce(mine, mpis, count, type->mpi, op->mpi, MPI_COMM_WORLD);
    if (here)
      check(acis_near_allreduce(near, block, (uint64_t)count, type->ours, op->ours));
    get_mine(block, ours, bytes);
    return bytes;
  default:
    return 0;
  }
}

/* What was started before it has ended on all nodes, and all ranks see that. */
static int barrier(acis_near_function *twice, int root) {
  int numbers[64], got[64], complete = 1, wrong = 0;
  for (int i = 0; i < 64; i++)
    numbers[i] = (int)draw(1000000);
  put_mine(numbers, sizeof numbers);
  if (rank == root) {
    acis_near_request request;
    check(acis_near_map(near, twice, block, NULL, to, 64, &request));
    check(acis_near_barrier(near));
    check(acis_near_test(near, request, &complete));
    check(acis_near_wait(near, request, NULL));
  }
  get_mine(to, got, sizeof got);
  for (int i = 0; i < 64; i++)
    wrong += got[i] != 2 * numbers[i];
  return wrong || !complete;
}

static acis_near_function *loaded(const char *folder) {
  char path[4096], *elf = malloc(1 << 20);
  acis_near_function *function = NULL;
  snprintf(path, sizeof path, "%s/sum.acis", folder);
  FILE *file = fopen(path, "rb");
  if (!file || !elf)
    check("sum.acis cannot be read");
  check(acis_near_load(near, elf, fread(elf, 1, 1 << 20, file), "twice_local", 4, 4, &function));
  fclose(file);
  free(elf);
  return function;
}

int main(int argc, char **argv) {
  MPI_Comm memory;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct type types[] = {{ACIS_INT8, MPI_INT8_T, 1, 'i'},
                               {ACIS_UINT8, MPI_UINT8_T, 1, 'u'},
                               {ACIS_INT16, MPI_INT16_T, 2, 'i'},
                               {ACIS_UINT16, MPI_UINT16_T, 2, 'u'},
                               {ACIS_INT32, MPI_INT32_T, 4, 'i'},
                               {ACIS_UINT32, MPI_UINT32_T, 4, 'u'},
                               {ACIS_INT64, MPI_INT64_T, 8, 'i'},
                               {ACIS_UINT64, MPI_UINT64_T, 8, 'u'},
                               {ACIS_FLOAT32, MPI_FLOAT, 4, 'r'},
                               {ACIS_FLOAT64, MPI_DOUBLE, 8, 'r'},
                               {ACIS_COMPLEX64, MPI_C_FLOAT_COMPLEX, 8, 'c'},
                               {ACIS_COMPLEX128, MPI_C_DOUBLE_COMPLEX, 16, 'c'}};
  const struct op ops[] = {{ACIS_SUM, MPI_SUM, "iurc"}, {ACIS_PROD, MPI_PROD, "iurc"},
                           {ACIS_MIN, MPI_MIN, "iur"},  {ACIS_MAX, MPI_MAX, "iur"},
                           {ACIS_BAND, MPI_BAND, "iu"}, {ACIS_BOR, MPI_BOR, "iu"},
                           {ACIS_BXOR, MPI_BXOR, "iu"}, {ACIS_LAND, MPI_LAND, "iu"},
                           {ACIS_LOR, MPI_LOR, "iu"},   {ACIS_LXOR, MPI_LXOR, "iu"}};
  int done[KINDS] = {0}, wrong[KINDS] = {0};
  if (argc < 5 || size > MOST_RANKS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (MPI_Local_Open(argv[1], 1, "", MPI_COMM_WORLD, &memory) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  near = acis_near_of(memory);
  const size_t most = (size_t)MOST * WIDEST * (size_t)size;
  void *mine = calloc(1, most), *ours = malloc(most), *mpis = malloc(most);
  block = shared(MOST * WIDEST);
  to = shared(most);
  acis_near_function *twice = loaded(argv[2]);
  const unsigned long long seed = strtoull(argv[4], NULL, 10);
  for (int i = 0; i < atoi(argv[3]); i++) {
    /* The same on all ranks, but for the data. */
    state = seed * 1000003 + (unsigned)i;
    const enum kind kind = i < KINDS ? (enum kind)i : draw(KINDS);
    const struct type *type = &types[draw(sizeof types / sizeof *types)];
    const struct op *op;
    do
      op = &ops[draw(sizeof ops / sizeof *ops)];
    while (!strchr(op->sorts, type->sort));
    const int root = (int)draw((unsigned)size);
    const int count = (int)(draw(3) ? draw(20) : draw(MOST + 1));
    int bad, any;
    state += (unsigned)rank * 7919;
    if (kind == BARRIER) {
      bad = barrier(twice, root);
    } else {
      fill(mine, type, op->ours, (size_t)count * (kind == SCATTER ? (size_t)size : 1));
      memset(ours, 1, most);
      memset(mpis, 2, most);
      const size_t same = both(kind, type, op, count, root, mine, ours, mpis);
      bad = memcmp(ours, mpis, same) != 0;
    }
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    done[kind]++;
    wrong[kind] += any;
    if (any && rank == 0)
      printf("%s differs: type %d op %d count %d root %d\n", NAMES[kind], type->ours, op->ours,
             count, root);
  }
  if (rank == 0)
    for (int k = 0; k < KINDS; k++)
      printf("%s: %s\n", NAMES[k], done[k] && !wrong[k] ? "equal" : "WRONG");
  MPI_Comm_free(&memory);
  MPI_Finalize();
  return 0;
}
