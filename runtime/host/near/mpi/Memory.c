/* The memory communicator: a duplicate of the one that it was opened from, with the session as an
 * attribute. */
#include "runtime/host/near/mpi/Errors.h"

#include <pthread.h>
#include <stdlib.h>

/* What the attribute is. */
struct memory {
  acis_near *near;
  MPI_Comm comm; /* whose error handler is called; of `near` */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int attribute = MPI_KEYVAL_INVALID;

static int raise_on(void *comm, enum acis_near_class of, const char *text) {
  const int code = acis_near_code(of, text);
  MPI_Comm_call_errhandler(*(MPI_Comm *)comm, code);
  return code;
}

static int raise_without(void *none, enum acis_near_class of, const char *text) {
  MPI_Comm self = MPI_COMM_SELF; /* where MPI has errors that are of no communicator */
  (void)none;
  return raise_on(&self, of, text);
}

static int forget(MPI_Comm comm, int key, void *value, void *extra) {
  struct memory *memory = value;
  (void)comm, (void)key, (void)extra;
  acis_near_close(memory->near);
  free(memory);
  return MPI_SUCCESS;
}

static int key_of_attribute(void) {
  pthread_mutex_lock(&lock);
  if (attribute == MPI_KEYVAL_INVALID)
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &attribute, NULL);
  const int key = attribute;
  pthread_mutex_unlock(&lock);
  return key;
}

/* Opens the session of this rank; gives its error, or one if another rank has none. */
static const char *open_all(const char *nodes, uint32_t job, const char *key, MPI_Comm comm,
                            struct memory **out) {
  const char *error = "out of memory";
  int rank, size, mine, all;
  struct memory *memory = calloc(1, sizeof *memory);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (memory)
    memory->near = acis_near_open(nodes, job, key, (uint32_t)rank, (uint32_t)size, &error);
  mine = memory && memory->near;
  if (MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
    all = 0;
  *out = memory;
  if (mine && all)
    return NULL;
  if (mine) {
    acis_near_close(memory->near);
    error = "another rank has no connection with its memory nodes";
  }
  free(memory);
  return error;
}

int MPI_Local_Open(const char *nodes, uint32_t job, const char *key, MPI_Comm comm, MPI_Comm *out) {
  struct memory *memory;
  const char *error;
  int code;
  *out = MPI_COMM_NULL;
  acis_near_on_error(NULL, raise_without, NULL);
  error = open_all(nodes, job, key, comm, &memory);
  if (error)
    return raise_on(&comm, ACIS_NEAR_NODE, error);
  code = MPI_Comm_dup(comm, &memory->comm);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_attr(memory->comm, key_of_attribute(), memory);
  if (code != MPI_SUCCESS) {
    acis_near_close(memory->near);
    free(memory);
    return code;
  }
  acis_near_on_error(memory->near, raise_on, &memory->comm);
  *out = memory->comm;
  return MPI_SUCCESS;
}

acis_near *acis_near_of(MPI_Comm comm) {
  struct memory *memory = NULL;
  int there = 0;
  MPI_Comm_get_attr(comm, key_of_attribute(), &memory, &there);
  return there ? memory->near : NULL;
}
