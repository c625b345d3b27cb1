/* device-latency WAY SMALLEST LARGEST SECONDS [CHUNK]: half a round trip of two ranks between
   device buffers, as the OSU benchmarks measure it.

   WAY  aware      the buffers are given to MPI (libacis-device)
        naive      read, MPI_Send; MPI_Recv, write: listing 1 of publication 002
        pipelined  the same by chunks that overlap, CHUNK bytes (default 1 MB): listing 2
        mapped     map for reading, MPI_Send, unmap; map for writing, MPI_Recv, unmap

   One line for each power of two: bytes, microseconds (least, median), and for `naive` the medians
   of reading, of the message and of writing. What arrived is compared at the end of each size. */
#include "runtime/host/device/acis_device.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MostRounds = 2000, MostChunks = 4096 };
static cl_context context;
static cl_command_queue queue;
static int rank;
static char *host;
static size_t chunk = 1 << 20;

static void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "device-latency: error: %s: OpenCL error %d\n", what, code);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void openDevice(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "context");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
  check(code, "queue");
}

static double parts[2]; /* of the last naive message: read, write */

static void sendNaive(cl_mem buffer, size_t size) {
  const double begin = MPI_Wtime();
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, host, 0, NULL, NULL), "read");
  parts[0] = MPI_Wtime() - begin;
  MPI_Send(host, (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
}

static void receiveNaive(cl_mem buffer, size_t size) {
  MPI_Recv(host, (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double begin = MPI_Wtime();
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, host, 0, NULL, NULL), "write");
  parts[1] = MPI_Wtime() - begin;
}

static size_t chunkAt(size_t i, size_t size) {
  return (i + 1) * chunk <= size ? chunk : size - i * chunk;
}

static cl_event events[MostChunks];
static MPI_Request requests[MostChunks];

static void releaseEvents(size_t chunks) {
  for (size_t i = 0; i < chunks; ++i)
    clReleaseEvent(events[i]);
}

static void sendPipelined(cl_mem buffer, size_t size) {
  const size_t chunks = (size + chunk - 1) / chunk;
  for (size_t i = 0; i < chunks; ++i)
    check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, i * chunk, chunkAt(i, size),
                              host + i * chunk, 0, NULL, &events[i]),
          "read");
  clFlush(queue);
  for (size_t i = 0; i < chunks; ++i) {
    clWaitForEvents(1, &events[i]);
    MPI_Isend(host + i * chunk, (int)chunkAt(i, size), MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
              &requests[i]);
  }
  MPI_Waitall((int)chunks, requests, MPI_STATUSES_IGNORE);
  releaseEvents(chunks);
}

static void receivePipelined(cl_mem buffer, size_t size) {
  const size_t chunks = (size + chunk - 1) / chunk;
  for (size_t i = 0; i < chunks; ++i)
    MPI_Irecv(host + i * chunk, (int)chunkAt(i, size), MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
              &requests[i]);
  for (size_t i = 0; i < chunks; ++i) {
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, i * chunk, chunkAt(i, size),
                               host + i * chunk, 0, NULL, &events[i]),
          "write");
    clFlush(queue);
  }
  clWaitForEvents((cl_uint)chunks, events);
  releaseEvents(chunks);
}

static void *map(cl_mem buffer, cl_map_flags flags, size_t size) {
  cl_int code;
  void *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, size, 0, NULL, NULL, &code);
  check(code, "map");
  return at;
}

static void unmap(cl_mem buffer, void *at) {
  check(clEnqueueUnmapMemObject(queue, buffer, at, 0, NULL, NULL), "unmap");
  clFinish(queue);
}

