// See Ends.h.
#include "runtime/host/device/mpi/Ends.h"

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Peer.h"
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
  tellPeers();
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
  if (!receiver || *receiver == now->rank)
    return std::nullopt;
  const Way way = settings().choices.of(bytes, now->isHere[size_t(*receiver)]).way;
  if (way == Way::Whole || (message.isShared() && way != Way::Peer))
    return std::nullopt;
  if (now->buffered + bytes > settings().buffered) {
    noteReason("whole: more than ACIS_DEVICE_BUFFERED is under way");
    return std::nullopt;
  }
  return receiver;
}

void noteWhole(const Message &message) {
  if (job() && message.bytesInOrder())
    ++job()->sent[size_t(Way::Whole)];
}

int beginLarge(Message &message, int receiver, int to, int tag, Mode mode, MPI_Request *request) {
  const Status begun = message.beginLarge(receiver, to, tag, mode, request);
  return begun ? MPI_SUCCESS : raiseError(message.comm, begun.error().str());
}

int beginSend(Message *message, const void *buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request) {
  if (!message)
    return ACIS_NEXT(MPI_Isend)(buffer, count, type, to, tag, comm, request);
  if (const std::optional<int> receiver = announcedTo(*message, to))
    return beginLarge(*message, *receiver, to, tag, Mode::Standard, request);
  if (Status begun = message->begin(); !begun)
    return raiseError(comm, begun.error().str());
  noteWhole(*message);
  return ACIS_NEXT(MPI_Isend)(message->buffer(), count, type, to, tag, comm, request);
}

Staging pack(const void *buffer, int count, MPI_Datatype type, int to, MPI_Comm comm, int &filled,
             int &code) {
  std::unique_ptr<Message> send;
  if (isDevice(buffer, to) && !(send = start(Message::Use::Send, buffer, count, type, comm, code)))
    return {};
  int size = 0;
  PMPI_Pack_size(count, type, comm, &size);
  Staging packed(size_t(std::max(size, 1)));
  if (!packed.data()) {
    code = raiseError(comm, "there is no host memory for " + std::to_string(size) + " bytes");
    return {};
  }
  code = MPI_SUCCESS;
  filled = 0;
  if (to != MPI_PROC_NULL)
    code =
        PMPI_Pack(send ? send->buffer() : buffer, count, type, packed.data(), size, &filled, comm);
  if (send)
    code = send->conclude(nullptr, code);
  return code == MPI_SUCCESS ? std::move(packed) : Staging();
}

void giveUp(MPI_Request *request) {
  PMPI_Cancel(request);
  ACIS_NEXT(MPI_Wait)(request, MPI_STATUS_IGNORE);
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
