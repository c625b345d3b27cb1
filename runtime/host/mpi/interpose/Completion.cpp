// The completion calls. A call whose requests are all of the MPI underneath goes straight
// through. Else it becomes a loop of the testing form of the call, between which the
// switch is looked after; the MPI underneath makes progress in the test.
#include "runtime/host/mpi/Pace.h"
#include "runtime/host/mpi/interpose/Persistent.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>

using namespace acis::mpi;

namespace {

using Clock = std::chrono::steady_clock;

/// Of this thread's waits. Shorter than where only the switch is waited for: it may be a message.
thread_local Pace pace(std::chrono::microseconds(500), std::chrono::milliseconds(4));

/// What a completion call returns: the error of a collective of ours, if one was taken,
/// comes before success; for several requests it stands in their statuses.
int result(int code, bool several) {
  int ours = takeError();
  if (code != MPI_SUCCESS || ours == MPI_SUCCESS)
    return code;
  return several ? MPI_ERR_IN_STATUS : ours;
}

/// Repeats `test`, which sets `flag` when the call is over, until it is.
template <typename Test>
int waitWith(int count, const MPI_Request *requests, bool several, Test test) {
  Clock::time_point end = Clock::now() + process().settings.timeout;
  for (acis::Nanoseconds pause = pace.first();; pause = pace.after(pause)) {
    progressRequests();
    int flag = 0;
    int code = test(&flag);
    if (flag || code != MPI_SUCCESS)
      return result(code, several);
    const Clock::time_point now = Clock::now();
    if (now >= end) {
      failRequests(count, requests);
    } else {
      pauseForRequests(pause);
      pace.ended(pause, Clock::now() - now);
    }
  }
}

/// MPI_ERROR of statuses is set only where a call returns MPI_ERR_IN_STATUS. Ours carry
/// their code already; the others' would be undefined, and all else has succeeded.
void clearErrors(int count, MPI_Status *statuses) {
  if (statuses != MPI_STATUSES_IGNORE)
    std::for_each(statuses, statuses + std::max(count, 0),
                  [](MPI_Status &status) { status.MPI_ERROR = MPI_SUCCESS; });
}

/// What the MPI underneath makes of `call`, which MPI forbids for collectives, on the request of
/// one: its error class, and its calls of the error handler. Ours is not touched.
int refuse(int (*call)(MPI_Request *)) {
  MPI_Request real = MPI_REQUEST_NULL;
  int code = PMPI_Ibarrier(MPI_COMM_SELF, &real);
  if (code != MPI_SUCCESS || (code = call(&real)) != MPI_SUCCESS) {
    PMPI_Wait(&real, MPI_STATUS_IGNORE);
    return code;
  }
  // Open MPI has no request where a single process is concerned, and this class otherwise.
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_REQUEST);
  return MPI_ERR_REQUEST;
}

} // namespace

extern "C" {

int MPI_Wait(MPI_Request *own, MPI_Status *status) {
  Stand request(1, own);
  if (!anyOurs(1, request))
    return PMPI_Wait(request, status);
  return waitWith(1, request, /*several=*/false,
                  [&](int *flag) { return PMPI_Test(request, flag, status); });
}

int MPI_Waitall(int count, MPI_Request own[], MPI_Status statuses[]) {
  Stand requests(count, own);
  if (!anyOurs(count, requests))
    return PMPI_Waitall(count, requests, statuses);
  clearErrors(count, statuses);
  // Not with PMPI_Testall: MPICH's says that persistent collectives that are under way have failed.
  const int code = waitWith(count, requests, /*several=*/true, [&](int *flag) {
    *flag = !anyOpen(count, requests);
    if (!*flag)
      driveProgress();
    return MPI_SUCCESS;
  });
  return code == MPI_SUCCESS ? result(PMPI_Waitall(count, requests, statuses), /*several=*/true)
                             : code;
}

int MPI_Waitany(int count, MPI_Request own[], int *index, MPI_Status *status) {
  Stand requests(count, own);
  if (!anyOurs(count, requests))
    return PMPI_Waitany(count, requests, index, status);
  return waitWith(count, requests, /*several=*/false,
                  [&](int *flag) { return PMPI_Testany(count, requests, index, flag, status); });
}

int MPI_Waitsome(int count, MPI_Request own[], int *outCount, int indices[],
                 MPI_Status statuses[]) {
  Stand requests(count, own);
  if (!anyOurs(count, requests))
    return PMPI_Waitsome(count, requests, outCount, indices, statuses);
  clearErrors(count, statuses);
  return waitWith(count, requests, /*several=*/true, [&](int *flag) {
    int code = PMPI_Testsome(count, requests, outCount, indices, statuses);
    *flag = *outCount != 0;
    return code;
  });
}

int MPI_Test(MPI_Request *own, int *flag, MPI_Status *status) {
  Stand request(1, own);
  progressRequests();
  return result(PMPI_Test(request, flag, status), /*several=*/false);
}

int MPI_Testall(int count, MPI_Request own[], int *flag, MPI_Status statuses[]) {
  Stand requests(count, own);
  if (!anyOurs(count, requests))
    return PMPI_Testall(count, requests, flag, statuses);
  progressRequests();
  clearErrors(count, statuses);
  return result(PMPI_Testall(count, requests, flag, statuses), /*several=*/true);
}

int MPI_Testany(int count, MPI_Request own[], int *index, int *flag, MPI_Status *status) {
  Stand requests(count, own);
  progressRequests();
  return result(PMPI_Testany(count, requests, index, flag, status), /*several=*/false);
}

int MPI_Testsome(int count, MPI_Request own[], int *outCount, int indices[],
                 MPI_Status statuses[]) {
  Stand requests(count, own);
  if (!anyOurs(count, requests))
    return PMPI_Testsome(count, requests, outCount, indices, statuses);
  progressRequests();
  clearErrors(count, statuses);
  return result(PMPI_Testsome(count, requests, outCount, indices, statuses), /*several=*/true);
}

// MPI forbids both for collectives. The MPI underneath would do them to our generalized
// requests, so it is given the request of a collective of its own to refuse.

int MPI_Request_free(MPI_Request *request) {
  if (anyOurs(1, request) || isStarted(*request))
    return refuse(PMPI_Request_free);
  forgetPersistent(*request);
  return PMPI_Request_free(request);
}

int MPI_Cancel(MPI_Request *request) {
  return anyOurs(1, request) || isStarted(*request) ? refuse(PMPI_Cancel) : PMPI_Cancel(request);
}

int MPI_Request_get_status(MPI_Request own, int *flag, MPI_Status *status) {
  Stand request(1, &own);
  progressRequests();
  return PMPI_Request_get_status(*request, flag, status);
}

int MPI_Start(MPI_Request *request) {
  const std::optional<int> code = startPersistent(*request);
  return code ? *code : PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    if (const int code = MPI_Start(&requests[i]); code != MPI_SUCCESS)
      return code;
  return count < 0 ? PMPI_Startall(count, requests) : MPI_SUCCESS;
}

} // extern "C"
