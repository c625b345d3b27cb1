/* device-collectives [COUNT]: collectives, blocking and not, with a device buffer on either side,
   or both, or in place, against the same on ordinary memory. Prints "No Errors". */
#include "runtime/host/device/acis_device.h"
#include "test/Device/Inputs/Device.h"

#include <mpi.h>
#include <string.h>

static Device device;
static int rank, ranks, errors, count;
static size_t bytes; /* of a buffer: count numbers for each rank */

typedef struct {
  int *at;   /* for MPI */
  int *host; /* of ordinary memory */
  cl_mem buffer;
} Side;

/* Holds what `owner` would have. */
static Side makeOf(int onDevice, int seed, int owner) {
  Side side = {.host = malloc(bytes)};
  for (size_t i = 0; i < bytes / sizeof(int); ++i)
    side.host[i] = (int)i * 3 + seed * 1000 + owner;
  side.at = side.host;
  if (onDevice) {
    side.buffer = makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, side.host);
    side.at = acis_device_pointer(side.buffer);
  }
  return side;
}

static Side make(int onDevice, int seed) { return makeOf(onDevice, seed, rank); }

static void fetch(Side *side) {
  if (side->buffer)
    readBuffer(device, side->buffer, 0, bytes, side->host);
}

static void drop(Side *side) {
  if (side->buffer)
    CL_CHECK(clReleaseMemObject(side->buffer));
  free(side->host);
}

/* Each rank's block is as long as its number and one more, and they are apart. */
static int counts[64], offsets[64], giveCounts[64], giveOffsets[64];

static void callVarying(int which, void *give, void *get, int root) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  switch (which) {
  case 10:
    MPI_Gatherv(give == MPI_IN_PLACE && rank != root ? get : give, counts[rank], MPI_INT, get,
                counts, offsets, MPI_INT, root, comm);
    break;
  case 11:
    MPI_Scatterv(give == MPI_IN_PLACE ? get : give, counts, offsets, MPI_INT,
                 rank == root && give == MPI_IN_PLACE ? MPI_IN_PLACE : get, counts[rank], MPI_INT,
                 root, comm);
    break;
  case 12:
    MPI_Allgatherv(give, counts[rank], MPI_INT, get, counts, offsets, MPI_INT, comm);
    break;
  case 13: /* ranks give as many as the other gets */
    if (give != MPI_IN_PLACE)
      MPI_Alltoallv(give, giveCounts, giveOffsets, MPI_INT, get, counts, offsets, MPI_INT, comm);
    break;
  case 14:
    MPI_Reduce_scatter(give, get, counts, MPI_INT, MPI_SUM, comm);
    break;
  }
}

/* Elements of another type for each rank: pairs and single numbers in turns. MPI reads the arrays
   until the call has ended. */
static void callTyped(void *give, void *get, MPI_Request *request) {
  static MPI_Datatype giveTypes[64], getTypes[64];
  static int numbers[64], giveBytes[64], getBytes[64];
  MPI_Datatype pair;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < ranks; ++i) {
    giveTypes[i] = rank % 2 ? pair : MPI_INT; /* as who gets it has */
    getTypes[i] = i % 2 ? pair : MPI_INT;
    numbers[i] = 1;
    giveBytes[i] = i * count * (int)sizeof(int);
    getBytes[i] = (ranks - 1 - i) * count * (int)sizeof(int);
  }
  if (request)
    MPI_Ialltoallw(give, numbers, giveBytes, giveTypes, get, numbers, getBytes, getTypes,
                   MPI_COMM_WORLD, request);
  else
    MPI_Alltoallw(give, numbers, giveBytes, giveTypes, get, numbers, getBytes, getTypes,
                  MPI_COMM_WORLD);
  MPI_Type_free(&pair);
}

