// Heat on a plate whose field lives on an OpenCL device of each rank.
//
// usage: stencil device|plain [ROWS COLUMNS STEPS]
//
// The rows are divided among the ranks. After each step a rank needs the last row of the rank above
// and the first row of the one below. `device` gives rows of the device's buffer to MPI, as
// acis-mpirun --device allows; `plain` reads and writes them by itself and needs only MPI. Both
// print the same sum of the plate, for any number of ranks that divides ROWS.
#include <CL/cl.h>
#include <acis_device.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const source =
    "kernel void diffuse(global const int *from, global int *to, int columns) {\n"
    "  size_t c = get_global_id(0), r = get_global_id(1) + 1, at = r * columns + c;\n"
    "  int left = c == 0 ? 0 : from[at - 1], right = c + 1 == columns ? 0 : from[at + 1];\n"
    "  to[at] = (from[at - columns] + from[at + columns] + left + right + 4 * from[at]) / 8;\n"
    "}\n";

static int rank, ranks;
static cl_command_queue queue;

static void check(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "stencil: error: %s: OpenCL error %d\n", what, code);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// The first and the last row go out, rows above the first and below the last come in. `rows` is
// what MPI is given: host memory, or what stands for the device's. A rank at an edge has no
// neighbour there.
static void exchange(int *rows, int numRows, int columns) {
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  const size_t row = (size_t)columns;
  int *first = rows + row, *last = rows + row * (size_t)numRows;
  MPI_Request requests[4];
  MPI_Irecv(rows, columns, MPI_INT, above, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(last + row, columns, MPI_INT, below, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(first, columns, MPI_INT, above, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(last, columns, MPI_INT, below, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

// The same by hand: `host` has room for all rows.
static void exchangePlain(cl_mem field, int *host, int numRows, int columns) {
  const size_t row = (size_t)columns * sizeof *host, last = row * (size_t)numRows;
  char *at = (char *)host;
  check(clEnqueueReadBuffer(queue, field, CL_TRUE, row, row, at + row, 0, NULL, NULL), "read");
  check(clEnqueueReadBuffer(queue, field, CL_TRUE, last, row, at + last, 0, NULL, NULL), "read");
  exchange(host, numRows, columns);
  if (rank > 0)
    check(clEnqueueWriteBuffer(queue, field, CL_TRUE, 0, row, at, 0, NULL, NULL), "write");
  if (rank + 1 < ranks)
    check(clEnqueueWriteBuffer(queue, field, CL_TRUE, last + row, row, at + last + row, 0, NULL,
                               NULL),
          "write");
}

static cl_kernel openDevice(cl_context *context) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  *context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "context");
  queue = clCreateCommandQueueWithProperties(*context, device, NULL, &code);
  check(code, "queue");
  const char *text = source;
  cl_program program = clCreateProgramWithSource(*context, 1, &text, NULL, &code);
  check(code, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel kernel = clCreateKernel(program, "diffuse", &code);
  check(code, "kernel");
  check(clReleaseProgram(program), "program");
  return kernel;
}

static void run(int isPlain, int numRows, int columns, int steps) {
  const size_t cells = (size_t)(numRows + 2) * (size_t)columns, bytes = cells * sizeof(int);
  int *host = calloc(cells, sizeof *host);
  for (int r = 1; r <= numRows; ++r)
    for (int c = 0; c < columns; ++c)
      host[(size_t)r * (size_t)columns + (size_t)c] =
          (int)(((unsigned)(rank * numRows + r) * 7919u + (unsigned)c * 104729u) % 1000000u);
  cl_context context;
  cl_kernel kernel = openDevice(&context);
  cl_mem fields[2];
  cl_int code;
  for (int i = 0; i < 2; ++i) {
    fields[i] =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host, &code);
    check(code, "buffer");
  }
  const size_t size[2] = {(size_t)columns, (size_t)numRows};
  for (int s = 0; s < steps; ++s) {
    cl_mem from = fields[s % 2], to = fields[(s + 1) % 2];
    if (isPlain)
      exchangePlain(from, host, numRows, columns);
    else
      exchange(acis_device_pointer(from), numRows, columns);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    clSetKernelArg(kernel, 2, sizeof columns, &columns);
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL), "kernel");
    check(clFinish(queue), "kernel"); // MPI copies on a queue of its own
  }
  check(clEnqueueReadBuffer(queue, fields[steps % 2], CL_TRUE, 0, bytes, host, 0, NULL, NULL),
        "read");
  long long sum = 0, all = 0;
  for (size_t i = (size_t)columns; i < cells - (size_t)columns; ++i)
    sum += host[i] * (long long)(1 + (i + (size_t)rank * (size_t)numRows * (size_t)columns) % 13);
  MPI_Reduce(&sum, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %lld\n", all);
  clReleaseMemObject(fields[0]);
  clReleaseMemObject(fields[1]);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(host);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int isPlain = argc > 1 && strcmp(argv[1], "plain") == 0;
  const int rows = argc > 2 ? atoi(argv[2]) : 240, columns = argc > 3 ? atoi(argv[3]) : 300;
  const int steps = argc > 4 ? atoi(argv[4]) : 50;
  const char *problem = NULL;
  if (!isPlain && (argc < 2 || strcmp(argv[1], "device") != 0))
    problem = "usage: stencil device|plain [ROWS COLUMNS STEPS]";
  else if (rows < 1 || columns < 1 || steps < 0 || rows % ranks)
    problem = "ROWS and COLUMNS are at least 1, and the ranks divide ROWS";
  else if (!isPlain && !acis_device_pointer)
    problem = "`device` needs acis-mpirun --device; `plain` does not";
  if (problem) {
    if (rank == 0)
      fprintf(stderr, "stencil: error: %s\n", problem);
    MPI_Finalize();
    return 1;
  }
  run(isPlain, rows / ranks, columns, steps);
  MPI_Finalize();
  return 0;
}
