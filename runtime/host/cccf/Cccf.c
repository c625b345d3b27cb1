/* The CCCF calls: arguments checked, a driver asked, otherwise done over plain MPI.
 *
 * The software form makes the MPI calls that stand in the program: the same kinds with the same
 * arguments, blocking, in the same order, each made once. Ranks that take another way and make
 * these calls one by one therefore match (docs/rationale/rewriting.md). What else it asks of MPI
 * is local, and goes past functions of the program that are called like MPI's (PMPI_). */
#define _GNU_SOURCE
#include "runtime/host/cccf/Sized.h"
#include "runtime/host/cccf/acis_cccf.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>

/* Threads may make calls at the same time. */
static _Atomic(const ACIS_Driver *) theDriver, library; /* the latter is that of libacis-mpi */
static atomic_int wasChosen;
static atomic_long servedByDriver, servedBySoftware;

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
    library = found.address ? found.function() : NULL;
    ACIS_Set_driver(library);
  }
  return theDriver;
}

/* libacis-mpi, if it was loaded before, has to know before MPI_Init: fused calls of some ranks meet
 * plain ones of others. */
__attribute__((constructor)) static void announce(void) {
  union {
    void *address;
    void (*function)(void);
  } found;
  found.address = dlsym(RTLD_DEFAULT, "ACIS_Has_fused_calls");
  if (found.address)
    found.function();
}

void ACIS_Get_counts(long *by_driver, long *by_software) {
  *by_driver = servedByDriver;
  *by_software = servedBySoftware;
}

static const char *nameOf(ACIS_Coll_kind kind) {
  static const char *const names[] = {"",
                                      "MPI_Allreduce",
                                      "MPI_Reduce",
                                      "MPI_Scan",
                                      "MPI_Bcast",
                                      "MPI_Gather",
                                      "MPI_Allgather",
                                      "MPI_Scatter",
                                      "MPI_Alltoall",
                                      "MPI_Reduce_scatter",
                                      "MPI_Reduce_scatter_block"};
  return names[kind];
}

/* The library that has what is at the address, and the symbol there, or NULL. */
static const void *libraryOf(const void *address, const ElfW(Sym) * *symbol) {
  Dl_info info;
  return dladdr1(address, &info, (void **)symbol, RTLD_DL_SYMENT) ? info.dli_fbase : NULL;
}

/* Whether the program calls another function than that of libacis-mpi for such a collective: one of
 * its own, or of a tool, which libacis-mpi must not pass by. An entry for a function of a library,
 * by which a program at a fixed address knows it, is an undefined symbol of the program. */
static int isOwn(ACIS_Coll_kind kind) {
  static atomic_char known[ACIS_COLL_REDUCE_SCATTER_BLOCK + 1]; /* 1: no, 2: yes */
  if (!known[kind]) {
    const ElfW(Sym) *called = NULL, *drivers = NULL;
    const void *own = libraryOf(dlsym(RTLD_DEFAULT, "ACIS_Switch_driver"), &drivers);
    const void *found = libraryOf(dlsym(RTLD_DEFAULT, nameOf(kind)), &called);
    known[kind] = own && found && found != own && called && called->st_shndx != SHN_UNDEF ? 2 : 1;
  }
  return known[kind] == 2;
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

/* `a` or `b` may be missing. What is wrong with a communicator MPI says itself. */
static int check(const ACIS_Coll *a, const ACIS_Op *op, const ACIS_Coll *b, MPI_Comm comm,
                 MPI_Request *request) {
  if (!request || !op->run || (a && !isColl(a)) || (b && !isColl(b)))
    return fail(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, MPI_ERR_ARG);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

/* The driver, if the call is one for it; NULL: it is not. One that the program has set takes the
 * place of whatever it chooses. */
static const ACIS_Driver *driverFor(MPI_Comm comm, const ACIS_Coll *first,
                                    const ACIS_Coll *second) {
  const ACIS_Driver *found = driver();
  int isInter = 0;
  if (found && found == library &&
      ((first && isOwn(first->kind)) || (second && isOwn(second->kind))))
    return NULL;
  if (!found || comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &isInter) != MPI_SUCCESS)
    return NULL;
  return isInter ? NULL : found;
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

/* What the last collective of a call returned, with a request that is complete if it is well. */
static int finished(int code, MPI_Request *request) {
  if (code == MPI_SUCCESS)
    code = PMPI_Grequest_start(query, release, cancel, NULL, request);
  return code == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : code;
}

/* Whether the driver, of which this is the answer, leaves the call to software. */
static int isDeclined(int answer) {
  int declined = answer == ACIS_DECLINED;
  atomic_fetch_add(declined ? &servedBySoftware : &servedByDriver, 1);
  return declined;
}

/* What the driver makes of a chain; `second` may be missing. */
static int drive(const ACIS_Driver *below, const ACIS_Coll *first, const ACIS_Op *op,
                 const ACIS_Coll *second, MPI_Comm comm, MPI_Request *request) {
  if (second)
    return below->fused ? below->fused(first, op, second, comm, request) : ACIS_DECLINED;
  return below->semifused ? below->semifused(first, op, comm, request) : ACIS_DECLINED;
}

/* The same for any op. If the arrays of one with sizes of run time are not what its binary takes,
 * this rank does the call in software. */
static int serve(const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second, MPI_Comm comm,
                 MPI_Request *request) {
  const ACIS_Driver *below = driverFor(comm, first, second);
  SizedOp *sized;
  int code, misfit;
  if (!below)
    return ACIS_DECLINED;
  if (!op->uses)
    return drive(below, first, op, second, comm, request);
  sized = sizedStart(op, first, second, comm, &misfit);
  if (!sized) {
    ACIS_Op nowhere = *op;
    nowhere.num_arrays = misfit;
    return drive(below, first, &nowhere, second, comm, request);
  }
  code = drive(below, first, sizedOp(sized), second, comm, request);
  if (code != MPI_SUCCESS)
    sizedRelease(sized);
  return code;
}

int ACIS_Ifused(ACIS_Coll first, ACIS_Op op, ACIS_Coll second, MPI_Comm comm,
                MPI_Request *request) {
  int code = check(&first, &op, &second, comm, request);
  if (code != MPI_SUCCESS)
    return code;
  code = serve(&first, &op, &second, comm, request);
  if (!isDeclined(code))
    return code;
  /* Where an error of it does not end the program, the program goes on to the second one. */
  (void)block(&first, comm);
  op.run(op.args);
  return finished(block(&second, comm), request);
}

int ACIS_Isemifused(ACIS_Coll first, ACIS_Op op, MPI_Comm comm, MPI_Request *request) {
  int code = check(&first, &op, NULL, comm, request);
  if (code != MPI_SUCCESS)
    return code;
  code = serve(&first, &op, NULL, comm, request);
  if (!isDeclined(code))
    return code;
  code = block(&first, comm);
  op.run(op.args);
  return finished(code, request);
}

int ACIS_Ikernel(ACIS_Op op, ACIS_Coll second, MPI_Comm comm, MPI_Request *request) {
  int code = check(NULL, &op, &second, comm, request);
  if (code != MPI_SUCCESS)
    return code;
  const ACIS_Driver *below = driverFor(comm, NULL, &second);
  code = below && below->kernel ? below->kernel(&op, &second, comm, request) : ACIS_DECLINED;
  if (!isDeclined(code))
    return code;
  op.run(op.args);
  return finished(block(&second, comm), request);
}
