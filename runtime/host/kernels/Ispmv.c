/* ACIS_Ispmv: messages leave, rows that need none are computed, the rest when all has come. */
#include "runtime/host/kernels/Check.h"
#include "runtime/host/kernels/Spmv.h"
#include "runtime/host/kernels/Task.h"

#include <stdlib.h>
#include <string.h>

/* Entries between two looks at messages: some tens of microseconds. */
enum { EntriesPerLook = 16384, Tag = 0 };

typedef struct {
  Task task;
  ACIS_Spmv plan;
  const void *x;
  void *y;
  char *sent, *fetched;
  MPI_Request *requests;
  int numRequests;
} Product;

/* After an error of MPI messages may still write to the buffers: they stay. */
static void destroy(Task *task) {
  Product *product = (Product *)task;
  atomic_fetch_sub(&product->plan->underWay, 1);
  if (task->code != MPI_SUCCESS)
    return;
  free(product->sent);
  free(product->fetched);
  free(product->requests);
  free(product);
}

static int step(Task *task, int mayWait) {
  Product *product = (Product *)task;
  ACIS_Spmv plan = product->plan;
  double begin;
  int isDone = 1;
  task->code =
      mayWait ? MPI_Waitall(product->numRequests, product->requests, MPI_STATUSES_IGNORE)
              : MPI_Testall(product->numRequests, product->requests, &isDone, MPI_STATUSES_IGNORE);
  if (task->code != MPI_SUCCESS)
    return 1;
  if (!isDone)
    return 0;
  begin = taskNow();
  sparseAdd(plan->bytes, &plan->far, 0, plan->numFar, product->x, plan->rows, product->fetched,
            product->y);
  taskComputed(taskNow() - begin);
  return 1;
}

/* Elements of x that `count` others want, from number `first` on. */
static void gather(Product *product, char *to, long long first, long long count) {
  const ACIS_Spmv plan = product->plan;
  const int *rows = plan->sendRows + first;
  long long i;
  for (i = 0; i < count; i++)
    if (plan->bytes == 4)
      ((float *)to)[i] = ((const float *)product->x)[rows[i]];
    else
      ((double *)to)[i] = ((const double *)product->x)[rows[i]];
}

static long long batchOf(ACIS_Spmv plan) {
  const long long elements = (long long)(plan->options.batch_bytes / (size_t)plan->bytes);
  return elements ? elements : 1;
}

static long long batches(ACIS_Spmv plan, const int *counts) {
  long long all = 0;
  int r;
  for (r = 0; r < plan->ranks; r++)
    all += (counts[r] + batchOf(plan) - 1) / batchOf(plan);
  return all;
}

static int receive(Product *product) {
  ACIS_Spmv plan = product->plan;
  char *to = product->fetched;
  long long at;
  int r, code = MPI_SUCCESS;
  for (r = 0; r < plan->ranks; r++)
    for (at = 0; at < plan->recvCounts[r] && code == MPI_SUCCESS; at += batchOf(plan)) {
      const long long left = plan->recvCounts[r] - at;
      const int count = (int)(left < batchOf(plan) ? left : batchOf(plan));
      code = MPI_Irecv(to, count, plan->type, r, Tag, plan->comm,
                       &product->requests[product->numRequests++]);
      to += (size_t)count * (size_t)plan->bytes;
    }
  return code;
}

/* A batch leaves as soon as it is full. Ranks in turn from the next one on, so that not all send to
 * the same one first. */
static int give(Product *product, const long long *firstOf) {
  ACIS_Spmv plan = product->plan;
  long long at;
  int turn, code = MPI_SUCCESS;
  for (turn = 1; turn <= plan->ranks; turn++) {
    const int r = (plan->rank + turn) % plan->ranks;
    for (at = 0; at < plan->sendCounts[r] && code == MPI_SUCCESS; at += batchOf(plan)) {
      const long long left = plan->sendCounts[r] - at;
      const int count = (int)(left < batchOf(plan) ? left : batchOf(plan));
      char *from = product->sent + (firstOf[r] + at) * plan->bytes;
      gather(product, from, firstOf[r] + at, count);
      code = MPI_Isend(from, count, plan->type, r, Tag, plan->comm,
                       &product->requests[product->numRequests++]);
    }
  }
  return code;
}

