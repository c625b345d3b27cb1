// The completion calls. A call among whose requests none is of device memory goes straight through;
// for the others the library needs the statuses, also where the program does not want them.
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Requests.h"

using namespace acis::device;

namespace {

/// The program's statuses, or some of our own.
class Statuses {
public:
  Statuses(int count, MPI_Status *given)
      : own(given == MPI_STATUSES_IGNORE || given == MPI_STATUS_IGNORE ? size_t(count) : 0),
        all(own.empty() ? given : own.data()) {}
  MPI_Status *data() { return all; }
  MPI_Status &operator[](int i) { return all[i]; }

private:
  std::vector<MPI_Status> own;
  MPI_Status *all;
};

/// Ends what a call for several requests has completed: `count` statuses, of the requests `indices`
/// (null: of all in order). Its result.
int endSeveral(Completing &ours, int count, const int *indices, Statuses &statuses, int code) {
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
    return code;
  for (int k = 0; code == MPI_SUCCESS && k < count; ++k)
    statuses[k].MPI_ERROR = MPI_SUCCESS; // MPI sets it only where it returns MPI_ERR_IN_STATUS
  for (int k = 0; k < count; ++k) {
    if (statuses[k].MPI_ERROR == MPI_ERR_PENDING)
      continue;
    statuses[k].MPI_ERROR = ours.end(indices ? indices[k] : k, statuses[k], statuses[k].MPI_ERROR);
    if (statuses[k].MPI_ERROR != MPI_SUCCESS)
      code = MPI_ERR_IN_STATUS;
  }
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
  Statuses statuses(1, status);
  const int code = ACIS_NEXT(MPI_Wait)(request, statuses.data());
  return ours.end(0, statuses[0], code);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Test)(request, flag, status);
  Completing ours(1, request);
  if (!ours.any())
    return ACIS_NEXT(MPI_Test)(request, flag, status);
  Statuses statuses(1, status);
  const int code = ACIS_NEXT(MPI_Test)(request, flag, statuses.data());
  return *flag || code != MPI_SUCCESS ? ours.end(0, statuses[0], code) : code;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitall)(count, requests, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitall)(count, requests, statuses);
  Statuses all(count, statuses);
  return endSeveral(ours, count, nullptr, all, ACIS_NEXT(MPI_Waitall)(count, requests, all.data()));
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testall)(count, requests, flag, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testall)(count, requests, flag, statuses);
  Statuses all(count, statuses);
  const int code = ACIS_NEXT(MPI_Testall)(count, requests, flag, all.data());
  return *flag || code == MPI_ERR_IN_STATUS ? endSeveral(ours, count, nullptr, all, code) : code;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitany)(count, requests, index, status);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitany)(count, requests, index, status);
  Statuses one(1, status);
  const int code = ACIS_NEXT(MPI_Waitany)(count, requests, index, one.data());
  return *index == MPI_UNDEFINED ? code : ours.end(*index, one[0], code);
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testany)(count, requests, index, flag, status);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testany)(count, requests, index, flag, status);
  Statuses one(1, status);
  *index = MPI_UNDEFINED; // not every library sets it with an unset flag
  const int code = ACIS_NEXT(MPI_Testany)(count, requests, index, flag, one.data());
  return *index == MPI_UNDEFINED ? code : ours.end(*index, one[0], code);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                 MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Waitsome)(count, requests, done, indices, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Waitsome)(count, requests, done, indices, statuses);
  Statuses all(count, statuses);
  const int code = ACIS_NEXT(MPI_Waitsome)(count, requests, done, indices, all.data());
  return *done == MPI_UNDEFINED ? code : endSeveral(ours, *done, indices, all, code);
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                 MPI_Status statuses[]) {
  if (!hasRequests())
    return ACIS_NEXT(MPI_Testsome)(count, requests, done, indices, statuses);
  Completing ours(count, requests);
  if (!ours.any())
    return ACIS_NEXT(MPI_Testsome)(count, requests, done, indices, statuses);
  Statuses all(count, statuses);
  const int code = ACIS_NEXT(MPI_Testsome)(count, requests, done, indices, all.data());
  return *done == MPI_UNDEFINED ? code : endSeveral(ours, *done, indices, all, code);
}

/// The message goes on; its memory must stay, and a receive's bytes must reach the device.
int MPI_Request_free(MPI_Request *request) {
  if (hasRequests()) {
    Completing ours(1, request);
    if (std::unique_ptr<Message> message = ours.takeOut(0)) {
      if (!message->isPersistent || message->isActive()) {
        addOrphan(*request, std::move(message));
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
      }
    }
  }
  return ACIS_NEXT(MPI_Request_free)(request);
}

int MPI_Finalize() {
  endOrphans(true);
  return ACIS_NEXT(MPI_Finalize)();
}

} // extern "C"
