/* acis_cccf.h: fused collectives as MPI programs call them.
 *
 * acisc --mpi writes these calls; they can be written by hand too. A CCCF (complex
 * communication-computation function) is a collective whose result goes into a computation,
 * the op, and maybe from there into another collective:
 *
 *   ACIS_Ifused      collective, op, collective     Allreduce_op_Alltoall
 *   ACIS_Isemifused  collective, op                 Allgather_op
 *   ACIS_Ikernel     op, collective                 the local part and the sum of a dot product
 *
 * Each makes the collectives that it names, in that order, and takes part in them like the MPI
 * calls of the same names: other ranks of the communicator may make the same CCCF, or the MPI
 * calls one by one. It returns a request for MPI_Wait, MPI_Test, MPI_Waitall and their like. Until
 * the request is complete, buffers and arrays of the op belong to the library. The results of the
 * collectives and what the op writes are then in the buffers of the program, as if the calls had
 * been made one after the other.
 *
 * A switch serves a call if the process runs with libacis-mpi (acis-mpirun) or a driver is set
 * (ACIS_Set_driver), and takes it; calls on intercommunicators are not for it. The call then
 * returns at once, several may be under way, and what the host does before the wait overlaps with
 * it. If the switch cannot run the op after all, `run` is called by the library, in whatever thread
 * makes progress; an op with a binary computes and does nothing else. Otherwise the call
 * is done by the MPI underneath and the op runs as a function of the program: the same results
 * without any switch. This software form makes the MPI calls themselves, blocking, with the op
 * between, inside the call; nothing is left under way and the request is complete. The op runs in
 * the calling thread, and may print, end the program, throw or leave by longjmp as the statements
 * at its place would. Threads may make calls at the same time as far as they may call MPI.
 *
 * Return: what the last of the MPI calls returns, after the error handler of the communicator was
 * called; MPI_ERR_ARG for a descriptor that is none. If that is not MPI_SUCCESS, no request is
 * made; it is MPI_REQUEST_NULL. An error of the first of two collectives is told to the error
 * handler only, as if its code were not looked at: where the handler returns, the op and the
 * second collective are done. */
#ifndef ACIS_CCCF_H
#define ACIS_CCCF_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACIS_CCCF_VERSION 3

typedef enum {
  ACIS_COLL_ALLREDUCE = 1,
  ACIS_COLL_REDUCE,
  ACIS_COLL_SCAN,
  ACIS_COLL_BCAST,
  ACIS_COLL_GATHER,
  ACIS_COLL_ALLGATHER,
  ACIS_COLL_SCATTER,
  ACIS_COLL_ALLTOALL,
  ACIS_COLL_REDUCE_SCATTER,
  ACIS_COLL_REDUCE_SCATTER_BLOCK
} ACIS_Coll_kind;

/* A collective that has not been called yet. Fields are the arguments of the MPI call; those
 * that it does not have are 0. Bcast has its buffer in both send and recv. */
typedef struct {
  ACIS_Coll_kind kind;
  const void *send;
  int send_count;
  MPI_Datatype send_type;
  void *recv;
  int recv_count;
  const int *recv_counts; /* of Reduce_scatter: one for each rank */
  MPI_Datatype recv_type;
  MPI_Op op;
  int root;
} ACIS_Coll;

/* An array that the op uses, for a switch (roles: dissertation, section 5.3). In a table with a
 * binary, stream-in is the buffer in which the first collective's result is: the op's packet;
 * inbound arrays lie in the op's memory in their order, each at a multiple of 64 bytes; the op
 * gives stream-out arrays (the first is what the second collective sends), then outbound ones. */
typedef enum { ACIS_STREAM_IN = 1, ACIS_INBOUND, ACIS_STREAM_OUT, ACIS_OUTBOUND } ACIS_Role;
typedef struct {
  ACIS_Role role;
  void *base;
  size_t bytes;
} ACIS_Array;

/* How much of an array the op may touch on this rank, for tables in which sizes are known at run
 * time only. `bytes` of the array's entry is then the room that the op has for it; these may differ
 * from rank to rank. Entries with one `object` are one array; others must not share memory that the
 * op or a collective changes. If an array has more bytes than room (or -1, which says that its size
 * could not be told) or shares memory, this rank does the call itself. */
typedef struct {
  int object;
  long long bytes;
} ACIS_Use;

