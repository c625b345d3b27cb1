/* device-memory CASE: right and wrong uses of a buffer's host memory. */
#include "test/Device/Inputs/Device.h"

#include <string.h>
#include <time.h>

enum { Size = 10000 };

static int finish(const char *what, int isRight) {
  printf("%s: %s\n", what, isRight ? "right" : "wrong");
  return !isRight;
}

static int holds(const unsigned char *at, size_t size, int value) {
  for (size_t i = 0; i < size; ++i)
    if (at[i] != value)
      return 0;
  return 1;
}

/* A map, a sub-buffer's map, a kernel's view (a copy on the device) and a read agree. */
static int proper(Device device) {
  static unsigned char host[Size];
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE, Size, NULL);
  cl_mem other = makeBuffer(device, CL_MEM_READ_WRITE, Size, NULL);
  unsigned char *at = map(device, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, Size);
  memset(at, 3, Size);
  unmap(device, buffer, at);
  cl_buffer_region region = {4096, 512};
  cl_int code;
  cl_mem part =
      clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  CL_CHECK(code);
  unsigned char *inside = map(device, part, CL_MAP_READ | CL_MAP_WRITE, 12, 100);
  int isRight = inside == at + 4096 + 12 && holds(inside, 100, 3);
  memset(inside, 4, 100);
  unmap(device, part, inside);
  CL_CHECK(clEnqueueCopyBuffer(device.queue, buffer, other, 0, 0, Size, 0, NULL, NULL));
  readBuffer(device, other, 0, Size, host);
  isRight &=
      holds(host, 4108, 3) && holds(host + 4108, 100, 4) && holds(host + 4208, Size - 4208, 3);
  CL_CHECK(clReleaseMemObject(part));
  CL_CHECK(clReleaseMemObject(other));
  CL_CHECK(clReleaseMemObject(buffer));
  return finish("proper", isRight);
}

/* What was written behind an unmapped address. */
static int unmapped(Device device) {
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE, Size, NULL);
  unsigned char *at = map(device, buffer, CL_MAP_WRITE, 0, Size);
  unmap(device, buffer, at);
  *(volatile unsigned char *)at = 1;
  return finish("unmapped", 1);
}

/* The device's bytes, by an address that was mapped before they were written. */
static int stale(Device device) {
  static unsigned char own[Size], host[Size];
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, Size, own);
  memset(host, 7, Size);
  writeBuffer(device, buffer, 0, Size, host);
  const int isRight = holds(own, Size, 7);
  CL_CHECK(clReleaseMemObject(buffer));
  return finish("stale", isRight);
}

/* A write to a map that is for reading only. */
static int unasked(Device device) {
  unsigned char byte = 1;
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE, Size, NULL);
  writeBuffer(device, buffer, 0, 1, &byte);
  unsigned char *at = map(device, buffer, CL_MAP_READ, 0, Size);
  *at = 2;
  unmap(device, buffer, at);
  readBuffer(device, buffer, 0, 1, &byte);
  CL_CHECK(clReleaseMemObject(buffer));
  return finish("unasked", byte == 2);
}

/* Milliseconds that 1 MB takes. */
static int pace(Device device) {
  static unsigned char host[1000000];
  struct timespec begin, end;
  cl_mem buffer = makeBuffer(device, CL_MEM_READ_WRITE, sizeof host, NULL);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  writeBuffer(device, buffer, 0, sizeof host, host);
  readBuffer(device, buffer, 0, sizeof host, host);
  clock_gettime(CLOCK_MONOTONIC, &end);
  CL_CHECK(clReleaseMemObject(buffer));
  const double ms = (end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) / 1e6;
  return finish("at 10 MB/s", ms >= 200);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    int (*run)(Device);
  } cases[] = {{"proper", proper},
               {"unmapped", unmapped},
               {"stale", stale},
               {"unasked", unasked},
               {"pace", pace}};
  Device device = openDevice();
  int result = 2;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
      result = cases[i].run(device);
  closeDevice(device);
  return result;
}
