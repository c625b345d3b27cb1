/* device-large CASE|all [BYTES]: large messages from device memory, which are announced and then
   come in chunks. Each case needs ranks that go on in other calls than the other one's, statuses,
   or an order, that a protocol beside MPI's could get wrong. Prints "No Errors". */
#include "runtime/host/device/acis_device.h"
#include "test/Device/Inputs/Device.h"

#include <mpi.h>
#include <string.h>

static Device device;
static int rank, ranks, other, errors;
static size_t size = 1 << 20;
static unsigned char *host;
static const MPI_Comm world = MPI_COMM_WORLD;

static unsigned char byteAt(size_t i, unsigned seed) {
  return (unsigned char)(i * 7 + i / 251 + seed * 31);
}

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("rank %d, line %d: not so: %s\n", rank, __LINE__, #condition);                        \
      ++errors;                                                                                    \
    }                                                                                              \
  } while (0)

static int holds(const unsigned char *bytes, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i)
    if (bytes[i] != byteAt(i, seed))
      return 0;
  return 1;
}

static cl_mem filled(unsigned seed) {
  for (size_t i = 0; i < size; ++i)
    host[i] = byteAt(i, seed);
  return makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, host);
}

static int deviceHolds(cl_mem buffer, unsigned seed) {
  readBuffer(device, buffer, 0, size, host);
  return holds(host, size, seed);
}

static void drop(cl_mem buffer) { CL_CHECK(clReleaseMemObject(buffer)); }

static int countOf(MPI_Status *status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(status, type, &count);
  return count;
}

static int errorClass(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  return class;
}

