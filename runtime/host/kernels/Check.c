/* See Check.h. Error codes are of a class of this library: MPICH gives no text to a code that is
 * added to a class of the standard. */
#include "runtime/host/kernels/Check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int errorClass(void) {
  static int made;
  pthread_mutex_lock(&mutex);
  if (!made && MPI_Add_error_class(&made) != MPI_SUCCESS)
    made = MPI_ERR_ARG;
  pthread_mutex_unlock(&mutex);
  return made;
}

static int failWith(MPI_Comm comm, const char *text) {
  char copy[MPI_MAX_ERROR_STRING]; /* not const in every mpi.h */
  int code = MPI_ERR_ARG;
  snprintf(copy, sizeof copy, "acis: %s", text);
  /* A program that makes errors without end gets the plain class once MPI has no more codes. */
  if (MPI_Add_error_code(errorClass(), &code) == MPI_SUCCESS)
    MPI_Add_error_string(code, copy);
  else
    code = MPI_ERR_ARG;
  MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  return code;
}

int kernelsFail(MPI_Comm comm, const char *format, ...) {
  char text[MPI_MAX_ERROR_STRING - sizeof "acis: "];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return failWith(comm, text);
}

int kernelsCheckComm(const char *call, MPI_Comm comm) {
  int isInter = 0, code;
  if (comm == MPI_COMM_NULL)
    return kernelsFail(comm, "%s: the communicator is MPI_COMM_NULL", call);
  code = MPI_Comm_test_inter(comm, &isInter);
  if (code != MPI_SUCCESS)
    return code;
  return isInter ? kernelsFail(comm,
                               "%s: found an intercommunicator, allowed is an "
                               "intracommunicator",
                               call)
                 : MPI_SUCCESS;
}

int kernelsBytes(MPI_Datatype type) {
  return type == MPI_FLOAT ? (int)sizeof(float) : type == MPI_DOUBLE ? (int)sizeof(double) : 0;
}

void problemSay(Problem *problem, const char *format, ...) {
  va_list arguments;
  if (problem->text[0])
    return;
  va_start(arguments, format);
  vsnprintf(problem->text, sizeof problem->text, format, arguments);
  va_end(arguments);
}

int problemAgree(const char *call, const Problem *problem, MPI_Comm comm) {
  int rank, ranks, mine, first, code;
  Problem all;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  mine = problem->text[0] ? rank : ranks;
  code = MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (code != MPI_SUCCESS || first == ranks)
    return code;
  all = *problem;
  code = MPI_Bcast(all.text, sizeof all.text, MPI_CHAR, first, comm);
  if (code != MPI_SUCCESS)
    return code;
  all.text[sizeof all.text - 1] = 0;
  return kernelsFail(comm, "%s: rank %d: %s", call, first, all.text);
}

typedef struct Live {
  void *plan;
  struct Live *next;
} Live;
static Live *live;

static Live **find(const void *plan) {
  Live **at = &live;
  while (*at && (*at)->plan != plan)
    at = &(*at)->next;
  return at;
}

void liveAdd(void *plan) {
  Live *entry = malloc(sizeof *entry);
  if (!entry)
    return; /* the plan is refused where it is used */
  pthread_mutex_lock(&mutex);
  entry->plan = plan;
  entry->next = live;
  live = entry;
  pthread_mutex_unlock(&mutex);
}

int liveHas(const void *plan) {
  int has;
  pthread_mutex_lock(&mutex);
  has = plan && *find(plan);
  pthread_mutex_unlock(&mutex);
  return has;
}

void liveRemove(void *plan) {
  Live **at, *entry;
  pthread_mutex_lock(&mutex);
  at = find(plan);
  entry = *at;
  if (entry)
    *at = entry->next;
  pthread_mutex_unlock(&mutex);
  free(entry);
}
