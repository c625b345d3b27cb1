// The state of this process: its session with the switch, its settings and counts.
// Made when it is first asked for and never destroyed, so that MPI calls from static
// constructors and destructors find it.
#pragma once

#include "runtime/host/mpi/Settings.h"
#include "runtime/host/mpi/Summary.h"

#include <mpi.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace acis::mpi {

struct Process {
  Settings settings;
  Summary summary;
  int rank = 0, size = 1;           ///< in MPI_COMM_WORLD
  std::vector<uint32_t> hostOfRank; ///< of MPI_COMM_WORLD, while attached
  /// Between MPI_Init and MPI_Finalize, on all ranks or on none: collectives may go to
  /// the switch.
  std::atomic<bool> attached = false;
  std::unique_ptr<Session> session;
};

Process &process();

/// One step of the MPI underneath. A process that waits for the switch owes its peers
/// progress of the messages that it has in flight.
void driveProgress();

/// "1.5 s"
std::string secondsText(Nanoseconds time);

/// Makes an MPI error code with this text, and calls the error handler of `comm`; its
/// result. A handler that ends the program gets the text on standard error first.
int raiseError(MPI_Comm comm, const std::string &text);

} // namespace acis::mpi