/* The computation. `run` does it on the host and is always there; `args` is what it gets and
 * must stay until the request is complete, and so must the arrays themselves, not their table.
 * `binary` is the op as a switch binary, or NULL; it stays for good. `done` is for libraries. */
typedef struct {
  void (*run)(void *args);
  void *args;
  const unsigned char *binary;
  size_t binary_bytes;
  const ACIS_Array *arrays;
  int num_arrays;
  const ACIS_Use *uses; /* one for each array, or NULL: all bytes of all arrays */
  const char *place;    /* where the call is in the source, "app.c:57", or NULL: for summaries */
  /* Or NULL: a driver calls it once, when what it serves is complete; `ran`: with the driver's op,
   * not with `run`. */
  void (*done)(void *done_args, int ran);
  void *done_args;
} ACIS_Op;

int ACIS_Ifused(ACIS_Coll first, ACIS_Op op, ACIS_Coll second, MPI_Comm comm, MPI_Request *request);
int ACIS_Isemifused(ACIS_Coll first, ACIS_Op op, MPI_Comm comm, MPI_Request *request);
int ACIS_Ikernel(ACIS_Op op, ACIS_Coll second, MPI_Comm comm, MPI_Request *request);

/* What serves CCCFs in place of software: the client of a switch. Functions return
 * ACIS_DECLINED to leave a call to the software form, which makes the MPI calls one after the
 * other, or what the call shall return. Other ranks may be in these MPI calls themselves: what a
 * driver serves must match them too. An op with a binary and `num_arrays` below 0 is one whose
 * arrays are not what the binary takes on this rank: the number says why. NULL functions decline.
 */
#define ACIS_DECLINED (-1)
#define ACIS_ARRAYS_SHARED (-1)  /* two that are not one share memory */
#define ACIS_ARRAYS_NO_ROOM (-2) /* one has more bytes than room, or its size could not be told */
#define ACIS_ARRAYS_NOT_HAD (-3) /* no memory for copies, or the system does not let us read */
typedef struct {
  int version; /* ACIS_CCCF_VERSION */
  int (*fused)(const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second, MPI_Comm comm,
               MPI_Request *request);
  int (*semifused)(const ACIS_Coll *first, const ACIS_Op *op, MPI_Comm comm, MPI_Request *request);
  int (*kernel)(const ACIS_Op *op, const ACIS_Coll *second, MPI_Comm comm, MPI_Request *request);
} ACIS_Driver;

/* NULL: software. Without a call libacis-mpi is the driver if the process has it. MPI_ERR_ARG for a
 * version that is not known. The driver is not copied. Not while CCCFs are under way. */
int ACIS_Set_driver(const ACIS_Driver *driver);

/* CCCFs that a driver and that software has served in this process. */
void ACIS_Get_counts(long *by_driver, long *by_software);

