/* What a call says of arguments that are wrong. */
#ifndef ACIS_KERNELS_CHECK_H
#define ACIS_KERNELS_CHECK_H

#include <mpi.h>

/* Makes an error code with this text (as printf), calls the error handler of `comm`, or of
 * MPI_COMM_WORLD if it is none, and returns the code. */
int kernelsFail(MPI_Comm comm, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* MPI_SUCCESS if `comm` is one for a kernel: not null, no intercommunicator. Else as kernelsFail().
 */
int kernelsCheckComm(const char *call, MPI_Comm comm);

/* Bytes of an element of MPI_FLOAT or MPI_DOUBLE, 0: another type. */
int kernelsBytes(MPI_Datatype type);

/* What one rank found wrong with its arguments of a plan; "" nothing. */
typedef struct {
  char text[200];
} Problem;
void problemSay(Problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* All ranks learn whether one of them has a problem, and which is the first. Collective. 0: none.
 * Else the code of an error that was raised on all ranks. */
int problemAgree(const char *call, const Problem *problem, MPI_Comm comm);

/* Handles of plans that are alive, so that one freed twice is known as such without a look at it.
 */
void liveAdd(void *plan);
int liveHas(const void *plan);
void liveRemove(void *plan);

#endif
