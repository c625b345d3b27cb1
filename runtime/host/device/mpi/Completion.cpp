// The completion calls. A call among whose requests none is of this library's goes straight
// through. Else those are moved on until as many are over as the call needs, while MPI does the
// others; the statuses are needed also where the program does not want them.
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Progress.h"
#include "runtime/host/device/mpi/Requests.h"

using namespace acis::device;

namespace {

/// The program's statuses, or some of our own.
class Statuses {
public:
  Statuses(int count, MPI_Status *given)
      : own(given == MPI_STATUSES_IGNORE || given == MPI_STATUS_IGNORE ? size_t(count) : 0),
        all(own.empty() ? given : own.data()) {}
  MPI_Status &operator[](int i) { return all[i]; }

private:
  std::vector<MPI_Status> own;
  MPI_Status *all;
};

bool areReady(Completing &ours, int count) {
  bool all = true;
  for (int i = 0; i < count; ++i)
    if (ours.isActive(i) && !ours.isReady(i))
      all = false; // the others go on, too
  return all;
}

/// The errors of several requests as MPI has them: each in its status.
void setError(MPI_Status &status, int code, int &result) {
  status.MPI_ERROR = code;
  if (code != MPI_SUCCESS)
    result = MPI_ERR_IN_STATUS;
}

/// After MPI has ended the others with `code`.
int endAll(Completing &ours, int count, Statuses &statuses, std::vector<MPI_Status> &others,
           int code) {
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
    return code;
  const bool inStatus = code == MPI_ERR_IN_STATUS;
  for (size_t k = 0; k < others.size(); ++k) {
    const int i = ours.otherIndices()[k];
    statuses[i] = others[k];
    setError(statuses[i], inStatus ? others[k].MPI_ERROR : MPI_SUCCESS, code);
  }
  for (int i = 0; i < count; ++i)
    if (ours.message(i))
      setError(statuses[i], ours.finish(i, &statuses[i]), code);
  return code;
}

/// What MPI_Testany does; `none`: there is no active request.
int tryAny(Completing &ours, int count, int *index, int *flag, MPI_Status *status) {
  bool isActive = false;
  *index = MPI_UNDEFINED;
  *flag = 1;
  for (int i = 0; i < count; ++i) {
    isActive |= ours.isActive(i);
    if (!ours.isActive(i) || !ours.isReady(i))
      continue;
    *index = i;
    return ours.finish(i, status);
  }
  std::vector<MPI_Request> others = ours.others();
  int other = MPI_UNDEFINED; // not every library sets it with an unset flag
  const int code = ACIS_NEXT(MPI_Testany)(int(others.size()), others.data(), &other, flag, status);
  if (other != MPI_UNDEFINED)
    *index = ours.otherIndices()[size_t(other)];
  else
    *flag = *flag && !isActive;
  ours.putBack(others);
  return code;
}

/// What MPI_Testsome does.
int trySome(Completing &ours, int count, int *done, int *indices, Statuses &statuses) {
  bool isActive = false;
  std::vector<MPI_Request> others = ours.others();
  std::vector<MPI_Status> own(others.size());
  std::vector<int> which(others.size());
  int came = MPI_UNDEFINED;
  int code =
      ACIS_NEXT(MPI_Testsome)(int(others.size()), others.data(), &came, which.data(), own.data());
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
    return code;
  const bool inStatus = code == MPI_ERR_IN_STATUS;
  ours.putBack(others);
  *done = 0;
  for (int k = 0; came != MPI_UNDEFINED && k < came; ++k, ++*done) {
    indices[*done] = ours.otherIndices()[size_t(which[size_t(k)])];
    statuses[*done] = own[size_t(k)];
    setError(statuses[*done], inStatus ? own[size_t(k)].MPI_ERROR : MPI_SUCCESS, code);
  }
  for (int i = 0; i < count; ++i) {
    isActive |= ours.isActive(i);
    if (!ours.isActive(i) || !ours.isReady(i))
      continue;
    indices[*done] = i;
    setError(statuses[*done], ours.finish(i, &statuses[*done]), code);
    ++*done;
  }
  if (came == MPI_UNDEFINED && !isActive)
    *done = MPI_UNDEFINED;
  return code;
}

} // namespace

