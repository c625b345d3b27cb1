// MPI_Init to MPI_Finalize.
#include "runtime/mpi/interpose/Process.h"

#include <mpi.h>

using namespace acis::mpi;

extern "C" {

int MPI_Init(int *argc, char ***argv) {
  int code = PMPI_Init(argc, argv);
  return code == MPI_SUCCESS ? attach() : code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int code = PMPI_Init_thread(argc, argv, required, provided);
  return code == MPI_SUCCESS ? attach() : code;
}

int MPI_Finalize() {
  detach();
  return PMPI_Finalize();
}

} // extern "C"
