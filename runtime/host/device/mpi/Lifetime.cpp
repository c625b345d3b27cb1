// From MPI_Init to MPI_Finalize.
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Job.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Progress.h"
#include "runtime/host/device/mpi/Requests.h"
#include "runtime/host/device/mpi/Taken.h"

using namespace acis;
using namespace acis::device;

namespace {

int open(int code) {
  if (code != MPI_SUCCESS)
    return code;
  if (!settingsError())
    return raiseError(MPI_COMM_WORLD, settingsError().error().str());
  openJob();
  return code;
}

/// Chunks that nobody waits for: MPI has told this rank that their announcement was too long for
/// its receive.
void dropStray() {
  MPI_Message message;
  MPI_Status status;
  int isThere = 0, bytes = 0;
  PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, job()->all, &isThere, &message, &status);
  if (!isThere)
    return;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  const Staging memory(size_t(bytes) + 1);
  PMPI_Mrecv(memory.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}

/// All ranks' sends go, also those that were received by nobody.
void endAll() {
  endOrphans(true);
  endTaken();
  Backoff backoff;
  for (; hasLeftovers(); endLeftovers(), backoff.pause())
    dropStray();
  MPI_Request request;
  PMPI_Ibarrier(job()->all, &request);
  for (int isOver = 0; !isOver; backoff.pause()) {
    PMPI_Test(&request, &isOver, MPI_STATUS_IGNORE);
    dropStray();
  }
}

} // namespace

extern "C" {

int MPI_Init(int *argc, char ***argv) { return open(ACIS_NEXT(MPI_Init)(argc, argv)); }

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return open(ACIS_NEXT(MPI_Init_thread)(argc, argv, required, provided));
}

int MPI_Finalize() {
  if (job()) {
    endAll();
    closeJob();
  }
  return ACIS_NEXT(MPI_Finalize)();
}

} // extern "C"
