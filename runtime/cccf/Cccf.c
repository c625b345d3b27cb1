/* The CCCF calls: arguments checked, a driver asked, otherwise done over plain MPI. */
#define _GNU_SOURCE
#include "runtime/cccf/acis_cccf.h"

#include <dlfcn.h>

static const ACIS_Driver *theDriver;
static int wasChosen;
static long servedByDriver, servedBySoftware;

int ACIS_Set_driver(const ACIS_Driver *driver) {
  if (driver && driver->version != ACIS_CCCF_VERSION)
    return MPI_ERR_ARG;
  theDriver = driver;
  wasChosen = 1;
  return MPI_SUCCESS;
}

/* The driver of the program, else that of libacis-mpi if the process runs with it. */
static const ACIS_Driver *driver(void) {
  if (!wasChosen) {
    union {
      void *address;
      const ACIS_Driver *(*function)(void);
    } found;
    found.address = dlsym(RTLD_DEFAULT, "ACIS_Switch_driver");
    ACIS_Set_driver(found.address ? found.function() : NULL);
  }
  return theDriver;
}

void ACIS_Get_counts(long *by_driver, long *by_software) {
  *by_driver = servedByDriver;
  *by_software = servedBySoftware;
}

static int isColl(const ACIS_Coll *coll) {
  if (coll->kind < ACIS_COLL_ALLREDUCE || coll->kind > ACIS_COLL_REDUCE_SCATTER_BLOCK)
    return 0;
  return coll->kind != ACIS_COLL_REDUCE_SCATTER || coll->recv_counts;
}

static int fail(MPI_Comm comm, int code) {
  MPI_Comm_call_errhandler(comm, code);
  return code;
}

/* `a` or `b` may be missing. */
static int check(const ACIS_Coll *a, const ACIS_Op *op, const ACIS_Coll *b, MPI_Comm comm,
                 MPI_Request *request) {
  int isInter = 0, error;
  if (comm == MPI_COMM_NULL)
    return fail(MPI_COMM_WORLD, MPI_ERR_COMM);
  if (!request || !op->run || (a && !isColl(a)) || (b && !isColl(b)))
    return fail(comm, MPI_ERR_ARG);
  *request = MPI_REQUEST_NULL;
  error = MPI_Comm_test_inter(comm, &isInter);
  if (error != MPI_SUCCESS)
    return error;
  return isInter ? fail(comm, MPI_ERR_COMM) : MPI_SUCCESS;
}

static int block(const ACIS_Coll *c, MPI_Comm comm) {
  switch (c->kind) {
  case ACIS_COLL_ALLREDUCE:
    return MPI_Allreduce(c->send, c->recv, c->send_count, c->send_type, c->op, comm);
  case ACIS_COLL_REDUCE:
    return MPI_Reduce(c->send, c->recv, c->send_count, c->send_type, c->op, c->root, comm);
  case ACIS_COLL_SCAN:
    return MPI_Scan(c->send, c->recv, c->send_count, c->send_type, c->op, comm);
  case ACIS_COLL_BCAST:
    return MPI_Bcast(c->recv, c->recv_count, c->recv_type, c->root, comm);
  case ACIS_COLL_GATHER:
    return MPI_Gather(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                      c->root, comm);
  case ACIS_COLL_ALLGATHER:
    return MPI_Allgather(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                         comm);
  case ACIS_COLL_SCATTER:
    return MPI_Scatter(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                       c->root, comm);
  case ACIS_COLL_ALLTOALL:
    return MPI_Alltoall(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                        comm);
  case ACIS_COLL_REDUCE_SCATTER:
    return MPI_Reduce_scatter(c->send, c->recv, c->recv_counts, c->send_type, c->op, comm);
  case ACIS_COLL_REDUCE_SCATTER_BLOCK:
    return MPI_Reduce_scatter_block(c->send, c->recv, c->send_count, c->send_type, c->op, comm);
  }
  return MPI_ERR_ARG;
}