/* Both have a send under way when they receive. */
static void crossing(void) {
  cl_mem give = filled((unsigned)rank), get = filled(9);
  for (int i = 0; i < 3; ++i) {
    MPI_Request request;
    MPI_Isend(acis_device_pointer(give), (int)size, MPI_BYTE, other, 1, world, &request);
    MPI_Recv(acis_device_pointer(get), (int)size, MPI_BYTE, other, 1, world, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(deviceHolds(get, (unsigned)other));
  }
  drop(give);
  drop(get);
}

/* The other end is in a collective when the first waits for its message, and after it. */
static void barriers(void) {
  cl_mem give = filled((unsigned)rank), get = filled(9);
  MPI_Request request;
  for (int turn = 0; turn < 4; ++turn) {
    if (rank == turn % 2) {
      MPI_Isend(acis_device_pointer(give), (int)size, MPI_BYTE, other, 1, world, &request);
      if (turn < 2)
        MPI_Barrier(world);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Irecv(acis_device_pointer(get), (int)size, MPI_BYTE, other, 1, world, &request);
      if (turn >= 2)
        MPI_Barrier(world);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      EXPECT(deviceHolds(get, (unsigned)other));
      if (turn < 2)
        MPI_Barrier(world);
    }
    if (rank == turn % 2 && turn >= 2)
      MPI_Barrier(world);
  }
  drop(give);
  drop(get);
}

/* The receiver waits in another receive, and the send is over when the large one is matched: a
   synchronous send, and one that is only tested. */
static void elsewhere(void) {
  cl_mem buffer = filled((unsigned)rank);
  MPI_Request request;
  int small = rank, flag = 0;
  for (int turn = 0; turn < 3; ++turn) {
    if (rank == 0) {
      if (turn == 0)
        MPI_Ssend(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world);
      else
        MPI_Issend(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world, &request);
      for (flag = turn != 1; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      if (turn == 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Send(&small, 1, MPI_INT, 1, 2, world);
    } else {
      MPI_Irecv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 1, world, &request);
      MPI_Recv(&small, 1, MPI_INT, 0, 2, world, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      EXPECT(deviceHolds(buffer, 0));
    }
  }
  drop(buffer);
}

/* The receiver has taken an offer, and then waits, in another request, for what the sender does
   after its send. An offer lasts some milliseconds: the receiver is ready, and of several one is
   taken also on a machine that is busy. */
static void claimed(void) {
  cl_mem buffer = filled((unsigned)rank);
  MPI_Request request, second;
  for (int turn = 0; turn < 20; ++turn) {
    int small = rank, flag = 0;
    if (rank == 0) {
      MPI_Barrier(world);
      MPI_Isend(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world, &request);
      MPI_Send(&small, 1, MPI_INT, 1, 2, world);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      continue;
    }
    MPI_Irecv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 1, world, &request);
    MPI_Barrier(world);
    for (double end = MPI_Wtime() + 0.01; !flag && MPI_Wtime() < end;)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&small, 1, MPI_INT, 0, 2, world, &second);
    for (int came = 0; !came;)
      MPI_Test(&second, &came, MPI_STATUS_IGNORE);
    if (!flag)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(deviceHolds(buffer, 0));
  }
  drop(buffer);
}

/* Ends wait in opposite orders, of messages of both directions. */
static void orders(void) {
  enum { Many = 4 };
  cl_mem give[Many], get[Many];
  MPI_Request requests[2 * Many];
  for (int i = 0; i < Many; ++i) {
    give[i] = filled((unsigned)(10 * rank + i));
    get[i] = filled(99);
    MPI_Irecv(acis_device_pointer(get[i]), (int)size, MPI_BYTE, other, i, world, &requests[i]);
  }
  for (int i = 0; i < Many; ++i)
    MPI_Isend(acis_device_pointer(give[i]), (int)size, MPI_BYTE, other, i, world,
              &requests[Many + i]);
  for (int i = 0; i < 2 * Many; ++i) {
    MPI_Request *one = &requests[rank == 0 ? i : 2 * Many - 1 - i];
    MPI_Status status;
    int flag = 0, index;
    if (i % 3 == 0)
      MPI_Wait(one, &status);
    else if (i % 3 == 1)
      while (!flag)
        MPI_Test(one, &flag, &status);
    else
      MPI_Waitany(1, one, &index, &status);
  }
  for (int i = 0; i < Many; ++i) {
    EXPECT(deviceHolds(get[i], (unsigned)(10 * other + i)));
    drop(give[i]);
    drop(get[i]);
  }
}

/* Ordinary memory of all sizes and layouts receives what a device sends. */
static void ordinary(void) {
  cl_mem buffer = filled(3);
  unsigned char *memory = malloc(2 * size + 100);
  MPI_Datatype pairs;
  MPI_Status status;
  MPI_Request request;
  MPI_Type_vector((int)(size / 8), 4, 8, MPI_BYTE, &pairs);
  MPI_Type_commit(&pairs);
  for (int turn = 0; turn < 5; ++turn) {
    if (rank == 0) {
      MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world);
      continue;
    }
    memset(memory, 0, 2 * size + 100);
    if (turn == 0) {
      MPI_Recv(memory, (int)size + 100, MPI_BYTE, 0, 1, world, &status);
    } else if (turn == 1) {
      MPI_Irecv(memory, (int)size, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &request);
      int flag = 0;
      while (!flag)
        MPI_Request_get_status(request, &flag, &status);
      EXPECT(countOf(&status, MPI_BYTE) == (int)size && status.MPI_TAG == 1);
      MPI_Wait(&request, &status);
    } else if (turn == 2) {
      MPI_Recv(memory, 2, pairs, 0, 1, world, &status);
      EXPECT(countOf(&status, pairs) == 2);
      for (size_t i = 0; i < size; ++i)
        memory[i] = memory[i / 4 * 8 + i % 4 - (i >= size / 2 ? 4 : 0)];
    } else if (turn == 3) {
      MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, memory, (int)(size / 4), MPI_INT, 0, 1,
                   world, &status);
      EXPECT(countOf(&status, MPI_INT) == (int)(size / 4));
    } else {
      memory[0] = 1;
      MPI_Sendrecv_replace(memory, (int)size, MPI_BYTE, MPI_PROC_NULL, 1, 0, 1, world, &status);
    }
    EXPECT(holds(memory, size, 3));
    EXPECT(countOf(&status, MPI_BYTE) == (int)size);
    EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 1);
  }
  /* Columns on the device, of which each byte between stays. */
  cl_mem gaps = makeBuffer(device, CL_MEM_READ_WRITE, 2 * size, NULL);
  if (rank == 0) {
    MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world);
  } else {
    memset(memory, 77, 2 * size);
    writeBuffer(device, gaps, 0, 2 * size, memory);
    MPI_Recv(acis_device_pointer(gaps), 2, pairs, 0, 1, world, &status);
    EXPECT(countOf(&status, pairs) == 2);
    readBuffer(device, gaps, 0, 2 * size, memory);
    int wrong = 0;
    for (size_t i = 0; i < size; ++i)
      wrong += memory[i / 4 * 8 + i % 4 - (i >= size / 2 ? 4 : 0)] != byteAt(i, 3);
    EXPECT(wrong == 0);
    EXPECT(memory[4] == 77 && memory[7] == 77 && memory[2 * size - 1] == 77);
  }
  MPI_Type_free(&pairs);
  drop(gaps);
  drop(buffer);
  free(memory);
}

