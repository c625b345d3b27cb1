// MPI_Abort of a simulated program: SMPI's ends the ranks, but the run would go on without them.
#include "runtime/sim/smpi/Cluster.h"

#include <mpi.h>

extern "C" {

int MPI_Abort(MPI_Comm, int code) { acis::cluster::endRun(code); }

/// Fortran's.
void mpi_abort_(const int *, const int *code, int *) { acis::cluster::endRun(*code); }
}
