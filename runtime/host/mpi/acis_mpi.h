/* User-defined operators that a switch runs: for C and C++ programs that are linked to
 * libacis-mpi. Programs that are not changed name their operators in ACIS_OPERATORS. */
#ifndef ACIS_MPI_H
#define ACIS_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Op_create(function, commute, op), with a compiled handler beside the function.
 *
 * binary   file that acisc wrote; its handler gets pairs of elements, first a then b, and
 *          writes op(a, b) for each (docs/mpi.md)
 * handler  its name in the file, or "" when the file has one
 * function the same operator for the host; it serves calls that are not offloaded
 * commute  0: operands are combined in rank order
 *
 * Collective over MPI_COMM_WORLD: if a rank cannot load the handler, all ranks use the
 * function. Returns MPI_SUCCESS in both cases; the summary (ACIS_WHY) tells them apart.
 * Free with MPI_Op_free. */
int ACIS_Op_create(MPI_User_function *function, int commute, const char *binary,
                   const char *handler, MPI_Op *op);

#ifdef __cplusplus
}
#endif

#endif
