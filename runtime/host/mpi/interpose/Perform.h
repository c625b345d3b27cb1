// Carries calls out: blocking ones to their end, non-blocking ones up to a request.
#pragma once

#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Meter.h"

#include <mpi.h>

#include <optional>
#include <utility>

namespace acis::mpi {

/// The MPI error code of a collective that this library served, or nothing: the MPI
/// underneath has to serve it. `reason` is what the call is counted with.
std::optional<int> perform(const Arguments &given, Meter &meter, Reason &reason);
std::optional<int> begin(const Arguments &given, MPI_Request *request);

/// Waits for a started collective, with progress of the MPI underneath in between. Fails
/// after the timeout of the settings, naming who is missing.
Status await(Request request);

/// The communicator as the switch knows it, set up if a call of this kind may block; else null. The
/// reason is why its calls are the MPI underneath's; Offloaded if they may not be.
std::pair<Communicator *, Reason> communicatorOf(MPI_Comm comm, Kind kind, bool blocks);

} // namespace acis::mpi