/* On a line, whose ends have one neighbour, and MPI_PROC_NULL. */
static void callNeighbours(int which, void *give, void *get, MPI_Request *request) {
  const int periods = 0, gap = count * (int)sizeof(int);
  const int one[2] = {count, count}, apart[2] = {0, count};
  const MPI_Aint bytesApart[2] = {gap, 0};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periods, 0, &line);
  switch (which) {
  case 0:
    MPI_Neighbor_allgather(give, count, MPI_INT, get, count, MPI_INT, line);
    break;
  case 1:
    MPI_Neighbor_alltoall(give, count, MPI_INT, get, count, MPI_INT, line);
    break;
  case 2:
    MPI_Neighbor_allgatherv(give, count, MPI_INT, get, one, apart, MPI_INT, line);
    break;
  case 3:
    MPI_Neighbor_alltoallv(give, one, apart, MPI_INT, get, one, apart, MPI_INT, line);
    break;
  case 4:
    MPI_Neighbor_alltoallw(give, one, bytesApart, types, get, one, bytesApart, types, line);
    break;
  case 5:
    MPI_Ineighbor_alltoallv(give, one, apart, MPI_INT, get, one, apart, MPI_INT, line, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    break;
  case 6:
    MPI_Ineighbor_allgather(give, count, MPI_INT, get, count, MPI_INT, line, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    break;
  }
  MPI_Comm_free(&line);
}

static void callBegun(int which, void *give, void *get, int root) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request request = MPI_REQUEST_NULL;
  int isOver = 0;
  switch (which - 15) {
  case 0:
    MPI_Ibcast(get, count, MPI_INT, root, comm, &request);
    break;
  case 1:
    MPI_Ireduce(give == MPI_IN_PLACE && rank != root ? get : give, get, count, MPI_INT, MPI_SUM,
                root, comm, &request);
    break;
  case 2:
    MPI_Iallreduce(give, get, count, MPI_INT, MPI_MAX, comm, &request);
    break;
  case 3:
    MPI_Iallgather(give, count, MPI_INT, get, count, MPI_INT, comm, &request);
    break;
  case 4:
    MPI_Ialltoall(give, count, MPI_INT, get, count, MPI_INT, comm, &request);
    break;
  case 5:
    MPI_Iexscan(give, get, count, MPI_INT, MPI_SUM, comm, &request);
    break;
  case 6:
    MPI_Igatherv(give == MPI_IN_PLACE && rank != root ? get : give, counts[rank], MPI_INT, get,
                 counts, offsets, MPI_INT, root, comm, &request);
    break;
  case 7:
    MPI_Iscatterv(give == MPI_IN_PLACE ? get : give, counts, offsets, MPI_INT,
                  rank == root && give == MPI_IN_PLACE ? MPI_IN_PLACE : get, counts[rank], MPI_INT,
                  root, comm, &request);
    break;
  case 8:
    MPI_Iallgatherv(give, counts[rank], MPI_INT, get, counts, offsets, MPI_INT, comm, &request);
    break;
  case 9:
    if (give != MPI_IN_PLACE)
      MPI_Ialltoallv(give, giveCounts, giveOffsets, MPI_INT, get, counts, offsets, MPI_INT, comm,
                     &request);
    break;
  case 10:
    MPI_Ireduce_scatter(give, get, counts, MPI_INT, MPI_SUM, comm, &request);
    break;
  case 11:
    if (give != MPI_IN_PLACE)
      callTyped(give, get, &request);
    break;
  case 12:
    if (give != MPI_IN_PLACE)
      callTyped(give, get, NULL);
    break;
  default:
    if (give != MPI_IN_PLACE)
      callNeighbours(which - 28, give, get, &request);
  }
  while (!isOver)
    MPI_Test(&request, &isOver, MPI_STATUS_IGNORE);
}

