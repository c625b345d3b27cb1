/* The host's end of an ACiS switch, in C. The same as Session.h, which says more.
 *
 * Functions that can fail return 0 for success, or a text that says what is wrong; it
 * belongs to the session (or, from acis_open, to the thread) and is valid until the next
 * call. */
#ifndef ACIS_CLIENT_H
#define ACIS_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acis_session acis_session;
typedef uint64_t acis_request; /* 0: complete */

enum acis_kind {
  ACIS_ALLREDUCE,
  ACIS_REDUCE,
  ACIS_BCAST,
  ACIS_GATHER,
  ACIS_ALLGATHER,
  ACIS_SCATTER,
  ACIS_REDUCE_SCATTER,
  ACIS_REDUCE_SCATTER_BLOCK,
  ACIS_BARRIER,
  ACIS_SCAN,
  ACIS_EXSCAN,
  ACIS_ALLTOALL
};
enum acis_op {
  ACIS_NONE,
  ACIS_SUM,
  ACIS_PROD,
  ACIS_MIN,
  ACIS_MAX,
  ACIS_MINLOC,
  ACIS_MAXLOC,
  ACIS_LAND,
  ACIS_LOR,
  ACIS_LXOR,
  ACIS_BAND,
  ACIS_BOR,
  ACIS_BXOR,
  ACIS_MERGE, /* sparse vectors of item_elements places (Session.h) */
  ACIS_USER
};
enum acis_type {
  ACIS_INT8,
  ACIS_UINT8,
  ACIS_INT16,
  ACIS_UINT16,
  ACIS_INT32,
  ACIS_UINT32,
  ACIS_INT64,
  ACIS_UINT64,
  ACIS_FLOAT32,
  ACIS_FLOAT64,
  ACIS_COMPLEX64,
  ACIS_COMPLEX128,
  ACIS_INT16_INT,
  ACIS_INT32_INT,
  ACIS_INT64_INT,
  ACIS_FLOAT32_INT,
  ACIS_FLOAT64_INT
};

typedef struct {
  enum acis_kind kind;
  uint32_t context;
  enum acis_op op;
  enum acis_type type;
  uint32_t root;          /* rank in the communicator */
  uint64_t count;         /* elements of the buffer, or of one rank's block */
  const uint64_t *counts; /* ACIS_REDUCE_SCATTER: one for each rank, else NULL */
  size_t counts_size;
  const void *send; /* NULL: in place, where MPI allows it */
  void *recv;
  uint64_t operator_handle; /* ACIS_USER */
  int not_commutative;      /* fold strictly in rank order */
  /* ACIS_USER: elements that the operator takes as one; counts are multiples of it. 0: 1 */
  uint64_t item_elements;
} acis_collective;

/* `key` is 32 hexadecimal digits or "". Returns NULL after an error, with its text. */
acis_session *acis_open(const char *address, uint32_t job, const char *key, uint32_t rank,
                        uint32_t size, const char **error);
/* Waits until the switch has all that was sent, leaves, and frees the session. */
void acis_close(acis_session *session);

const char *acis_add_communicator(acis_session *session, uint32_t context, const uint32_t *ranks,
                                  size_t count);
const char *acis_free_communicator(acis_session *session, uint32_t context);
const char *acis_load_operator(acis_session *session, const void *elf, size_t bytes,
                               const char *handler, uint64_t *handle);

const char *acis_start(acis_session *session, const acis_collective *call, acis_request *request);
const char *acis_test(acis_session *session, acis_request request, int *complete);
const char *acis_wait(acis_session *session, acis_request request, double seconds);
/* acis_start and acis_wait. */
const char *acis_run(acis_session *session, const acis_collective *call, double seconds);

#ifdef __cplusplus
}
#endif

#endif
