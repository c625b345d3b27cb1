/* device-threads: threads of two ranks, each with messages of its own tag on buffers that it makes,
   names, maps and releases, in a context of its own for every other one, of another device where
   there is one. Prints "No Errors". */
#include "runtime/host/device/acis_device.h"
#include "test/Device/Inputs/Device.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { NumThreads = 4, Rounds = 60, Largest = 50000 };
static Device shared;
static int rank;

static int holds(const unsigned char *at, size_t size, int value) {
  for (size_t i = 0; i < size; ++i)
    if (at[i] != value)
      return 0;
  return 1;
}

static void *run(void *argument) {
  const int tag = (int)(size_t)argument;
  const Device device = tag % 2 ? openDeviceNumber((unsigned)tag) : shared;
  unsigned char *host = malloc(Largest);
  size_t errors = 0;
  for (int round = 0; round < Rounds; ++round) {
    const size_t size = 1 + (size_t)(round * 7919 * (tag + 1)) % Largest;
    const int value = (tag * 50 + round) % 256;
    cl_mem give = makeBuffer(device, CL_MEM_READ_WRITE, size, NULL);
    cl_mem get = makeBuffer(device, CL_MEM_READ_WRITE, size, NULL);
    memset(host, value ^ rank, size);
    writeBuffer(device, give, 0, size, host);
    void *mapped = round % 3 == 0 ? map(device, get, CL_MAP_WRITE, 0, size) : NULL;
    MPI_Request requests[2];
    MPI_Irecv(mapped ? mapped : acis_device_pointer(get), (int)size, MPI_BYTE, 1 - rank, tag,
              MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(acis_device_pointer(give), (int)size, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (mapped)
      unmap(device, get, mapped);
    readBuffer(device, get, 0, size, host);
    errors += !holds(host, size, value ^ (1 - rank));
    CL_CHECK(clReleaseMemObject(give));
    CL_CHECK(clReleaseMemObject(get));
  }
  free(host);
  if (tag % 2)
    closeDevice(device);
  return (void *)errors;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (provided < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  shared = openDevice();
  pthread_t threads[NumThreads];
  int errors = 0, all = 0;
  for (size_t i = 0; i < NumThreads; ++i)
    pthread_create(&threads[i], NULL, run, (void *)i);
  for (size_t i = 0; i < NumThreads; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    errors += (int)(size_t)result;
  }
  closeDevice(shared);
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