static void call(int which, void *give, void *get, int root) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  if (which >= 15)
    callBegun(which, give, get, root);
  else if (which >= 10)
    callVarying(which, give, get, root);
  switch (which) {
  case 0:
    MPI_Bcast(get, count, MPI_INT, root, comm);
    break;
  case 1:
    MPI_Reduce(give == MPI_IN_PLACE && rank != root ? get : give, get, count, MPI_INT, MPI_SUM,
               root, comm);
    break;
  case 2:
    MPI_Allreduce(give, get, count, MPI_INT, MPI_MAX, comm);
    break;
  case 3:
    MPI_Gather(give == MPI_IN_PLACE && rank != root ? get : give, count, MPI_INT, get, count,
               MPI_INT, root, comm);
    break;
  case 4:
    MPI_Scatter(rank == root && give == MPI_IN_PLACE ? get
                : give == MPI_IN_PLACE               ? NULL
                                                     : give,
                count, MPI_INT, rank == root && give == MPI_IN_PLACE ? MPI_IN_PLACE : get, count,
                MPI_INT, root, comm);
    break;
  case 5:
    MPI_Allgather(give, count, MPI_INT, get, count, MPI_INT, comm);
    break;
  case 6:
    MPI_Alltoall(give, count, MPI_INT, get, count, MPI_INT, comm);
    break;
  case 7:
    MPI_Reduce_scatter_block(give, get, count, MPI_INT, MPI_SUM, comm);
    break;
  case 8:
    MPI_Scan(give, get, count, MPI_INT, MPI_SUM, comm);
    break;
  case 9:
    MPI_Exscan(give, get, count, MPI_INT, MPI_SUM, comm);
    break;
  }
}
enum { NumCalls = 35 };

/* `kind`: bit 0 gives from the device, bit 1 gets on the device, bit 2 in place; one rank differs.
 */
static void compare(int which, int kind, int root) {
  const int mine = rank == 1 ? kind ^ 1 : kind;
  Side give = make(mine & 1, 1), get = make(mine & 2, 2), wantedGive = make(0, 1),
       wantedGet = make(0, 2);
  const int inPlace = kind & 4;
  call(which, inPlace ? MPI_IN_PLACE : (void *)give.at, get.at, root);
  call(which, inPlace ? MPI_IN_PLACE : (void *)wantedGive.at, wantedGet.at, root);
  fetch(&get);
  fetch(&give);
  if (memcmp(get.host, wantedGet.host, bytes) || memcmp(give.host, wantedGive.host, bytes)) {
    printf("rank %d: collective %d, kind %d, root %d differs\n", rank, which, kind, root);
    ++errors;
  }
  drop(&give);
  drop(&get);
  drop(&wantedGive);
  drop(&wantedGet);
}

/* Two groups: rank 0, and the others, of which the first is the root. Its number in its group is
 * that of rank 0 in its own; who is neither root nor of the other group has no part. */
static void betweenGroups(void) {
  MPI_Comm group, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0, 0, &both);
  const int root = rank == 0 ? 0 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
  Side side = make(1, 1), wanted = makeOf(0, 1, rank == 0 ? 1 : rank);
  MPI_Bcast(side.at, count, MPI_INT, root, both);
  fetch(&side);
  if (memcmp(side.host, wanted.host, (size_t)count * sizeof(int))) {
    printf("rank %d: MPI_Bcast between groups differs\n", rank);
    ++errors;
  }
  drop(&side);
  drop(&wanted);
  side = make(1, 1);
  Side got = make(1, 2);
  wanted = rank == 1 ? makeOf(0, 1, 0) : make(0, 2);
  MPI_Reduce(side.at, got.at, count, MPI_INT, MPI_SUM, root, both);
  fetch(&got);
  if (memcmp(got.host, wanted.host, (size_t)count * sizeof(int))) {
    printf("rank %d: MPI_Reduce between groups differs\n", rank);
    ++errors;
  }
  drop(&side);
  drop(&got);
  drop(&wanted);
  MPI_Comm_free(&both);
  MPI_Comm_free(&group);
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 1000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  device = openDevice();
  bytes = (size_t)count * ranks * sizeof(int);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = count / 2 + i;
    offsets[i] = i * count;
    giveCounts[i] = count / 2 + rank;
    giveOffsets[i] = i * count + 7;
  }
  for (int which = 0; which < NumCalls; ++which)
    for (int kind = 0; kind < 8; ++kind)
      /* MPICH 4.0.2 crashes itself in MPI_Reduce in place at a root that is not rank 0. */
      compare(which, kind, kind & 4 ? 0 : kind % ranks);
  betweenGroups();
  /* A range that is too long is an error on the rank that has it, before anything is sent. */
  Side side = make(1, 1);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (MPI_Allreduce(MPI_IN_PLACE, side.at, count * ranks + 1, MPI_INT, MPI_SUM, MPI_COMM_SELF) ==
      MPI_SUCCESS)
    ++errors;
  drop(&side);
  closeDevice(device);
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
