/* A kernel under way, as a request of MPI.
 *
 * To the program each is a generalized request. MPI has no portable way to compute while it waits
 * for one, so the libraries' own are used: MPICH asks a request that it waits for (its extension
 * MPIX_Grequest_start), Open MPI calls who has registered for it whenever it waits. Where there is
 * neither, a kernel is done when its call returns, without a request. There is no thread: a thread
 * would need MPI_THREAD_MULTIPLE, a core of its own, and would not be there in a simulation; and
 * what is under way advances whenever the program waits, for any of them. */
#ifndef ACIS_KERNELS_TASK_H
#define ACIS_KERNELS_TASK_H

#include <mpi.h>

typedef struct Task {
  /* Does what can be done now, in pieces of about a millisecond; nonzero: complete. With `mayWait`
   * it may wait for messages; it is called again until it is complete. Sets `code` when MPI fails.
   */
  int (*step)(struct Task *task, int mayWait);
  /* Frees the task, when MPI is through with the request. */
  void (*destroy)(struct Task *task);
  int code;
  /* Of this file. */
  int isComplete;
  MPI_Request handle;
  struct Task *next;
} Task;

/* Makes the request; leaves it as it is if the task is complete. After an error there is no task.
 */
int taskStart(Task *task, MPI_Request *request);

/* A step of each task that is under way. Not from inside of a step: then nothing is done. */
void taskProgress(void);

/* The clock, in seconds; what is added to ACIS_Kernel_computing. */
double taskNow(void);
void taskComputed(double seconds);

#endif
