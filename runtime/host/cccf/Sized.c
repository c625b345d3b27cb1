/* An op for a switch has room for so many bytes of each array; how many of them the array has on
 * this rank is known at the call. What is behind the end of an array is never written. The range
 * that is read may be longer than what the op touches, so it is read in a way that fails where no
 * memory is; and of what comes back only bytes are taken that the op has changed: what is behind
 * the array may be a buffer into which a message comes meanwhile. In the buffer of the first
 * collective all are taken: there the op may have put back what was there before it. */
#define _GNU_SOURCE
#include "runtime/host/cccf/Sized.h"
#include "runtime/host/cccf/acis_ranges.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { Page = 4096, MostPages = 64 };

/* A copy of an array has a second one behind it: what the array was when the call began. */
static unsigned char *beforeOf(const ACIS_Array *copy) {
  return (unsigned char *)copy->base + copy->bytes;
}

/* Copies as much as can be read, from the first byte on; -1: the system does not let us. */
static long long readAtMost(void *to, const void *from, size_t bytes) {
  struct iovec local, remote[MostPages];
  size_t done = 0;
  while (done < bytes) {
    int pages = 0;
    size_t asked = 0;
    ssize_t got;
    for (; pages < MostPages && done + asked < bytes; pages++) {
      const uintptr_t at = (uintptr_t)from + done + asked;
      size_t length = Page - at % Page;
      if (length > bytes - done - asked)
        length = bytes - done - asked;
      remote[pages].iov_base = (void *)at;
      remote[pages].iov_len = length;
      asked += length;
    }
    local.iov_base = (char *)to + done;
    local.iov_len = asked;
    got = process_vm_readv(getpid(), &local, 1, remote, (unsigned long)pages, 0);
    if (got < 0)
      return errno == EFAULT ? (long long)done : -1;
    done += (size_t)got;
    if ((size_t)got < asked)
      break;
  }
  return (long long)done;
}

static ACIS_Range valueAt(const unsigned char *from, int bytes, int isSigned) {
  unsigned long long value = 0;
  memcpy(&value, from, (size_t)bytes); /* little-endian, as the overlay */
  if (isSigned && bytes < 8 && value >> (8 * bytes - 1))
    value |= ~0ULL << (8 * bytes);
  return !isSigned && (long long)value < 0 ? acis_any() : acis_at((long long)value);
}

ACIS_Range acis_held(const void *base, int bytes, int is_signed, ACIS_Range index) {
  enum { Most = 1 << 16 };
  unsigned char buffer[Page];
  ACIS_Range all = acis_none();
  const long long each = Page / bytes;
  long long at;
  if (acis_is_none(index))
    return all;
  if (index.lo < 0 || index.hi > INT_MAX || index.hi - index.lo > Most)
    return acis_any();
  for (at = index.lo; at <= index.hi; at += each) {
    const long long count = index.hi - at + 1 < each ? index.hi - at + 1 : each;
    const long long got =
        readAtMost(buffer, (const char *)base + at * bytes, (size_t)(count * bytes));
    long long i;
    if (got < 0)
      return acis_any();
    for (i = 0; i < got / bytes; i++)
      all = acis_join(all, valueAt(buffer + i * bytes, bytes, is_signed));
    if (got < count * bytes)
      break;
  }
  return all;
}

static int isCopied(const ACIS_Array *array) {
  return array->role == ACIS_INBOUND || array->role == ACIS_OUTBOUND;
}

/* 0, or why not: whether the arrays fit, and no two that are not one share memory that one of them
 * changes. */
static int misfitOf(const ACIS_Op *op) {
  int i, k;
  for (i = 0; i < op->num_arrays; i++)
    if (op->uses[i].bytes < 0 || (size_t)op->uses[i].bytes > op->arrays[i].bytes)
      return ACIS_ARRAYS_NO_ROOM;
  for (i = 0; i < op->num_arrays; i++)
    for (k = 0; k < op->num_arrays; k++) {
      const ACIS_Array *a = &op->arrays[i], *b = &op->arrays[k];
      const uintptr_t x = (uintptr_t)a->base, y = (uintptr_t)b->base;
      const size_t m = isCopied(a) ? (size_t)op->uses[i].bytes : a->bytes;
      const size_t n = isCopied(b) ? (size_t)op->uses[k].bytes : b->bytes;
      if (a->role != ACIS_INBOUND && op->uses[i].object != op->uses[k].object && x < y + n &&
          y < x + m)
        return ACIS_ARRAYS_SHARED;
    }
  return 0;
}

