// See Process.h.
#include "runtime/host/mpi/interpose/Process.h"

#include <cstdio>

namespace acis::mpi {

Process &process() {
  static Process &instance = *new Process;
  return instance;
}

std::string secondsText(Nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
  return text;
}

void driveProgress() {
  // Testing a request is what makes both libraries look at their networks; a probe of a
  // communicator of one process need not, and does not in MPICH. This request is never
  // complete; MPI reclaims it at the end.
  static MPI_Request never = [] {
    MPI_Request made = MPI_REQUEST_NULL;
    PMPI_Grequest_start([](void *, MPI_Status *) { return int(MPI_SUCCESS); },
                        [](void *) { return int(MPI_SUCCESS); },
                        [](void *, int) { return int(MPI_SUCCESS); }, nullptr, &made);
    return made;
  }();
  int flag = 0;
  PMPI_Test(&never, &flag, MPI_STATUS_IGNORE);
}

} // namespace acis::mpi
