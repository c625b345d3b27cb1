/* device-messages [LARGEST]: every way of two ranks to send and receive on device memory, by every
   kind of address and against ordinary memory, for sizes from 0 to LARGEST (default 1 MB). What has
   arrived is read from the device by OpenCL, not by MPI. Prints "No Errors". */
#include "runtime/host/device/acis_device.h"
#include "test/Device/Inputs/Device.h"

#include <mpi.h>
#include <string.h>

enum Place { Ordinary, Pointer, Part, Mapped, Own, Shared, Kept, MostPlaces };
static const char *placeNames[] = {"ordinary", "pointer", "part", "mapped",
                                   "own",      "shared",  "kept"};
/* Addresses of unmapped buffers only where they are said to be kept (ACIS_DEVICE_KEEP=1). */
static int NumPlaces = Kept;

static Device device;
static int rank, errors;
static unsigned char *scratch;

static unsigned char pattern(size_t i, unsigned seed) {
  return (unsigned char)(i * 7 + i / 251 + seed * 31);
}

/* Memory of one kind with `size` bytes for a message at `address`, and a guard around it. */
enum { Guard = 64, Origin = 4096 };
typedef struct {
  enum Place place;
  size_t size;
  cl_mem whole, buffer;
  unsigned char *address, *own, *mapped, *shared;
} Memory;

static void fill(Memory *m, unsigned seed) {
  for (size_t i = 0; i < m->size + 2 * Guard; ++i)
    scratch[i] = i >= Guard && i < m->size + Guard ? pattern(i - Guard, seed) : 0x5a;
  if (m->place == Ordinary)
    memcpy(m->own, scratch, m->size + 2 * Guard);
  else if (m->place == Mapped)
    memcpy(m->mapped, scratch, m->size + 2 * Guard);
  else if (m->place == Shared)
    CL_CHECK(clEnqueueSVMMemcpy(device.queue, CL_TRUE, m->shared, scratch, m->size + 2 * Guard, 0,
                                NULL, NULL));
  else
    writeBuffer(device, m->buffer, 0, m->size + 2 * Guard, scratch);
}