static void sendMapped(cl_mem buffer, size_t size) {
  void *at = map(buffer, CL_MAP_READ, size);
  MPI_Send(at, (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
  unmap(buffer, at);
}

static void receiveMapped(cl_mem buffer, size_t size) {
  void *at = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, size);
  MPI_Recv(at, (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  unmap(buffer, at);
}

static void sendAware(cl_mem buffer, size_t size) {
  MPI_Send(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
}

static void receiveAware(cl_mem buffer, size_t size) {
  MPI_Recv(acis_device_pointer(buffer), (int)size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

typedef struct {
  const char *name;
  void (*send)(cl_mem, size_t);
  void (*receive)(cl_mem, size_t);
} Way;
static const Way ways[] = {{"aware", sendAware, receiveAware},
                           {"naive", sendNaive, receiveNaive},
                           {"pipelined", sendPipelined, receivePipelined},
                           {"mapped", sendMapped, receiveMapped}};

static int byTime(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static double median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, byTime);
  return 1e6 * times[count / 2];
}

/* Rank 0's buffer goes to rank 1 and back into another one. */
static void roundTrip(const Way *way, cl_mem give, cl_mem get, size_t size) {
  if (rank == 0)
    way->send(give, size);
  way->receive(get, size);
  if (rank == 1)
    way->send(get, size);
}

static void measure(const Way *way, size_t size, double seconds) {
  static double whole[MostRounds], each[2][MostRounds];
  cl_int code;
  char *bytes = malloc(size), *back = malloc(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = (char)(i * 31 + size);
  cl_mem give =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, &code);
  check(code, "buffer");
  cl_mem get = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &code);
  check(code, "buffer");
  for (int i = 0; i < 3; ++i)
    roundTrip(way, give, get, size);
  int count = 0, goesOn = 1;
  for (const double begin = MPI_Wtime(); goesOn;) {
    const double start = MPI_Wtime();
    roundTrip(way, give, get, size);
    whole[count] = (MPI_Wtime() - start) / 2;
    each[0][count] = parts[0];
    each[1][count] = parts[1];
    ++count;
    goesOn = count < MostRounds && (count < 5 || MPI_Wtime() - begin < seconds);
    MPI_Bcast(&goesOn, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  check(clEnqueueReadBuffer(queue, get, CL_TRUE, 0, size, back, 0, NULL, NULL), "read");
  if (memcmp(bytes, back, size) != 0) {
    fprintf(stderr, "device-latency: error: wrong bytes of %zu\n", size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const double middle = median(whole, count);
  /* Of both ranks: each reads once and writes once in a round trip. */
  const double own[2] = {median(each[0], count) / 2, median(each[1], count) / 2};
  double both[2];
  MPI_Reduce(own, both, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%zu %.2f %.2f", size, 1e6 * whole[0], middle);
    if (way->send == sendNaive)
      printf(" %.2f %.2f %.2f", both[0], middle - both[0] - both[1], both[1]);
    printf("\n");
    fflush(stdout);
  }
  clReleaseMemObject(give);
  clReleaseMemObject(get);
  free(bytes);
  free(back);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Way *way = NULL;
  for (size_t i = 0; argc > 4 && i < sizeof ways / sizeof ways[0]; ++i)
    if (strcmp(argv[1], ways[i].name) == 0)
      way = &ways[i];
  if (!way || (way->send == sendAware && !acis_device_pointer)) {
    fprintf(stderr, "device-latency: error: %s\n",
            way ? "libacis-device is not loaded" : "usage: WAY SMALLEST LARGEST SECONDS [CHUNK]");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const size_t smallest = strtoul(argv[2], NULL, 10), largest = strtoul(argv[3], NULL, 10);
  if (argc > 5)
    chunk = strtoul(argv[5], NULL, 10);
  if (smallest == 0 || chunk == 0 || largest / chunk >= MostChunks) {
    fprintf(stderr, "device-latency: error: sizes must be at least 1, and chunks fewer than %d\n",
            MostChunks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  host = malloc(largest);
  memset(host, 1, largest);
  openDevice();
  for (size_t size = smallest; size <= largest; size *= 2)
    measure(way, size, strtod(argv[4], NULL));
  free(host);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  MPI_Finalize();
  return 0;
}
