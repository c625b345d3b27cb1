// Probes: a large message has the size that its receive will have, not its announcement's.
#include "runtime/host/device/mpi/Ends.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Taken.h"

using namespace acis::device;

extern "C" {

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  OwnStatus found(status);
  for (;;) {
    if (peekTaken(from, tag, comm, status))
      return MPI_SUCCESS;
    const int code = ACIS_NEXT(MPI_Probe)(from, tag, comm, found.get());
    if (code != MPI_SUCCESS || from == MPI_PROC_NULL || !takeProbed(*found.get(), comm))
      return code;
  }
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  OwnStatus found(status);
  for (;;) {
    if (peekTaken(from, tag, comm, status)) {
      *flag = 1;
      return MPI_SUCCESS;
    }
    const int code = ACIS_NEXT(MPI_Iprobe)(from, tag, comm, flag, found.get());
    if (code != MPI_SUCCESS || !*flag || from == MPI_PROC_NULL || !takeProbed(*found.get(), comm))
      return code;
  }
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  if (matchTaken(from, tag, comm, message, status))
    return MPI_SUCCESS;
  OwnStatus found(status);
  const int code = ACIS_NEXT(MPI_Mprobe)(from, tag, comm, message, found.get());
  if (code == MPI_SUCCESS)
    keepMatched(comm, message, found.get());
  return code;
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status) {
  if (matchTaken(from, tag, comm, message, status)) {
    *flag = 1;
    return MPI_SUCCESS;
  }
  OwnStatus found(status);
  const int code = ACIS_NEXT(MPI_Improbe)(from, tag, comm, flag, message, found.get());
  if (code == MPI_SUCCESS && *flag)
    keepMatched(comm, message, found.get());
  return code;
}

} // extern "C"