static Memory make(enum Place place, size_t size) {
  Memory m = {.place = place, .size = size};
  const size_t all = size + 2 * Guard;
  cl_int code = CL_SUCCESS;
  if (place == Ordinary || place == Own)
    m.own = malloc(all);
  if (place == Shared && !(m.shared = clSVMAlloc(device.context, CL_MEM_READ_WRITE, all, 0)))
    exit(1);
  if (place == Part) {
    cl_buffer_region region = {Origin, all};
    m.whole = makeBuffer(device, CL_MEM_READ_WRITE, all + Origin, NULL);
    m.buffer = clCreateSubBuffer(m.whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CL_CHECK(code);
  } else if (place != Ordinary && place != Shared) {
    m.buffer = makeBuffer(device, CL_MEM_READ_WRITE | (place == Own ? CL_MEM_USE_HOST_PTR : 0), all,
                          m.own);
  }
  if (place == Mapped)
    m.mapped = map(device, m.buffer, CL_MAP_READ | CL_MAP_WRITE, 0, all);
  unsigned char *base = place == Mapped                     ? m.mapped
                        : place == Shared                   ? m.shared
                        : place == Pointer || place == Part ? acis_device_pointer(m.buffer)
                                                            : m.own;
  if (place == Kept) {
    base = map(device, m.buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, all);
    unmap(device, m.buffer, base);
  }
  m.address = base + Guard;
  return m;
}

static void drop(Memory *m) {
  if (m->buffer)
    CL_CHECK(clReleaseMemObject(m->buffer));
  if (m->whole)
    CL_CHECK(clReleaseMemObject(m->whole));
  if (m->shared)
    clSVMFree(device.context, m->shared);
  free(m->own);
}

/* The first `came` bytes are of `seed`, those beyond of `before`, the guards are whole. */
static void expect(Memory *m, size_t came, unsigned seed, unsigned before, const char *what) {
  if (m->mapped)
    unmap(device, m->buffer, m->mapped); /* brings the bytes to the device */
  if (m->place == Ordinary)
    memcpy(scratch, m->own, m->size + 2 * Guard);
  else if (m->place == Shared)
    CL_CHECK(clEnqueueSVMMemcpy(device.queue, CL_TRUE, scratch, m->shared, m->size + 2 * Guard, 0,
                                NULL, NULL));
  else
    readBuffer(device, m->buffer, 0, m->size + 2 * Guard, scratch);
  if (m->mapped)
    m->mapped = map(device, m->buffer, CL_MAP_READ | CL_MAP_WRITE, 0, m->size + 2 * Guard);
  for (size_t i = 0; i < m->size + 2 * Guard; ++i) {
    const unsigned char wanted = i < Guard || i >= m->size + Guard ? 0x5a
                                 : i - Guard < came                ? pattern(i - Guard, seed)
                                                                   : pattern(i - Guard, before);
    if (scratch[i] == wanted)
      continue;
    printf("rank %d: %s, %s, %zu bytes: byte %ld is %d, not %d\n", rank, what, placeNames[m->place],
           m->size, (long)i - Guard, scratch[i], wanted);
    ++errors;
    return;
  }
}

static void expectCount(MPI_Status *status, size_t wanted, const char *what) {
  int count = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  if (count == (int)wanted && status->MPI_SOURCE == 1 - rank && status->MPI_TAG == 3)
    return;
  printf("rank %d: %s: %d bytes of rank %d, tag %d\n", rank, what, count, status->MPI_SOURCE,
         status->MPI_TAG);
  ++errors;
}

/* A send of each kind from rank 0 to each kind of receive at rank 1. */
static void sendWith(int how, Memory *m, int n) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (how) {
  case 0:
    MPI_Send(m->address, n, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    break;
  case 1:
    MPI_Ssend(m->address, n, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    break;
  case 2:
    MPI_Isend(m->address, n, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    break;
  case 3:
    MPI_Issend(m->address, n, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    break;
  case 4:
    MPI_Send_init(m->address, n, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (request == MPI_REQUEST_NULL)
      ++errors;
    fill(m, 77); /* the second start sends what is there then */
    MPI_Startall(1, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Request_free(&request);
    break;
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receiveWith(int how, Memory *m, int capacity, MPI_Status *status) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Message message;
  int flag = 0, index = 0, indices[2], done;
  MPI_Status statuses[2];
  switch (how) {
  case 0:
    MPI_Recv(m->address, capacity, MPI_BYTE, 0, 3, MPI_COMM_WORLD, status);
    return;
  case 1:
    MPI_Recv(m->address, capacity, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status);
    return;
  case 2:
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status);
    MPI_Get_count(status, MPI_BYTE, &capacity);
    MPI_Recv(m->address, capacity, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD,
             status);
    return;
  case 3:
    MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(m->address, capacity, MPI_BYTE, &message, status);
    return;
  }
  MPI_Irecv(m->address, capacity, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &requests[1]);
  switch (how) {
  case 4:
    MPI_Wait(&requests[1], status);
    break;
  case 5:
    while (!flag)
      MPI_Test(&requests[1], &flag, status);
    break;
  case 6:
    MPI_Waitall(2, requests, statuses);
    *status = statuses[1];
    break;
  case 7:
    MPI_Waitany(2, requests, &index, status);
    break;
  case 8:
    MPI_Waitsome(2, requests, &done, indices, statuses);
    *status = statuses[0];
    break;
  case 9:
    while (!flag)
      MPI_Testall(2, requests, &flag, statuses);
    *status = statuses[1];
    break;
  case 10:
    while (!flag || index == MPI_UNDEFINED)
      MPI_Testany(2, requests, &index, &flag, status);
    break;
  case 11:
    for (done = 0; done == 0;)
      MPI_Testsome(2, requests, &done, indices, statuses);
    *status = statuses[0];
    break;
  }
  if (requests[1] != MPI_REQUEST_NULL)
    ++errors;
}
enum { NumSends = 5, NumReceives = 12 };

static void transfers(size_t size) {
  for (int from = 0; from < NumPlaces; ++from)
    for (int to = 0; to < NumPlaces; ++to)
      for (int turn = size > 2000000 && to != (from + 1) % NumPlaces ? NumReceives : 0;
           turn < (size > 8000000  ? 1
                   : size > 100000 ? 2
                                   : NumReceives);
           ++turn) {
        const int send = (turn + from) % NumSends, receive = (turn + 5 * to + from) % NumReceives;
        char what[80];
        snprintf(what, sizeof what, "send %d from %s, receive %d", send, placeNames[from], receive);
        Memory m = make(rank == 0 ? from : to, rank == 0 ? size : size + size / 3);
        fill(&m, 1 + rank);
        if (rank == 0) {
          sendWith(send, &m, (int)size);
        } else {
          MPI_Status status;
          receiveWith(receive, &m, (int)m.size, &status);
          expectCount(&status, size, what);
          expect(&m, size, 1, 2, what);
          if (send == 4) {
            receiveWith((receive + 1) % NumReceives, &m, (int)m.size, &status);
            expectCount(&status, size, what);
            expect(&m, size, 77, 2, what);
          }
        }
        drop(&m);
      }
}

static void exchanges(size_t size) {
  for (int place = 0; place < NumPlaces; ++place) {
    MPI_Status status;
    Memory give = make((place + rank) % NumPlaces, size), get = make(place, size + 5);
    fill(&give, 10 + rank);
    fill(&get, 20);
    MPI_Sendrecv(give.address, (int)size, MPI_BYTE, 1 - rank, 3, get.address, (int)size + 5,
                 MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, &status);
    expectCount(&status, size, "sendrecv");
    expect(&get, size, 10 + 1 - rank, 20, "sendrecv");
    MPI_Sendrecv_replace(give.address, (int)size, MPI_BYTE, 1 - rank, 3, 1 - rank, 3,
                         MPI_COMM_WORLD, &status);
    expectCount(&status, size, "replace");
    expect(&give, size, 10 + 1 - rank, 0, "replace");
    /* Nobody's messages touch nothing. */
    fill(&get, 20);
    MPI_Sendrecv(give.address, (int)size, MPI_BYTE, MPI_PROC_NULL, 3, get.address, (int)size,
                 MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(get.address, (int)size, MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(&get, 0, 0, 20, "nobody");
    drop(&give);
    drop(&get);
  }
}

/* Persistent receives, started again and again; both ends, two requests of each in one call. */
static void persistent(size_t size) {
  for (int place = 0; place < NumPlaces; ++place) {
    Memory give = make(place, size), get = make((place + 1) % NumPlaces, size);
    MPI_Request requests[2];
    MPI_Recv_init(get.address, (int)size, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(give.address, (int)size, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, &requests[1]);
    for (unsigned round = 0; round < 3; ++round) {
      MPI_Status statuses[2];
      fill(&give, 2 * round + rank);
      fill(&get, 99);
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, statuses);
      expectCount(&statuses[0], size, "persistent");
      expect(&get, size, 2 * round + 1 - rank, 99, "persistent");
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* inactive ones */
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    drop(&give);
    drop(&get);
  }
}

/* A rank that waits elsewhere in MPI, and messages that are older than others but end later. */
static void elsewhere(size_t size) {
  enum { Many = 6 };
  Memory some[Many];
  MPI_Request requests[Many];
  for (int i = 0; i < Many; ++i) {
    some[i] = make(i % NumPlaces, size);
    fill(&some[i], rank == 0 ? 40 + i : 50);
    if (rank == 0)
      MPI_Isend(some[i].address, (int)size, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; rank == 1 && i < Many; ++i)
    MPI_Irecv(some[i].address, (int)size, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  if (rank == 1)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int i = Many - 1; i >= 0; --i)
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < Many; ++i) {
    if (rank == 1)
      expect(&some[i], size, 40 + i, 0, "many");
    drop(&some[i]);
  }
}

/* Columns of a matrix: what lies between them stays. Two at a time, into one buffer. */
static void columns(void) {
  enum { Rows = 300, Columns = 40 };
  static int host[Rows][Columns];
  MPI_Datatype column;
  MPI_Type_vector(Rows, 1, Columns, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < Rows * Columns; ++i)
    host[i / Columns][i % Columns] = i + 100000 * rank;
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof host, host);
  int *at = acis_device_pointer(buffer);
  MPI_Request requests[4];
  MPI_Irecv(at + 3, 1, column, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(at + 7, 1, column, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(at + 20, 1, column, 1 - rank, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(at + 39, 1, column, 1 - rank, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Type_free(&column);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  readBuffer(device, buffer, 0, sizeof host, host);
  int wrong = 0;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Columns; ++c) {
      const int from = c == 3 ? 20 : c == 7 ? 39 : c;
      wrong += host[r][c] != r * Columns + from + 100000 * (c == 3 || c == 7 ? 1 - rank : rank);
    }
  if (wrong)
    printf("rank %d: columns: %d numbers are wrong\n", rank, wrong);
  errors += wrong != 0;
  CL_CHECK(clReleaseMemObject(buffer));
}

/* Types of all makes, from one buffer into another: each byte of the message, and none beside. */
static void layouts(void) {
  enum { Size = 60000 };
  const int sizes[3] = {10, 20, 30}, part[3] = {4, 7, 11}, first[3] = {5, 2, 13};
  const int lengths[3] = {3, 1, 2}, places[3] = {100, 40, 7};
  MPI_Datatype types[9], pair;
  MPI_Type_vector(3, 2, 5, MPI_INT, &pair);
  MPI_Type_create_subarray(3, sizes, part, first, MPI_ORDER_C, MPI_INT, &types[0]);
  MPI_Type_create_subarray(3, sizes, part, first, MPI_ORDER_FORTRAN, MPI_SHORT, &types[1]);
  MPI_Type_create_hvector(20, 3, 1001, MPI_CHAR, &types[2]);
  MPI_Type_create_resized(pair, 0, 400, &types[3]);
  MPI_Type_contiguous(5, types[3], &types[4]);
  MPI_Type_vector(4, 2, 3, types[3], &types[5]); /* three distances */
  MPI_Type_indexed(3, lengths, places, MPI_INT, &types[6]);
  MPI_Type_vector(5, 1, -7, MPI_INT, &types[7]); /* downwards */
  MPI_Type_dup(types[2], &types[8]);
  static unsigned char host[Size], wanted[Size], given[Size];
  for (int t = 0; t < 9; ++t)
    for (int count = 1; count <= 2; ++count) {
      MPI_Type_commit(&types[t]);
      const int at = t == 7 ? 10000 : 64;
      for (int i = 0; i < Size; ++i) {
        given[i] = pattern((size_t)i, 5);
        wanted[i] = 3;
      }
      MPI_Sendrecv(given + at, count, types[t], 0, 1, wanted + at, count, types[t], 0, 1,
                   MPI_COMM_SELF, MPI_STATUS_IGNORE);
      memset(host, 3, Size);
      cl_mem from = makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Size, given);
      cl_mem to = makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Size, host);
      MPI_Sendrecv((char *)acis_device_pointer(from) + at, count, types[t], 1 - rank, 1,
                   (char *)acis_device_pointer(to) + at, count, types[t], 1 - rank, 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      readBuffer(device, to, 0, Size, host);
      if (memcmp(host, wanted, Size)) {
        printf("rank %d: layout %d, %d of it: wrong\n", rank, t, count);
        ++errors;
      }
      CL_CHECK(clReleaseMemObject(from));
      CL_CHECK(clReleaseMemObject(to));
    }
  for (int t = 0; t < 9; ++t)
    MPI_Type_free(&types[t]);
  MPI_Type_free(&pair);
}

/* A request that the program gives up: its bytes arrive all the same. */
static void givenUp(size_t size) {
  Memory m = make(Pointer, size);
  MPI_Request request;
  fill(&m, 60 + rank);
  if (rank == 0) {
    MPI_Isend(m.address, (int)size, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(m.address, (int)size, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(&m, size, 60, 0, "given up");
  }
  drop(&m);
}

int main(int argc, char **argv) {
  const size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!acis_device_pointer) {
    printf("libacis-device is not loaded\n");
    MPI_Finalize(); /* MPI_Abort may lose what was printed */
    return 1;
  }
  device = openDevice();
  if (getenv("ACIS_DEVICE_KEEP"))
    NumPlaces = MostPlaces;
  scratch = malloc(2 * largest + 1024);
  const size_t sizes[] = {0, 1, 100, 4096, 70001, 1 << 20, 5000000, 64 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] <= largest; ++i) {
    if (argc > 2 && sizes[i] != largest)
      continue;
    transfers(sizes[i]);
    givenUp(sizes[i]);
    if (sizes[i] > 8000000) /* take long */
      continue;
    exchanges(sizes[i]);
    persistent(sizes[i]);
    elsewhere(sizes[i]);
  }
  columns();
  layouts();
  free(scratch);
  closeDevice(device);
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