/* Descriptors from the arguments of the MPI call. */
static inline ACIS_Coll acis_coll_(ACIS_Coll_kind kind, const void *send, int send_count,
                                   MPI_Datatype send_type, void *recv, int recv_count,
                                   MPI_Datatype recv_type, MPI_Op op, int root) {
  ACIS_Coll coll;
  coll.kind = kind;
  coll.send = send;
  coll.send_count = send_count;
  coll.send_type = send_type;
  coll.recv = recv;
  coll.recv_count = recv_count;
  coll.recv_counts = NULL;
  coll.recv_type = recv_type;
  coll.op = op;
  coll.root = root;
  return coll;
}
static inline ACIS_Coll ACIS_Allreduce(const void *send, void *recv, int count, MPI_Datatype type,
                                       MPI_Op op) {
  return acis_coll_(ACIS_COLL_ALLREDUCE, send, count, type, recv, count, type, op, 0);
}
static inline ACIS_Coll ACIS_Scan(const void *send, void *recv, int count, MPI_Datatype type,
                                  MPI_Op op) {
  return acis_coll_(ACIS_COLL_SCAN, send, count, type, recv, count, type, op, 0);
}
static inline ACIS_Coll ACIS_Reduce(const void *send, void *recv, int count, MPI_Datatype type,
                                    MPI_Op op, int root) {
  return acis_coll_(ACIS_COLL_REDUCE, send, count, type, recv, count, type, op, root);
}
static inline ACIS_Coll ACIS_Bcast(void *buffer, int count, MPI_Datatype type, int root) {
  return acis_coll_(ACIS_COLL_BCAST, buffer, count, type, buffer, count, type, MPI_OP_NULL, root);
}
static inline ACIS_Coll ACIS_Gather(const void *send, int send_count, MPI_Datatype send_type,
                                    void *recv, int recv_count, MPI_Datatype recv_type, int root) {
  return acis_coll_(ACIS_COLL_GATHER, send, send_count, send_type, recv, recv_count, recv_type,
                    MPI_OP_NULL, root);
}
static inline ACIS_Coll ACIS_Scatter(const void *send, int send_count, MPI_Datatype send_type,
                                     void *recv, int recv_count, MPI_Datatype recv_type, int root) {
  return acis_coll_(ACIS_COLL_SCATTER, send, send_count, send_type, recv, recv_count, recv_type,
                    MPI_OP_NULL, root);
}
static inline ACIS_Coll ACIS_Allgather(const void *send, int send_count, MPI_Datatype send_type,
                                       void *recv, int recv_count, MPI_Datatype recv_type) {
  return acis_coll_(ACIS_COLL_ALLGATHER, send, send_count, send_type, recv, recv_count, recv_type,
                    MPI_OP_NULL, 0);
}
static inline ACIS_Coll ACIS_Alltoall(const void *send, int send_count, MPI_Datatype send_type,
                                      void *recv, int recv_count, MPI_Datatype recv_type) {
  return acis_coll_(ACIS_COLL_ALLTOALL, send, send_count, send_type, recv, recv_count, recv_type,
                    MPI_OP_NULL, 0);
}
static inline ACIS_Coll ACIS_Reduce_scatter(const void *send, void *recv, const int *counts,
                                            MPI_Datatype type, MPI_Op op) {
  ACIS_Coll coll = acis_coll_(ACIS_COLL_REDUCE_SCATTER, send, 0, type, recv, 0, type, op, 0);
  coll.recv_counts = counts;
  return coll;
}
static inline ACIS_Coll ACIS_Reduce_scatter_block(const void *send, void *recv, int count,
                                                  MPI_Datatype type, MPI_Op op) {
  return acis_coll_(ACIS_COLL_REDUCE_SCATTER_BLOCK, send, count, type, recv, count, type, op, 0);
}

/* An op that is a function of the program, and one that has a switch binary as well. */
static inline ACIS_Op ACIS_Make_op(void (*run)(void *), void *args) {
  ACIS_Op op = {run, args, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL};
  return op;
}
static inline ACIS_Op ACIS_Make_switch_op(void (*run)(void *), void *args,
                                          const unsigned char *binary, size_t binary_bytes,
                                          const ACIS_Array *arrays, int num_arrays) {
  ACIS_Op op = {run, args, binary, binary_bytes, arrays, num_arrays, NULL, NULL, NULL, NULL};
  return op;
}
/* The same with its place in the source. */
static inline ACIS_Op ACIS_Place_op(const char *place, ACIS_Op op) {
  op.place = place;
  return op;
}
/* The same with sizes of this call. */
static inline ACIS_Op ACIS_Size_op(ACIS_Op op, const ACIS_Use *uses) {
  op.uses = uses;
  return op;
}
/* Ranks of a communicator, by which counts of some collectives are multiplied. */
static inline long long acis_ranks(MPI_Comm comm) {
  int ranks = 0;
  return MPI_Comm_size(comm, &ranks) == MPI_SUCCESS ? ranks : 0;
}

#ifdef __cplusplus
}
#if __cplusplus >= 201103L
/* An op that is a lambda of the program; it must live until the request is complete. */
template <typename Op> void acis_run_(void *op) { (*static_cast<Op *>(op))(); }
template <typename Op> inline ACIS_Op ACIS_Make_op(Op &op) {
  return ACIS_Make_op(acis_run_<Op>, &op);
}
template <typename Op>
inline ACIS_Op ACIS_Make_switch_op(Op &op, const unsigned char *binary, size_t binary_bytes,
                                   const ACIS_Array *arrays, int num_arrays) {
  return ACIS_Make_switch_op(acis_run_<Op>, &op, binary, binary_bytes, arrays, num_arrays);
}
#endif
#endif

#endif /* ACIS_CCCF_H */