static int start(const ACIS_Coll *c, MPI_Comm comm, MPI_Request *request) {
  switch (c->kind) {
  case ACIS_COLL_ALLREDUCE:
    return MPI_Iallreduce(c->send, c->recv, c->send_count, c->send_type, c->op, comm, request);
  case ACIS_COLL_REDUCE:
    return MPI_Ireduce(c->send, c->recv, c->send_count, c->send_type, c->op, c->root, comm,
                       request);
  case ACIS_COLL_SCAN:
    return MPI_Iscan(c->send, c->recv, c->send_count, c->send_type, c->op, comm, request);
  case ACIS_COLL_BCAST:
    return MPI_Ibcast(c->recv, c->recv_count, c->recv_type, c->root, comm, request);
  case ACIS_COLL_GATHER:
    return MPI_Igather(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                       c->root, comm, request);
  case ACIS_COLL_ALLGATHER:
    return MPI_Iallgather(c->send, c->send_count, c->send_type, c->recv, c->recv_count,
                          c->recv_type, comm, request);
  case ACIS_COLL_SCATTER:
    return MPI_Iscatter(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                        c->root, comm, request);
  case ACIS_COLL_ALLTOALL:
    return MPI_Ialltoall(c->send, c->send_count, c->send_type, c->recv, c->recv_count, c->recv_type,
                         comm, request);
  case ACIS_COLL_REDUCE_SCATTER:
    return MPI_Ireduce_scatter(c->send, c->recv, c->recv_counts, c->send_type, c->op, comm,
                               request);
  case ACIS_COLL_REDUCE_SCATTER_BLOCK:
    return MPI_Ireduce_scatter_block(c->send, c->recv, c->send_count, c->send_type, c->op, comm,
                                     request);
  }
  return MPI_ERR_ARG;
}

static int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static int release(void *state) {
  (void)state;
  return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
  (void)state;
  (void)complete;
  return MPI_SUCCESS;
}

/* A request that is complete, for what ended inside the call. */
static int finished(MPI_Request *request) {
  int error = MPI_Grequest_start(query, release, cancel, NULL, request);
  return error != MPI_SUCCESS ? error : MPI_Grequest_complete(*request);
}

/* Whether the result depends on the order in which the library combines. */
static int isOrdered(const ACIS_Coll *c) {
  MPI_Datatype type = c->recv_type;
  int isReduction = c->op != MPI_OP_NULL;
  return isReduction && (type == MPI_FLOAT || type == MPI_DOUBLE || type == MPI_LONG_DOUBLE);
}

/* The last collective of a chain. Libraries combine in another order when a reduction is not
 * blocking; a sum of floating-point numbers must stay what it was. */
static int conclude(const ACIS_Coll *c, MPI_Comm comm, MPI_Request *request) {
  int error;
  if (!isOrdered(c))
    return start(c, comm, request);
  error = block(c, comm);
  return error != MPI_SUCCESS ? error : finished(request);
}

int ACIS_Ifused(ACIS_Coll first, ACIS_Op op, ACIS_Coll second, MPI_Comm comm,
                MPI_Request *request) {
  int error = check(&first, &op, &second, comm, request);
  if (error != MPI_SUCCESS)
    return error;
  if (driver() && driver()->fused) {
    error = driver()->fused(&first, &op, &second, comm, request);
    servedByDriver += error != ACIS_DECLINED;
    if (error != ACIS_DECLINED)
      return error;
  }
  servedBySoftware++;
  error = block(&first, comm);
  if (error != MPI_SUCCESS)
    return error;
  op.run(op.args);
  return conclude(&second, comm, request);
}

int ACIS_Isemifused(ACIS_Coll first, ACIS_Op op, MPI_Comm comm, MPI_Request *request) {
  int error = check(&first, &op, NULL, comm, request);
  if (error != MPI_SUCCESS)
    return error;
  if (driver() && driver()->semifused) {
    error = driver()->semifused(&first, &op, comm, request);
    servedByDriver += error != ACIS_DECLINED;
    if (error != ACIS_DECLINED)
      return error;
  }
  servedBySoftware++;
  error = block(&first, comm);
  if (error != MPI_SUCCESS)
    return error;
  op.run(op.args);
  return finished(request);
}

int ACIS_Ikernel(ACIS_Op op, ACIS_Coll second, MPI_Comm comm, MPI_Request *request) {
  int error = check(NULL, &op, &second, comm, request);
  if (error != MPI_SUCCESS)
    return error;
  if (driver() && driver()->kernel) {
    error = driver()->kernel(&op, &second, comm, request);
    servedByDriver += error != ACIS_DECLINED;
    if (error != ACIS_DECLINED)
      return error;
  }
  servedBySoftware++;
  op.run(op.args);
  return conclude(&second, comm, request);
}
