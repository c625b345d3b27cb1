/* The first device of the machine, for programs of these tests. Ends the program with 77 where
   there is none. */
#pragma once

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_device_id device;
} Device;

#define CL_CHECK(call)                                                                             \
  do {                                                                                             \
    cl_int result_ = (call);                                                                       \
    if (result_ != CL_SUCCESS) {                                                                   \
      fprintf(stderr, "%s:%d: OpenCL error %d\n", __FILE__, __LINE__, result_);                    \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* Device `number` of those that there are, again from the first after the last. */
static inline Device openDeviceNumber(unsigned number) {
  Device made;
  cl_platform_id platform;
  cl_device_id devices[16];
  cl_uint platforms = 0, count = 0;
  cl_int code = clGetPlatformIDs(1, &platform, &platforms);
  if (code != CL_SUCCESS || platforms == 0 ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS) {
    printf("no OpenCL device\n");
    exit(77);
  }
  made.device = devices[number % (count < 16 ? count : 16)];
  made.context = clCreateContext(NULL, 1, &made.device, NULL, NULL, &code);
  CL_CHECK(code);
  made.queue = clCreateCommandQueueWithProperties(made.context, made.device, NULL, &code);
  CL_CHECK(code);
  return made;
}

static inline Device openDevice(void) { return openDeviceNumber(0); }

static inline void closeDevice(Device device) {
  CL_CHECK(clFinish(device.queue));
  CL_CHECK(clReleaseCommandQueue(device.queue));
  CL_CHECK(clReleaseContext(device.context));
}

static inline cl_mem makeBuffer(Device device, cl_mem_flags flags, size_t size, void *host) {
  cl_int code;
  cl_mem made = clCreateBuffer(device.context, flags, size, host, &code);
  CL_CHECK(code);
  return made;
}

static inline void *map(Device device, cl_mem buffer, cl_map_flags flags, size_t offset,
                        size_t size) {
  cl_int code;
  void *at =
      clEnqueueMapBuffer(device.queue, buffer, CL_TRUE, flags, offset, size, 0, NULL, NULL, &code);
  CL_CHECK(code);
  return at;
}

static inline void unmap(Device device, cl_mem buffer, void *at) {
  CL_CHECK(clEnqueueUnmapMemObject(device.queue, buffer, at, 0, NULL, NULL));
  CL_CHECK(clFinish(device.queue));
}

static inline void readBuffer(Device device, cl_mem buffer, size_t offset, size_t size, void *to) {
  CL_CHECK(clEnqueueReadBuffer(device.queue, buffer, CL_TRUE, offset, size, to, 0, NULL, NULL));
}

static inline void writeBuffer(Device device, cl_mem buffer, size_t offset, size_t size,
                               const void *from) {
  CL_CHECK(clEnqueueWriteBuffer(device.queue, buffer, CL_TRUE, offset, size, from, 0, NULL, NULL));
}