static int collective(Product *product, const long long *firstOf) {
  ACIS_Spmv plan = product->plan;
  int r;
  for (r = 0; r < plan->ranks; r++)
    gather(product, product->sent + (long long)r * plan->block * plan->bytes, firstOf[r],
           plan->sendCounts[r]);
  return MPI_Ialltoall(product->sent, plan->block, plan->type, product->fetched, plan->block,
                       plan->type, plan->comm, &product->requests[product->numRequests++]);
}

static int communicate(Product *product) {
  ACIS_Spmv plan = product->plan;
  long long *firstOf = calloc((size_t)plan->ranks + 1, sizeof *firstOf);
  int r, code = MPI_ERR_NO_MEM;
  if (!firstOf)
    return code;
  for (r = 0; r < plan->ranks; r++)
    firstOf[r + 1] = firstOf[r] + plan->sendCounts[r];
  if (plan->options.fetch == ACIS_FETCH_COLLECTIVE) {
    code = collective(product, firstOf);
  } else {
    code = receive(product);
    if (code == MPI_SUCCESS)
      code = give(product, firstOf);
  }
  free(firstOf);
  return code;
}

/* Rows that need nothing of others; messages advance meanwhile. */
static void computeNear(Product *product) {
  ACIS_Spmv plan = product->plan;
  const double begin = taskNow();
  int first = 0, isDone;
  while (first < plan->rows) {
    int end = first + 1;
    while (end < plan->rows && plan->near.begin[end + 1] - plan->near.begin[first] < EntriesPerLook)
      end++;
    sparseAdd(plan->bytes, &plan->near, first, end, product->x, plan->rows, NULL, product->y);
    first = end;
    if (first < plan->rows && product->task.code == MPI_SUCCESS) {
      product->task.code =
          MPI_Testall(product->numRequests, product->requests, &isDone, MPI_STATUSES_IGNORE);
      taskProgress();
    }
  }
  taskComputed(taskNow() - begin);
}

/* NULL: no memory. */
static Product *create(ACIS_Spmv plan, const void *x, void *y) {
  const int isCollective = plan->options.fetch == ACIS_FETCH_COLLECTIVE;
  const long long all = (long long)plan->block * plan->ranks;
  const long long sent = isCollective ? all : plan->numSent;
  const long long fetched = isCollective ? all : plan->numFetched;
  const long long requests =
      isCollective ? 1 : batches(plan, plan->sendCounts) + batches(plan, plan->recvCounts);
  Product *product = calloc(1, sizeof *product);
  if (!product)
    return NULL;
  product->task.step = step;
  product->task.destroy = destroy;
  product->plan = plan;
  product->x = x;
  product->y = y;
  atomic_fetch_add(&plan->underWay, 1);
  product->sent = calloc((size_t)sent + 1, (size_t)plan->bytes);
  product->fetched = calloc((size_t)fetched + 1, (size_t)plan->bytes);
  product->requests = malloc(((size_t)requests + 1) * sizeof *product->requests);
  if (product->sent && product->fetched && product->requests)
    return product;
  destroy(&product->task);
  return NULL;
}

static int overlap(const void *x, const void *y, size_t bytes) {
  return (const char *)x < (const char *)y + bytes && (const char *)y < (const char *)x + bytes;
}

int ACIS_Ispmv(ACIS_Spmv plan, const void *x, void *y, MPI_Comm comm, MPI_Request *request) {
  Product *product;
  int code;
  if (request)
    *request = MPI_REQUEST_NULL;
  if (!request || !liveHas(plan))
    return kernelsFail(comm, "ACIS_Ispmv: %s",
                       request ? "no plan, or one that was freed"
                               : "the request is a null pointer");
  if (comm != plan->given)
    return kernelsFail(comm, "ACIS_Ispmv: the plan was made for another communicator");
  if (plan->rows && (!x || !y || overlap(x, y, (size_t)plan->rows * (size_t)plan->bytes)))
    return kernelsFail(comm, "ACIS_Ispmv: found x at %p and y at %p, allowed are separate arrays",
                       x, (const void *)y);
  product = create(plan, x, y);
  if (!product)
    return kernelsFail(comm, "ACIS_Ispmv: no memory");
  code = communicate(product);
  if (code != MPI_SUCCESS) {
    product->task.code = code;
    destroy(&product->task);
    return code;
  }
  computeNear(product);
  return taskStart(&product->task, request);
}
