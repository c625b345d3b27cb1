// Attaches all ranks to their switches, or none.
#pragma once

#include "runtime/host/mpi/interpose/Process.h"

namespace acis::mpi {

/// Logical and over all ranks: a step was taken everywhere or counts nowhere.
bool everywhere(bool here);

/// Says on standard error why this rank has no switch, unless none was asked for.
void sayWhyNot(const Process &state, const Status &status);

/// Opens the session of each rank, whose settings are `settings`, and finds out whether the
/// switches above can be reached. Where one cannot, and there are others beside it, all try these,
/// in turn. Collective on MPI_COMM_WORLD; false on all if there is no session on one of them, which
/// says why.
bool openSessions(Process &state, const Status &settings);

} // namespace acis::mpi
