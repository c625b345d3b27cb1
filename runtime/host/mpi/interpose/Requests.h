// Requests of non-blocking collectives that the switch does. To the program each is a
// generalized request of the MPI underneath, so every call of MPI understands it; the
// wrappers of the completion calls (Completion.cpp) look after the switch while they wait.
#pragma once

#include "runtime/host/mpi/interpose/Work.h"

#include <mpi.h>

#include <memory>

namespace acis::mpi {

/// Makes an MPI request of a started collective; an MPI error code.
int addRequest(std::unique_ptr<Pending> work, Request started, MPI_Request *request);
/// The same of a collective that has nothing to do.
int addCompleteRequest(MPI_Request *request);

/// Whether any of `requests` is ours and was not yet seen complete by the program.
bool anyOurs(int count, const MPI_Request *requests);

/// Whether any of them is ours and the switch has not answered it.
bool anyOpen(int count, const MPI_Request *requests);

/// Completes those of our requests that the switch has answered.
void progressRequests();
/// Waits a moment for one of our requests to be answered, whichever comes first; no
/// longer than until it is worth looking at the MPI underneath again.
void pauseForRequests(Nanoseconds moment);
/// Fails those of `requests` that are ours and incomplete: the timeout has passed.
void failRequests(int count, const MPI_Request *requests);

/// The error of a collective whose request the last completion call on this thread has
/// taken, after its error handler was called; MPI_SUCCESS if there was none. Clears it.
int takeError();

} // namespace acis::mpi
