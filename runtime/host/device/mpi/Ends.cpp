// See Ends.h.
#include "runtime/host/device/mpi/Ends.h"

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Progress.h"
#include "runtime/host/device/mpi/Requests.h"
#include "runtime/host/device/mpi/Taken.h"

#include <algorithm>
#include <climits>

namespace acis::device {

bool hasPart(int count, MPI_Datatype type, int from) {
  return from != MPI_PROC_NULL && (hasTaken() || mayMeet(count, type));
}

std::unique_ptr<Message> prepare(Message::Use use, const void *address, int count,
                                 MPI_Datatype type, MPI_Comm comm, int &code) {
  endOrphans(false);
  endLeftovers();
  code = MPI_SUCCESS;
  Result<std::unique_ptr<Message>> made =
      Message::make(use, address, size_t(std::max(count, 0)), type, comm);
  if (made)
    return std::move(*made);
  code = raiseError(comm, made.error().str());
  return nullptr;
}

std::unique_ptr<Message> start(Message::Use use, const void *address, int count, MPI_Datatype type,
                               MPI_Comm comm, int &code) {
  std::unique_ptr<Message> made = prepare(use, address, count, type, comm, code);
  if (!made)
    return nullptr;
  if (Status begun = made->begin(); !begun) {
    code = raiseError(comm, begun.error().str());
    return nullptr;
  }
  return made;
}

std::unique_ptr<Message> startReceive(void *address, int count, MPI_Datatype type, int from,
                                      MPI_Comm comm, int &code) {
  if (isDevice(address, from))
    return start(Message::Use::Receive, address, count, type, comm, code);
  code = MPI_SUCCESS;
  auto made = Message::ordinary(address, size_t(std::max(count, 0)), type, comm);
  (void)made->begin();
  return made;
}

std::optional<int> announcedTo(const Message &message, int to) {
  const size_t bytes = message.bytesInOrder();
  Job *now = job();
  if (!now || bytes < AnnouncementBytes || bytes > size_t(INT_MAX))
    return std::nullopt;
  const std::optional<int> receiver = worldRank(message.comm, to);
  if (!receiver || *receiver == now->rank ||
      settings().choices.of(bytes, now->isHere[size_t(*receiver)]).way == Way::Whole)
    return std::nullopt;
  if (now->buffered + bytes > settings().buffered) {
    noteReason("whole: more than ACIS_DEVICE_BUFFERED is under way");
    return std::nullopt;
  }
  return receiver;
}

int post(Message &message, int count, MPI_Datatype type, int from, int tag, MPI_Request *request) {
  if (from != MPI_PROC_NULL)
    if (const auto taken = receiveTaken(message.buffer(), count, type, from, tag, message.comm)) {
      *request = taken->request;
      message.takenFrom = taken->takenFrom;
      return taken->code;
    }
  return ACIS_NEXT(MPI_Irecv)(message.buffer(), count, type, from, tag, message.comm, request);
}

void waitUntilReady(Message &message, MPI_Request request) {
  for (Backoff backoff; !message.isReady(request); backoff.pause())
    advanceOthers();
}

int waitFor(Message &message, MPI_Request *request, MPI_Status *status) {
  waitUntilReady(message, *request);
  OwnStatus came(status);
  const int code = ACIS_NEXT(MPI_Wait)(request, came.get());
  return message.conclude(came.get(), code);
}

int concludeReceive(Message &message, MPI_Status *status, int code) {
  if (code == MPI_SUCCESS)
    message.meet(*status);
  for (Backoff backoff; !message.isReady(); backoff.pause())
    advanceOthers();
  return message.conclude(status, code);
}

int keep(std::unique_ptr<Message> message, const MPI_Request *request, int code) {
  if (code == MPI_SUCCESS)
    addRequest(*request, std::move(message));
  return code;
}

} // namespace acis::device