extern "C" {

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Wait)(request, status);
  Completing ours(1, request);
  if (!ours.any())
    return ACIS_NEXT(MPI_Wait)(request, status);
  for (Backoff backoff; !areReady(ours, 1); backoff.pause())
    advanceOthers();
  Statuses statuses(1, status);
  return ours.finish(0, &statuses[0]);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Test)(request, flag, status);
  Completing ours(1, request);
  if (!ours.any())
    return ACIS_NEXT(MPI_Test)(request, flag, status);
  Statuses statuses(1, status);
  *flag = areReady(ours, 1);
  return *flag ? ours.finish(0, &statuses[0]) : MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitall)(count, requests, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitall)(count, requests, statuses);
  std::vector<MPI_Request> others = ours.others();
  for (Backoff backoff; !areReady(ours, count); backoff.pause()) {
    int isOver = 0;
    for (const MPI_Request &other : others) // they may need this rank, too
      ACIS_NEXT(MPI_Request_get_status)(other, &isOver, MPI_STATUS_IGNORE);
    advanceOthers();
  }
  Statuses all(count, statuses);
  std::vector<MPI_Status> own(others.size());
  const int code = ACIS_NEXT(MPI_Waitall)(int(others.size()), others.data(), own.data());
  ours.putBack(others);
  return endAll(ours, count, all, own, code);
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testall)(count, requests, flag, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testall)(count, requests, flag, statuses);
  const bool areOver = areReady(ours, count);
  std::vector<MPI_Request> others = ours.others();
  if (!areOver) {
    *flag = 0;
    for (const MPI_Request &other : others) {
      int isOver = 0;
      ACIS_NEXT(MPI_Request_get_status)(other, &isOver, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
  }
  Statuses all(count, statuses);
  std::vector<MPI_Status> own(others.size());
  const int code = ACIS_NEXT(MPI_Testall)(int(others.size()), others.data(), flag, own.data());
  ours.putBack(others);
  return *flag || code == MPI_ERR_IN_STATUS ? endAll(ours, count, all, own, code) : code;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitany)(count, requests, index, status);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitany)(count, requests, index, status);
  Statuses one(1, status);
  for (Backoff backoff;; backoff.pause()) {
    int isOver = 0;
    const int code = tryAny(ours, count, index, &isOver, &one[0]);
    if (isOver || code != MPI_SUCCESS)
      return code;
    advanceOthers();
  }
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testany)(count, requests, index, flag, status);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testany)(count, requests, index, flag, status);
  Statuses one(1, status);
  return tryAny(ours, count, index, flag, &one[0]);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                 MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitsome)(count, requests, done, indices, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitsome)(count, requests, done, indices, statuses);
  Statuses all(count, statuses);
  for (Backoff backoff;; backoff.pause()) {
    const int code = trySome(ours, count, done, indices, all);
    if (*done != 0 || code != MPI_SUCCESS)
      return code;
    advanceOthers();
  }
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                 MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testsome)(count, requests, done, indices, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testsome)(count, requests, done, indices, statuses);
  Statuses all(count, statuses);
  return trySome(ours, count, done, indices, all);
}

/// The status that MPI_Wait would give.
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (hasRequests()) {
    Completing ours(1, &request);
    if (ours.isActive(0)) {
      *flag = ours.isReady(0);
      return *flag ? ours.peek(0, status) : MPI_SUCCESS;
    }
  }
  return ACIS_NEXT(MPI_Request_get_status)(request, flag, status);
}

/// What was announced comes.
int MPI_Cancel(MPI_Request *request) {
  if (hasRequests()) {
    Completing ours(1, request);
    if (ours.isActive(0) && (ours.message(0)->isLarge() || ours.message(0)->takenFrom))
      return MPI_SUCCESS;
  }
  return ACIS_NEXT(MPI_Cancel)(request);
}

/// The message goes on; its memory must stay, and a receive's bytes must reach the device.
int MPI_Request_free(MPI_Request *request) {
  if (hasRequests()) {
    Completing ours(1, request);
    const bool isActive = ours.isActive(0);
    if (std::unique_ptr<Message> message = ours.takeOut(0); message && isActive) {
      addOrphan(*request, std::move(message));
      *request = MPI_REQUEST_NULL;
      return MPI_SUCCESS;
    }
  }
  return ACIS_NEXT(MPI_Request_free)(request);
}

} // extern "C"
