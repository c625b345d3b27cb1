/* Classes are ours, not those of the standard: MPICH gives no text to a code that is added to one
 * of these. */
#include "runtime/host/near/mpi/Errors.h"

#include <pthread.h>
#include <stdio.h>

enum { KINDS = ACIS_NEAR_NODE + 1 };

static const char *const NAMES[KINDS] = {
    "",
    "ACIS_NEAR_ARGUMENT: not a valid argument",
    "ACIS_NEAR_BLOCK: freed, of another job or node, or out of bounds",
    "ACIS_NEAR_FULL: no room on a memory node",
    "ACIS_NEAR_FUNCTION: a function was refused",
    "ACIS_NEAR_TRAPPED: a function was stopped, or gave more or less than it should",
    "ACIS_NEAR_NODE: a memory node is gone, was restarted, or does not answer"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int class, code;
} made[KINDS];

static void set_text(int code, const char *text) {
  char shortened[MPI_MAX_ERROR_STRING];
  snprintf(shortened, sizeof shortened, "%s", text);
  MPI_Add_error_string(code, shortened);
}

/* With the lock. */
static void make(enum acis_near_class of) {
  if (made[of].code)
    return;
  MPI_Add_error_class(&made[of].class);
  set_text(made[of].class, NAMES[of]);
  MPI_Add_error_code(made[of].class, &made[of].code);
}

int acis_near_code(enum acis_near_class of, const char *text) {
  pthread_mutex_lock(&lock);
  make(of);
  set_text(made[of].code, text);
  const int code = made[of].code;
  pthread_mutex_unlock(&lock);
  return code;
}

int MPI_Local_Error_class(enum acis_near_class of) {
  if (of <= ACIS_NEAR_OK || of >= KINDS)
    return MPI_SUCCESS;
  pthread_mutex_lock(&lock);
  make(of);
  const int class = made[of].class;
  pthread_mutex_unlock(&lock);
  return class;
}
