/* device-errors [failing | without]: what a program can do wrong with device memory. Each is an error of MPI
   that names the buffer, and the messages after it go on. Prints each error's text once, then "No
   Errors". */
#include "runtime/host/device/acis_device.h"
#include "test/Device/Inputs/Device.h"

#include <mpi.h>
#include <string.h>

enum { Size = 100000 };
static Device device;
static int rank, errors;
static unsigned char host[Size];

static void expectError(int code, const char *part) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  if (code != MPI_SUCCESS)
    MPI_Error_string(code, text, &length);
  if (rank == 0)
    printf("%s\n", code == MPI_SUCCESS ? "no error" : text);
  if (code == MPI_SUCCESS || !strstr(text, part)) {
    printf("rank %d: wanted '%s', got '%s'\n", rank, part, text);
    ++errors;
  }
}

static cl_mem named(cl_mem_flags flags, const char *name) {
  cl_mem made = makeBuffer(device, flags, Size, NULL);
  if (acis_device_name(made, name) != 0)
    ++errors;
  return made;
}

/* The other rank's next message is received by ordinary means. */
static void passOne(int tag) {
  MPI_Sendrecv(host, 10, MPI_BYTE, 1 - rank, tag, host + 50, 10, MPI_BYTE, 1 - rank, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ranges(void) {
  cl_mem first = named(CL_MEM_READ_WRITE, "first");
  char *at = acis_device_pointer(first);
  expectError(MPI_Send(at + 1, Size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD),
              "buffer 'first' of 100000 bytes: ends before the message does: 100000 bytes from "
              "byte 1 on, but 99999 are left");
  MPI_Request request;
  expectError(MPI_Irecv(at + Size - 4, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request),
              "'first'");
  if (request != MPI_REQUEST_NULL)
    ++errors;
  char *part = map(device, first, CL_MAP_WRITE, 100, 50);
  expectError(MPI_Recv(part, 51, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "but 50 are mapped there");
  unmap(device, first, part);
  CL_CHECK(clReleaseMemObject(first));
  passOne(1);
}

static void flags(void) {
  const struct {
    cl_mem_flags flags;
    int sends, receives;
  } cases[] = {{CL_MEM_HOST_READ_ONLY, 1, 0},
               {CL_MEM_HOST_WRITE_ONLY, 0, 1},
               {CL_MEM_HOST_NO_ACCESS, 0, 0},
               {CL_MEM_READ_ONLY, 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    cl_mem buffer = named(cases[i].flags, "flagged");
    void *at = acis_device_pointer(buffer);
    int code = MPI_SUCCESS;
    MPI_Request request = MPI_REQUEST_NULL;
    if (cases[i].sends) {
      MPI_Isend(at, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
      MPI_Recv(host, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      expectError(MPI_Isend(at, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request), "'flagged'");
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (cases[i].receives) {
      MPI_Irecv(at, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &request);
      MPI_Send(host, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD);
      code = MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (code != MPI_SUCCESS)
        ++errors;
    } else {
      expectError(MPI_Recv(at, Size, MPI_BYTE, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                  "'flagged'");
    }
    CL_CHECK(clReleaseMemObject(buffer));
  }
  cl_mem buffer = named(CL_MEM_READ_WRITE, "mapped");
  void *at = map(device, buffer, CL_MAP_READ, 0, Size);
  expectError(MPI_Recv(at, Size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "buffer 'mapped' of 100000 bytes: is mapped for reading only");
  unmap(device, buffer, at);
  CL_CHECK(clReleaseMemObject(buffer));
  passOne(2);
}

static void released(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "released");
  MPI_Request request;
  MPI_Irecv(acis_device_pointer(buffer), Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  CL_CHECK(clReleaseMemObject(buffer));
  MPI_Send(host, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD);
  expectError(MPI_Wait(&request, MPI_STATUS_IGNORE),
              "buffer 'released' of 100000 bytes: was released while a message was under way, "
              "which is lost");

  /* Several in one call: the one that failed says so, the other is whole. */
  cl_mem bad = named(CL_MEM_READ_WRITE, "bad"), good = named(CL_MEM_READ_WRITE, "good");
  MPI_Request requests[2];
  MPI_Status statuses[2];
  unsigned char byte = 0;
  MPI_Irecv(acis_device_pointer(bad), Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(acis_device_pointer(good), Size, MPI_BYTE, 1 - rank, 5, MPI_COMM_WORLD, &requests[1]);
  CL_CHECK(clReleaseMemObject(bad));
  host[Size - 1] = 123;
  MPI_Send(host, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD);
  MPI_Send(host, Size, MPI_BYTE, 1 - rank, 5, MPI_COMM_WORLD);
  if (MPI_Waitall(2, requests, statuses) != MPI_ERR_IN_STATUS ||
      statuses[1].MPI_ERROR != MPI_SUCCESS)
    ++errors;
  expectError(statuses[0].MPI_ERROR, "'bad'");
  readBuffer(device, good, Size - 1, 1, &byte);
  errors += byte != 123;
  CL_CHECK(clReleaseMemObject(good));

  buffer = named(CL_MEM_READ_WRITE, "again");
  MPI_Recv_init(acis_device_pointer(buffer), Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  CL_CHECK(clReleaseMemObject(buffer));
  expectError(MPI_Start(&request),
              "buffer 'again' of 100000 bytes: was released before the message began");
  MPI_Request_free(&request);
  passOne(3);
}

/* The memory stays mapped until the message has come, and holds it. */
static void unmapped(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "busy");
  unsigned char *at = map(device, buffer, CL_MAP_WRITE, 0, Size);
  unsigned char byte = 0;
  MPI_Request request;
  MPI_Irecv(at, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  if (clEnqueueUnmapMemObject(device.queue, buffer, at, 0, NULL, NULL) != CL_INVALID_OPERATION)
    ++errors;
  host[Size - 1] = 99;
  MPI_Send(host, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD);
  expectError(MPI_Wait(&request, MPI_STATUS_IGNORE),
              "buffer 'busy' of 100000 bytes: was to be unmapped while a message was under way; it "
              "is still mapped");
  unmap(device, buffer, at);
  readBuffer(device, buffer, Size - 1, 1, &byte);
  errors += byte != 99;
  CL_CHECK(clReleaseMemObject(buffer));
  passOne(4);
}

/* MPI's own error: nothing reaches the device. */
static void truncated(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "small");
  unsigned char byte = 17;
  writeBuffer(device, buffer, 0, 1, &byte);
  MPI_Request request;
  MPI_Irecv(acis_device_pointer(buffer), 10, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  MPI_Send(host, 20, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD);
  int class = MPI_SUCCESS;
  MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &class);
  errors += class != MPI_ERR_TRUNCATE;
  readBuffer(device, buffer, 0, 1, &byte);
  errors += byte != 17;
  CL_CHECK(clReleaseMemObject(buffer));
  passOne(5);
}

/* Blocks that go beyond the buffer, and a buffer that is mapped in a collective. */
static void blocks(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "whole");
  void *at = acis_device_pointer(buffer);
  MPI_Request request = MPI_REQUEST_NULL;
  int counts[64], offsets[64];
  for (int i = 0; i < 64; ++i) {
    counts[i] = 10;
    offsets[i] = Size - 5;
  }
  expectError(
      MPI_Iallgatherv(host, 10, MPI_BYTE, at, counts, offsets, MPI_BYTE, MPI_COMM_WORLD, &request),
      "buffer 'whole' of 100000 bytes: ends before the message does");
  at = map(device, buffer, CL_MAP_WRITE, 0, Size);
  if (MPI_Iallreduce(host, at, 10, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD, &request) != MPI_SUCCESS ||
      MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    ++errors;
  unmap(device, buffer, at);
  CL_CHECK(clReleaseMemObject(buffer));
}

/* No copy works: nothing is sent, and what comes is not on the device. */
static void failing(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "failing");
  void *at = acis_device_pointer(buffer);
  MPI_Request request;
  int isThere = 1;
  expectError(MPI_Send(at, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD),
              "buffer 'failing' of 100000 bytes: cannot be read: OpenCL error -5");
  expectError(MPI_Isend(at, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request), "-5");
  errors += request != MPI_REQUEST_NULL;
  expectError(MPI_Allreduce(MPI_IN_PLACE, at, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD), "-5");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE);
  errors += isThere;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(at, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  MPI_Send(host, Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD);
  expectError(MPI_Wait(&request, MPI_STATUS_IGNORE),
              "'failing' of 100000 bytes: cannot be written");
  CL_CHECK(clReleaseMemObject(buffer));
  passOne(6);
}

/* A context whose devices are none any more. */
static void without(void) {
  cl_mem buffer = named(CL_MEM_READ_WRITE, "lone");
  expectError(MPI_Send(acis_device_pointer(buffer), Size, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD),
              "buffer 'lone' of 100000 bytes: cannot be read: its context has no device");
  CL_CHECK(clReleaseMemObject(buffer));
  passOne(6);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (!acis_device_pointer)
    MPI_Abort(MPI_COMM_WORLD, 1);
  device = openDevice();
  if (argc > 1) {
    strcmp(argv[1], "without") == 0 ? without() : failing();
  } else {
    ranges();
    flags();
    released();
    unmapped();
    truncated();
    blocks();
  }
  /* Handles that are none. */
  errors += acis_device_pointer((cl_mem)(void *)&errors) != NULL ||
            acis_device_name((cl_mem)(void *)&errors, "x") != -1;
  closeDevice(device);
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return 0;
}