/* Sizes come right, and older messages of other tags first. */
static void probes(void) {
  cl_mem buffer = filled(4);
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int small = 5, flag = 0;
  static char like[16384]; /* as long as an announcement */
  if (rank == 0) {
    for (int turn = 0; turn < 6; ++turn) {
      like[0] = 7;
      MPI_Send(&small, 1, MPI_INT, 1, 7, world);
      MPI_Isend(like, sizeof like, MPI_BYTE, 1, 6, world, &request);
      MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 5, world);
      MPI_Send(&small, 1, MPI_INT, 1, 8, world);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    drop(buffer);
    return;
  }
  for (int turn = 0; turn < 6; ++turn) {
    small = 0;
    like[0] = 0;
    if (turn == 4) {
      MPI_Mprobe(0, 5, world, &message, &status);
    } else {
      for (flag = 0; turn == 1 && !flag;)
        MPI_Iprobe(0, 5, world, &flag, &status);
      if (turn != 1)
        MPI_Probe(0, 5, world, &status);
    }
    EXPECT(countOf(&status, MPI_BYTE) == (int)size);
    EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
    /* A first one with any tag is what was sent first. */
    MPI_Recv(&small, 1, MPI_INT, 0, MPI_ANY_TAG, world, &status);
    EXPECT(small == 5 && status.MPI_TAG == 7);
    MPI_Probe(0, 6, world, &status);
    EXPECT(countOf(&status, MPI_BYTE) == sizeof like);
    MPI_Irecv(like, sizeof like, MPI_BYTE, 0, MPI_ANY_TAG, world, &request);
    MPI_Wait(&request, &status);
    EXPECT(like[0] == 7 && status.MPI_TAG == 6 && countOf(&status, MPI_BYTE) == sizeof like);
    void *at = acis_device_pointer(buffer);
    memset(host, 0, size);
    writeBuffer(device, buffer, 0, size, host);
    switch (turn) {
    case 0:
    case 1:
      MPI_Recv(at, (int)size, MPI_BYTE, MPI_ANY_SOURCE, 5, world, &status);
      break;
    case 2:
      for (flag = 0; !flag;)
        MPI_Improbe(0, 5, world, &flag, &message, &status);
      MPI_Imrecv(at, (int)size, MPI_BYTE, &message, &request);
      MPI_Wait(&request, &status);
      break;
    case 3:
      MPI_Recv_init(at, (int)size, MPI_BYTE, 0, 5, world, &request);
      MPI_Start(&request);
      MPI_Wait(&request, &status);
      MPI_Request_free(&request);
      break;
    case 4:
      MPI_Mrecv(at, (int)size, MPI_BYTE, &message, &status);
      break;
    case 5:
      MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, at, (int)size, MPI_BYTE, 0, MPI_ANY_TAG,
                   world, &status);
      break;
    }
    EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
    EXPECT(countOf(&status, MPI_BYTE) == (int)size);
    EXPECT(deviceHolds(buffer, 4));
    MPI_Recv(&small, 1, MPI_INT, 0, 8, world, MPI_STATUS_IGNORE);
  }
  drop(buffer);
}

/* Receives that are too small get MPI's error, the sender none, and other messages go on. */
static void truncated(void) {
  cl_mem buffer = filled(6);
  MPI_Request request;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  const int capacities[] = {0, 4, 1000, 16383, 16384, 20000};
  for (int i = 0; i < 6; ++i) {
    const int capacity = capacities[i];
    if (rank == 0) {
      EXPECT(MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world) ==
             MPI_SUCCESS);
      MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 2, world);
    } else {
      memset(host, 1, size);
      host[capacity] = 99;
      int code;
      if (i % 2) {
        code = MPI_Recv(host, capacity, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
      } else {
        MPI_Irecv(host, capacity, MPI_BYTE, 0, 1, world, &request);
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      EXPECT(errorClass(code) == MPI_ERR_TRUNCATE);
      /* Below an announcement's size it is MPI that drops it: Open MPI 4.1.4 writes beyond. */
      EXPECT(host[capacity] == 99 || capacity < 16384);
      MPI_Recv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 2, world, MPI_STATUS_IGNORE);
      EXPECT(deviceHolds(buffer, 6));
    }
  }
  MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL);
  drop(buffer);
}

