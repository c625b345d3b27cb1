/* ACIS_Idot: the partial sum of this rank at once, the sum of these by one collective. */
#include "runtime/host/kernels/Check.h"
#include "runtime/host/kernels/Sum.h"
#include "runtime/host/kernels/Task.h"
#include "runtime/host/kernels/acis_kernels.h"

#include <stdlib.h>

static float partialFloat(const float *x, const float *y, long long n) {
  float sum = 0;
  long long i;
  for (i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double partialDouble(const double *x, const double *y, long long n) {
  double sum = 0;
  long long i;
  for (i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

typedef struct {
  Task task;
  MPI_Request sum;
  int isFloat;
  void *result;
  int64_t words[SumWords];
} Dot;

static int step(Task *task, int mayWait) {
  Dot *dot = (Dot *)task;
  int isDone = 1;
  task->code = mayWait ? MPI_Wait(&dot->sum, MPI_STATUS_IGNORE)
                       : MPI_Test(&dot->sum, &isDone, MPI_STATUS_IGNORE);
  if (task->code != MPI_SUCCESS)
    return 1;
  if (!isDone)
    return 0;
  if (dot->isFloat)
    *(float *)dot->result = (float)sumRound(dot->words, 1);
  else
    *(double *)dot->result = sumRound(dot->words, 0);
  return 1;
}

static void destroy(Task *task) { free(task); }

static int exact(double partial, int isFloat, void *result, MPI_Comm comm, MPI_Request *request) {
  Dot *dot = calloc(1, sizeof *dot);
  int code;
  if (!dot)
    return kernelsFail(comm, "ACIS_Idot: no memory");
  dot->task.step = step;
  dot->task.destroy = destroy;
  dot->isFloat = isFloat;
  dot->result = result;
  sumSet(dot->words, partial);
  code = MPI_Iallreduce(MPI_IN_PLACE, dot->words, SumWords, MPI_INT64_T, MPI_SUM, comm, &dot->sum);
  if (code != MPI_SUCCESS) {
    free(dot);
    return code;
  }
  return taskStart(&dot->task, request);
}

int ACIS_Idot(const void *x, const void *y, long long n, MPI_Datatype type, void *result,
              ACIS_Sum sum, MPI_Comm comm, MPI_Request *request) {
  const int bytes = kernelsBytes(type);
  int code;
  double partial;
  if (!request)
    return kernelsFail(comm, "ACIS_Idot: the request is a null pointer");
  *request = MPI_REQUEST_NULL;
  code = kernelsCheckComm("ACIS_Idot", comm);
  if (code != MPI_SUCCESS)
    return code;
  if (!bytes)
    return kernelsFail(comm, "ACIS_Idot: found another type, allowed are MPI_FLOAT and MPI_DOUBLE");
  if (n < 0 || !result || (n > 0 && (!x || !y)))
    return kernelsFail(comm, "ACIS_Idot: found %lld elements at %p and %p, result at %p", n, x, y,
                       result);
  if (sum != ACIS_SUM_EXACT && sum != ACIS_SUM_MPI)
    return kernelsFail(comm, "ACIS_Idot: found sum %d, allowed are ACIS_SUM_EXACT and ACIS_SUM_MPI",
                       (int)sum);
  partial = bytes == 4 ? partialFloat(x, y, n) : partialDouble(x, y, n);
  if (sum == ACIS_SUM_EXACT)
    return exact(partial, bytes == 4, result, comm, request);
  if (bytes == 4)
    *(float *)result = (float)partial;
  else
    *(double *)result = partial;
  return MPI_Iallreduce(MPI_IN_PLACE, result, 1, type, MPI_SUM, comm, request);
}