/* Where a collective leaves its result on this rank. */
typedef struct {
  uintptr_t base;
  size_t length;
} Result;

struct SizedOp {
  ACIS_Op op;
  ACIS_Array *arrays; /* what the op has */
  ACIS_Array *owns;   /* the program's */
  size_t *readable;   /* of each of these */
  Result first, second;
};

static int isIn(Result result, const void *at) {
  return (uintptr_t)at - result.base < result.length;
}

static Result resultOf(const ACIS_Coll *coll, MPI_Comm comm) {
  Result result = {0, 0};
  int rank, ranks, size = 0;
  if (!coll)
    return result;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if ((coll->kind == ACIS_COLL_REDUCE || coll->kind == ACIS_COLL_GATHER) && rank != coll->root)
    return result;
  result.base = (uintptr_t)coll->recv;
  result.length = (size_t)-1;
  if (coll->kind == ACIS_COLL_REDUCE_SCATTER)
    return result;
  MPI_Type_size(coll->recv_type, &size);
  if (coll->kind == ACIS_COLL_GATHER || coll->kind == ACIS_COLL_ALLGATHER ||
      coll->kind == ACIS_COLL_ALLTOALL)
    size *= ranks;
  result.length = (size_t)coll->recv_count * (size_t)size;
  return result;
}

static void putBack(const SizedOp *sized) {
  int i;
  size_t k;
  for (i = 0; i < sized->op.num_arrays; i++) {
    unsigned char *to = sized->owns[i].base;
    const unsigned char *from = sized->arrays[i].base, *before;
    if (sized->owns[i].role != ACIS_OUTBOUND)
      continue;
    before = beforeOf(&sized->arrays[i]);
    for (k = 0; k < sized->readable[i]; k++)
      if ((before[k] != from[k] || isIn(sized->first, to + k)) && !isIn(sized->second, to + k))
        to[k] = from[k];
  }
}

/* What `run` wrote is in the arrays of the program. */
static void finish(void *sized, int ran) {
  if (ran)
    putBack(sized);
  sizedRelease(sized);
}

/* The program's array, as far as it can be read, and room behind it; 0: no memory, or not let. */
static int copy(SizedOp *sized, int i, long long used) {
  ACIS_Array *array = &sized->arrays[i];
  long long got;
  array->base = calloc(2 * array->bytes + 1, 1);
  if (!array->base)
    return 0;
  got = readAtMost(array->base, sized->owns[i].base, (size_t)used);
  sized->readable[i] = got >= 0 ? (size_t)got : 0;
  memcpy(beforeOf(array), array->base, sized->readable[i]);
  return got >= 0;
}

SizedOp *sizedStart(const ACIS_Op *op, const ACIS_Coll *first, const ACIS_Coll *second,
                    MPI_Comm comm, int *misfit) {
  const size_t count = (size_t)op->num_arrays;
  SizedOp *sized;
  int isGood = 1, i;
  *misfit = misfitOf(op);
  if (*misfit)
    return NULL;
  *misfit = ACIS_ARRAYS_NOT_HAD;
  sized = calloc(1, sizeof *sized);
  if (!sized)
    return NULL;
  sized->op = *op;
  sized->op.uses = NULL;
  sized->op.done = finish;
  sized->op.done_args = sized;
  sized->arrays = calloc(count, sizeof *sized->arrays);
  sized->owns = calloc(count, sizeof *sized->owns);
  sized->readable = calloc(count, sizeof *sized->readable);
  sized->op.arrays = sized->arrays;
  if (!sized->arrays || !sized->owns || !sized->readable) {
    sized->op.num_arrays = 0;
    sizedRelease(sized);
    return NULL;
  }
  memcpy(sized->owns, op->arrays, count * sizeof *sized->owns);
  for (i = 0; i < op->num_arrays; i++) {
    sized->arrays[i] = sized->owns[i];
    if (isCopied(&sized->owns[i])) {
      sized->arrays[i].base = NULL;
      isGood = isGood && copy(sized, i, op->uses[i].bytes);
    }
  }
  sized->first = resultOf(first, comm);
  sized->second = resultOf(second, comm);
  if (isGood)
    return sized;
  sizedRelease(sized);
  return NULL;
}

const ACIS_Op *sizedOp(const SizedOp *sized) { return &sized->op; }

void sizedRelease(SizedOp *sized) {
  int i;
  for (i = 0; i < sized->op.num_arrays; i++)
    if (isCopied(&sized->arrays[i]))
      free(sized->arrays[i].base);
  free(sized->arrays);
  free(sized->owns);
  free(sized->readable);
  free(sized);
}