/* Other communicators: ranks in another order, two groups, any source, oneself. */
static void communicators(void) {
  cl_mem give = filled((unsigned)rank), get = filled(9);
  MPI_Comm reversed, group, both;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_split(world, 0, -rank, &reversed);
  int own;
  MPI_Comm_rank(reversed, &own);
  const int to = (own + 1) % ranks, from = (own + ranks - 1) % ranks;
  MPI_Sendrecv(acis_device_pointer(give), (int)size, MPI_BYTE, to, 1, acis_device_pointer(get),
               (int)size, MPI_BYTE, from, 1, reversed, &status);
  EXPECT(status.MPI_SOURCE == from && deviceHolds(get, (unsigned)(ranks - 1 - from)));
  MPI_Comm_split(world, rank > 0, rank, &group);
  MPI_Intercomm_create(group, 0, world, rank == 0, 3, &both);
  if (rank == 0) {
    MPI_Isend(acis_device_pointer(give), (int)size, MPI_BYTE, 0, 1, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 1; i < ranks; ++i) {
      MPI_Recv(acis_device_pointer(get), (int)size, MPI_BYTE, MPI_ANY_SOURCE, 2, world, &status);
      EXPECT(deviceHolds(get, (unsigned)status.MPI_SOURCE));
    }
  } else {
    if (rank == 1) {
      MPI_Recv(acis_device_pointer(get), (int)size, MPI_BYTE, 0, 1, both, MPI_STATUS_IGNORE);
      EXPECT(deviceHolds(get, 0));
    }
    MPI_Send(acis_device_pointer(give), (int)size, MPI_BYTE, 0, 2, world);
  }
  MPI_Irecv(acis_device_pointer(get), (int)size, MPI_BYTE, rank, 4, world, &request);
  MPI_Send(acis_device_pointer(give), (int)size, MPI_BYTE, rank, 4, world);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(deviceHolds(get, (unsigned)rank));
  MPI_Comm_free(&both);
  MPI_Comm_free(&group);
  MPI_Comm_free(&reversed);
  drop(give);
  drop(get);
}

/* Persistent requests, requests that are given up, a receive that is cancelled. */
static void requests(void) {
  cl_mem buffer = filled(0);
  void *at = acis_device_pointer(buffer);
  MPI_Request request;
  MPI_Status status;
  if (rank == 0)
    MPI_Send_init(at, (int)size, MPI_BYTE, 1, 1, world, &request);
  else
    MPI_Recv_init(at, (int)size, MPI_BYTE, 0, 1, world, &request);
  for (unsigned round = 0; round < 3; ++round) {
    drop(filled(rank == 0 ? round : 99));
    writeBuffer(device, buffer, 0, size, host);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    EXPECT(request != MPI_REQUEST_NULL);
    EXPECT(rank == 0 || (countOf(&status, MPI_BYTE) == (int)size && deviceHolds(buffer, round)));
  }
  MPI_Request_free(&request);
  drop(filled(50 + (unsigned)rank));
  writeBuffer(device, buffer, 0, size, host);
  if (rank == 0) {
    MPI_Isend(at, (int)size, MPI_BYTE, 1, 1, world, &request);
    MPI_Request_free(&request);
    MPI_Barrier(world);
  } else {
    MPI_Barrier(world);
    MPI_Recv(at, (int)size, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
    EXPECT(deviceHolds(buffer, 50));
    int isCancelled = 0;
    MPI_Irecv(at, (int)size, MPI_BYTE, 0, 17, world, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &isCancelled);
    EXPECT(isCancelled && deviceHolds(buffer, 50));
  }
  drop(buffer);
}

/* A sender that leaves MPI for a while after its send. */
static void late(void) {
  cl_mem buffer = filled((unsigned)rank);
  if (rank == 0) {
    MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world);
    MPI_Barrier(world);
  } else {
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 0.1)
      ;
    MPI_Recv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
    EXPECT(deviceHolds(buffer, 0));
    MPI_Barrier(world);
  }
  drop(buffer);
}

#if MPI_VERSION >= 4
/* What MPI 4 adds. */
static void four(void) {
  cl_mem give = filled((unsigned)rank), get = filled(9);
  void *from = acis_device_pointer(give), *to = acis_device_pointer(get);
  MPI_Request request;
  MPI_Status status;
  MPI_Isendrecv(from, (int)size, MPI_BYTE, other, 1, to, (int)size, MPI_BYTE, other, 1, world,
                &request);
  MPI_Wait(&request, &status);
  EXPECT(countOf(&status, MPI_BYTE) == (int)size && deviceHolds(get, (unsigned)other));
  MPI_Isendrecv_replace_c(to, (MPI_Count)size, MPI_BYTE, other, 2, other, 2, world, &request);
  MPI_Wait(&request, &status);
  EXPECT(countOf(&status, MPI_BYTE) == (int)size && deviceHolds(get, (unsigned)rank));
  MPI_Irecv_c(host, (MPI_Count)size, MPI_BYTE, other, 3, world, &request);
  MPI_Send_c(from, (MPI_Count)size, MPI_BYTE, other, 3, world);
  MPI_Wait(&request, &status);
  EXPECT(countOf(&status, MPI_BYTE) == (int)size && holds(host, size, (unsigned)other));
  drop(give);
  drop(get);
}
#else
static void four(void) {}
#endif

