/* An op for a switch has room for so many bytes of each array, equal on all ranks; how many of them
 * the array has on this rank is known at the call. What is behind the end of an array is never
 * written. The range that is read may be longer than what the op touches, so it is read in a way
 * that fails where no memory is; and of what comes back only bytes are taken that the op has changed:
 * what is behind the array may be a buffer into which a message comes meanwhile. */
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

/* Whether the arrays fit, and no two that are not one share memory that one of them changes. */
static int isSeparate(const ACIS_Op *op) {
  int i, k;
  for (i = 0; i < op->num_arrays; i++)
    if (op->uses[i].bytes < 0 || (size_t)op->uses[i].bytes > op->arrays[i].bytes)
      return 0;
  for (i = 0; i < op->num_arrays; i++)
    for (k = 0; k < op->num_arrays; k++) {
      const ACIS_Array *a = &op->arrays[i], *b = &op->arrays[k];
      const uintptr_t x = (uintptr_t)a->base, y = (uintptr_t)b->base;
      const size_t m = isCopied(a) ? (size_t)op->uses[i].bytes : a->bytes;
      const size_t n = isCopied(b) ? (size_t)op->uses[k].bytes : b->bytes;
      if (a->role != ACIS_INBOUND && op->uses[i].object != op->uses[k].object && x < y + n &&
          y < x + m)
        return 0;
    }
  return 1;
}

int sizedStart(const ACIS_Op *op, SizedOp *sized) {
  const size_t count = (size_t)op->num_arrays;
  int isGood = isSeparate(op);
  size_t i;
  sized->op = *op;
  sized->arrays = calloc(count, sizeof *sized->arrays);
  sized->readable = calloc(count, sizeof *sized->readable);
  sized->op.arrays = sized->arrays;
  sized->op.uses = NULL;
  if (!sized->arrays || !sized->readable) {
    sizedRelease(sized);
    return 0;
  }
  for (i = 0; i < count; i++) {
    sized->arrays[i] = op->arrays[i];
    if (isCopied(&op->arrays[i])) {
      sized->arrays[i].base = calloc(2 * op->arrays[i].bytes + 1, 1);
      if (!sized->arrays[i].base) {
        sizedRelease(sized);
        return 0;
      }
      if (isGood) {
        const long long got =
            readAtMost(sized->arrays[i].base, op->arrays[i].base, (size_t)op->uses[i].bytes);
        isGood = got >= 0;
        sized->readable[i] = isGood ? (size_t)got : 0;
        memcpy(beforeOf(&sized->arrays[i]), sized->arrays[i].base, sized->readable[i]);
      }
    }
  }
  for (i = 0; i < count && !isGood; i++)
    if (sized->arrays[i].role == ACIS_STREAM_IN)
      sized->arrays[i].base = NULL;
  return 1;
}

static size_t receivedBytes(const ACIS_Coll *second, MPI_Comm comm) {
  int rank, ranks, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if ((second->kind == ACIS_COLL_REDUCE || second->kind == ACIS_COLL_GATHER) &&
      rank != second->root)
    return 0;
  if (second->kind == ACIS_COLL_REDUCE_SCATTER)
    return (size_t)-1;
  MPI_Type_size(second->recv_type, &size);
  if (second->kind == ACIS_COLL_GATHER || second->kind == ACIS_COLL_ALLGATHER ||
      second->kind == ACIS_COLL_ALLTOALL)
    size *= ranks;
  return (size_t)second->recv_count * (size_t)size;
}

void sizedFinish(const ACIS_Op *op, const SizedOp *sized, const ACIS_Coll *second, MPI_Comm comm) {
  const uintptr_t received = second ? (uintptr_t)second->recv : 0;
  const size_t length = second ? receivedBytes(second, comm) : 0;
  int i;
  size_t k;
  for (i = 0; i < op->num_arrays; i++) {
    unsigned char *to = op->arrays[i].base;
    const unsigned char *from = sized->arrays[i].base, *before;
    if (op->arrays[i].role != ACIS_OUTBOUND)
      continue;
    before = beforeOf(&sized->arrays[i]);
    for (k = 0; k < sized->readable[i]; k++)
      if (before[k] != from[k] && !((uintptr_t)(to + k) - received < length))
        to[k] = from[k];
  }
}

void sizedRelease(SizedOp *sized) {
  int i;
  for (i = 0; sized->arrays && i < sized->op.num_arrays; i++)
    if (isCopied(&sized->arrays[i]))
      free(sized->arrays[i].base);
  free(sized->arrays);
  free(sized->readable);
  sized->arrays = NULL;
  sized->readable = NULL;
}
