/* Memory nodes in an MPI program (docs/near-data.md): the memory communicator as one of MPI, and
 * errors of memory nodes as errors of MPI.
 *
 *     MPI_Local_Open("10.0.0.1:9000,10.0.0.2:9000", 1, "", MPI_COMM_WORLD, &memory);
 *     MPI_Comm_set_errhandler(memory, MPI_ERRORS_RETURN);
 *     int code = MPI_Local_Map(twice, numbers, doubled, n);
 *     MPI_Error_string(code, text, &length);
 *     MPI_Comm_free(&memory);
 *
 * An error of any function of acis_near.h on a memory communicator calls the communicator's error
 * handler, which is that of the communicator it was opened from unless it is set. The code that the
 * handler gets is what MPI_Local_Dealloc and MPI_Local_Map return. Each kind of error has a class
 * (MPI_Local_Error_class) and one code of it, whose text is that of the last such error.
 *
 * Programs link libacis-near-<MPI>.a and libacis-client.so. */
#ifndef ACIS_NEAR_MPI_H
#define ACIS_NEAR_MPI_H

#include "runtime/host/near/acis_near.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective over `comm`: all its ranks, as the ranks of job `job`, with its key, open a
 * communicator of the memory nodes. `memory` has the group of `comm`; MPI_Comm_free() closes it,
 * and has to be called before MPI_Finalize. If one rank has no connection none has: an error on
 * `comm`. */
int MPI_Local_Open(const char *nodes, uint32_t job, const char *key, MPI_Comm comm,
                   MPI_Comm *memory);
/* For functions of acis_near.h; NULL if it is no memory communicator. MPI_Comm_free() ends it. */
acis_near *acis_near_of(MPI_Comm memory);
/* The class of MPI that errors of a kind have; of ACIS_NEAR_OK it is MPI_SUCCESS. */
int MPI_Local_Error_class(enum acis_near_class of);

#ifdef __cplusplus
}
#endif

#endif
