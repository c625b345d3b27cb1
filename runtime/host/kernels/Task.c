/* See Task.h. */
#define _GNU_SOURCE
#include "runtime/host/kernels/Task.h"

#include "runtime/host/kernels/acis_kernels.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* Tasks under way, oldest first. */
static Task *tasks;
static pthread_mutex_t listMutex = PTHREAD_MUTEX_INITIALIZER;
/* Held by who does steps; never waited for, so it does not matter what else a thread holds. */
static pthread_mutex_t stepMutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int underWay;
static atomic_llong computing; /* nanoseconds */

double taskNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int query(void *state, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return ((Task *)state)->code;
}

static int release(void *state) {
  Task *task = state;
  task->destroy(task);
  return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
  (void)state;
  (void)complete;
  return MPI_SUCCESS;
}

static void insert(Task *task) {
  Task **at;
  pthread_mutex_lock(&listMutex);
  for (at = &tasks; *at; at = &(*at)->next)
    ;
  *at = task;
  atomic_fetch_add(&underWay, 1);
  pthread_mutex_unlock(&listMutex);
}

static void removeTask(Task *task) {
  Task **at;
  pthread_mutex_lock(&listMutex);
  for (at = &tasks; *at != task; at = &(*at)->next)
    ;
  *at = task->next;
  atomic_fetch_sub(&underWay, 1);
  pthread_mutex_unlock(&listMutex);
}

/* The task after `task`, the first after NULL. Only who does steps takes any out. */
static Task *after(const Task *task) {
  Task *next;
  pthread_mutex_lock(&listMutex);
  next = task ? task->next : tasks;
  pthread_mutex_unlock(&listMutex);
  return next;
}

/* Whether there was anything to do but to look. */
static int progress(void) {
  const long long before = computing;
  Task *task, *next;
  int numComplete = 0;
  if (!underWay || pthread_mutex_trylock(&stepMutex) != 0)
    return 0;
  for (task = after(NULL); task; task = next) {
    const int isComplete = task->step(task, 0);
    next = after(task);
    if (isComplete) {
      MPI_Request handle = task->handle;
      removeTask(task);
      task->isComplete = 1;
      numComplete++;
      MPI_Grequest_complete(handle); /* may free the task */
    }
  }
  pthread_mutex_unlock(&stepMutex);
  return numComplete || computing != before;
}

void taskProgress(void) { (void)progress(); }

void taskComputed(double seconds) { atomic_fetch_add(&computing, (long long)(seconds * 1e9)); }
double ACIS_Kernel_computing(void) { return 1e-9 * (double)computing; }

#if defined(MPICH_VERSION)

static int poll(void *state, MPI_Status *status) {
  (void)state;
  (void)status;
  taskProgress();
  return MPI_SUCCESS;
}

/* MPI_Waitall does not poll: it calls this for each request. Who waits for long leaves the core to
 * others between looks, since these may be ranks for which it waits. */
static int waitFor(int count, void **states, double timeout, MPI_Status *status) {
  const double spin = 200e-6;
  const struct timespec nap = {0, 50000};
  double since = taskNow();
  int i;
  (void)timeout;
  (void)status;
  for (i = 0; i < count; i++)
    while (!((Task *)states[i])->isComplete)
      if (progress())
        since = taskNow();
      else if (taskNow() - since > spin)
        nanosleep(&nap, NULL);
  return MPI_SUCCESS;
}

static int begin(Task *task, MPI_Request *request) {
  return MPIX_Grequest_start(query, release, cancel, poll, waitFor, task, request);
}
static int canProgress(void) { return 1; }

/* The only call of MPICH that looks at a request without asking it. Whoever else stands before MPI
 * (libacis-mpi) comes after this. */
__attribute__((weak)) int MPI_Request_get_status(MPI_Request request, int *flag,
                                                 MPI_Status *status) {
  union {
    void *address;
    int (*function)(MPI_Request, int *, MPI_Status *);
  } next;
  taskProgress();
  next.address = dlsym(RTLD_NEXT, "MPI_Request_get_status");
  return (next.address ? next.function : PMPI_Request_get_status)(request, flag, status);
}

#elif defined(OPEN_MPI)

/* Of Open MPI's base library, for what makes progress with it, as its own collectives do. */
typedef int (*Register)(int (*callback)(void));

static int canProgress(void) {
  static atomic_int isRegistered;
  union {
    void *address;
    Register function;
  } found;
  if (isRegistered)
    return 1;
  found.address = dlsym(RTLD_DEFAULT, "opal_progress_register");
  if (!found.address || found.function(progress) != 0)
    return 0;
  isRegistered = 1;
  return 1;
}
static int begin(Task *task, MPI_Request *request) {
  return MPI_Grequest_start(query, release, cancel, task, request);
}

#else

static int canProgress(void) { return 0; }
static int begin(Task *task, MPI_Request *request) {
  return MPI_Grequest_start(query, release, cancel, task, request); /* never */
}

#endif

/* To its end; what became of it. */
static int finish(Task *task) {
  int code;
  while (!task->step(task, 1))
    ;
  code = task->code;
  task->destroy(task);
  return code;
}

int taskStart(Task *task, MPI_Request *request) {
  int code;
  if (!canProgress())
    return finish(task);
  task->isComplete = 0;
  task->next = NULL;
  code = begin(task, request);
  if (code != MPI_SUCCESS) {
    *request = MPI_REQUEST_NULL;
    (void)finish(task);
    return code;
  }
  task->handle = *request;
  insert(task);
  return MPI_SUCCESS;
}