/* What a receive that failed may leave: bytes of the message up to a place, the old ones from there
   on. Whether all of them came. */
static int holdsPart(const unsigned char *bytes, unsigned came, unsigned was) {
  size_t place = 0;
  while (place < size && bytes[place] == byteAt(place, came))
    ++place;
  for (size_t i = place; i < size; ++i)
    EXPECT(bytes[i] == byteAt(i, was));
  return place == size;
}

/* A device that fails in the middle: both ends say so and name the buffer, and
   nothing but bytes of the message has been written, in order; then others go on. */
static void failing(int failingRank, int isReceiverOrdinary) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length, code;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Status status;
  cl_mem buffer = filled((unsigned)rank);
  void *into = isReceiverOrdinary ? host : acis_device_pointer(buffer);
  acis_device_name(buffer, rank == 0 ? "given" : "got");
  if (rank == 0)
    code = MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world);
  else
    code = MPI_Recv(into, (int)size, MPI_BYTE, 0, 1, world, &status);
  if (rank == 1 && failingRank == 0) {
    if (!isReceiverOrdinary)
      readBuffer(device, buffer, 0, size, host);
    EXPECT(!holdsPart(host, 0, 1));
  }
  if (code != MPI_SUCCESS)
    MPI_Error_string(code, text, &length);
  EXPECT((code != MPI_SUCCESS) == (failingRank == 0 || rank == 1));
  EXPECT(code == MPI_SUCCESS || strstr(text, failingRank == 0 ? "'given'" : "'got'"));
  printf("rank %d: %s\n", rank, text);
  MPI_Sendrecv(host, 10, MPI_BYTE, other, 2, host + 10, 10, MPI_BYTE, other, 2, world,
               MPI_STATUS_IGNORE);
  drop(buffer);
}

static void failingSender(void) { failing(0, 0); }
static void failingSenderOrdinary(void) { failing(0, 1); }
static void failingReceiver(void) { failing(1, 0); }

/* Released by the program while it comes. */
static void released(void) {
  MPI_Request request;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  cl_mem buffer = filled((unsigned)rank);
  acis_device_name(buffer, "gone");
  void *at = acis_device_pointer(buffer);
  if (rank == 0)
    MPI_Isend(at, (int)size, MPI_BYTE, 1, 1, world, &request);
  else
    MPI_Irecv(at, (int)size, MPI_BYTE, 0, 1, world, &request);
  drop(buffer);
  const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(code != MPI_SUCCESS);
  if (code != MPI_SUCCESS)
    MPI_Error_string(code, text, &length);
  EXPECT(strstr(text, "'gone'") && strstr(text, "was released while a message was under way"));
}

/* A rank that ends while the other one waits for it: the job ends, too. */
static void ends(void) {
  cl_mem buffer = filled(1);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1, 1, world, &request);
    _Exit(3);
  }
  MPI_Recv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
  MPI_Recv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 0, 1, world, MPI_STATUS_IGNORE);
  drop(buffer);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"crossing", crossing},
               {"barriers", barriers},
               {"elsewhere", elsewhere},
               {"claimed", claimed},
               {"orders", orders},
               {"ordinary", ordinary},
               {"probes", probes},
               {"truncated", truncated},
               {"communicators", communicators},
               {"requests", requests},
               {"late", late},
               {"four", four},
               {"failing-sender", failingSender},
               {"failing-sender-ordinary", failingSenderOrdinary},
               {"failing-receiver", failingReceiver},
               {"released", released},
               {"ends", ends}};
  enum { NumCommon = 11 };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  other = 1 - rank;
  if (argc > 2)
    size = strtoul(argv[2], NULL, 10) / 8 * 8;
  /* The layer reads it at the first copy. */
  const char *fails = rank == 0 ? "failing-sender" : "failing-receiver";
  if (argc > 1 && strncmp(argv[1], fails, strlen(fails)) == 0)
    setenv("ACIS_TEST_DEVICE_FAILS", "3", 1);
  device = openDevice();
  host = malloc(2 * size + 100);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    if (argc > 1 && (strcmp(argv[1], cases[i].name) == 0 ||
                     (strcmp(argv[1], "all") == 0 && i < NumCommon && ranks == 2)))
      cases[i].run();
  free(host);
  closeDevice(device);
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
