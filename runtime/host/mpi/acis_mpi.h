/* User-defined operators that a switch runs, sparse vectors, and control groups: for C and C++
 * programs that are linked to libacis-mpi, or run with it (then these symbols are weak). Programs
 * that are not changed name their operators in ACIS_OPERATORS. */
#ifndef ACIS_MPI_H
#define ACIS_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Op_create(function, commute, op), with a compiled handler beside the function.
 *
 * binary   file that acisc wrote; its handler has items a in its memory and as many b, of higher
 *          ranks, as its packet, and sends op(a, b) for each (docs/mpi.md says how items look)
 * handler  its name in the file, or "" when the file has one
 * function the same operator for the host; it serves calls that are not offloaded
 * commute  0: operands are combined in rank order
 *
 * Collective over MPI_COMM_WORLD: if a rank cannot load the handler, all ranks use the
 * function. Returns MPI_SUCCESS in both cases; the summary (ACIS_WHY) tells them apart.
 * Free with MPI_Op_free. */
int ACIS_Op_create(MPI_User_function *function, int commute, const char *binary,
                   const char *handler, MPI_Op *op);

/* The sum of sparse vectors: of each rank `count` entries, the indices growing, from 0 on and less
 * than `length`, with a value each. The result, on all ranks, has each index that any of them has,
 * in order, once, with the sum of the values that ranks have for it. It is no longer than all
 * vectors together, and than `length`.
 *
 * length       the same on all ranks, as `type` is
 * type         of values: signed or floating-point, 4 or 8 bytes (MPI_INT, MPI_FLOAT, MPI_DOUBLE,
 * ...) room         entries that the result buffers have room for; may differ between ranks
 * resultCount  entries of the result, also where it has no room, which is an error on that rank
 *
 * Blocking and collective over `comm`, an intracommunicator. The switch merges the vectors, where
 * it would do an Allreduce of 16 KB; else each rank gets all from the MPI underneath and merges
 * them. Values are added as one switch does it: neighbours by rank, then their sums; so both ways
 * have the same bits where all ranks are on one switch, and on several wherever sums are exact. */
int ACIS_Sparse_allreduce(const int *indices, const void *values, int count, int length,
                          MPI_Datatype type, int *resultIndices, void *resultValues, int room,
                          int *resultCount, MPI_Comm comm);

/* A control group of the members of `comm`, in the switch that has the communicator: all call it,
 * with the same policy (NULL: all 0). One of a communicator at a time. acis_control_begin() goes on
 * serving the MPI underneath. Gives NULL after an error, with its text, which belongs to the
 * thread; there is none in a program without a switch, which goes on as without control. Close it
 * with acis_control_close() before MPI_Finalize. */
struct acis_control; /* acis_control.h */
struct acis_control_policy;
struct acis_control *ACIS_Control_open(MPI_Comm comm, const struct acis_control_policy *policy,
                                       const char **error);

#ifdef __cplusplus
}
#endif

#endif
