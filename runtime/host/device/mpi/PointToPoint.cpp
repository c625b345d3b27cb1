// Messages between two ranks: sends, receives, and both in one call. What has nothing of a device
// is MPI's at once.
#include "runtime/host/device/mpi/Ends.h"
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Job.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Taken.h"

using namespace acis;
using namespace acis::device;

namespace {

using Use = Message::Use;

template <typename Send>
int sendWhole(Message &message, int count, MPI_Datatype type, int to, int tag, Send send) {
  if (Status begun = message.begin(); !begun)
    return raiseError(message.comm, begun.error().str());
  noteWhole(message);
  return message.conclude(nullptr, send(message.buffer(), count, type, to, tag, message.comm));
}

template <typename Send>
int sendFrom(std::optional<Mode> mode, const void *buffer, int count, MPI_Datatype type, int to,
             int tag, MPI_Comm comm, Send send) {
  int code;
  const auto message = prepare(Use::Send, buffer, count, type, comm, code);
  if (!message)
    return code;
  const std::optional<int> receiver = mode ? announcedTo(*message, to) : std::nullopt;
  if (!receiver)
    return sendWhole(*message, count, type, to, tag, send);
  MPI_Request request = MPI_REQUEST_NULL;
  code = beginLarge(*message, *receiver, to, tag, *mode, &request);
  return code == MPI_SUCCESS ? waitFor(*message, &request, MPI_STATUS_IGNORE) : code;
}

template <typename Send>
int beginSendFrom(std::optional<Mode> mode, const void *buffer, int count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm, MPI_Request *request, Send send) {
  int code;
  auto message = prepare(Use::Send, buffer, count, type, comm, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  if (const std::optional<int> receiver = mode ? announcedTo(*message, to) : std::nullopt) {
    code = beginLarge(*message, *receiver, to, tag, *mode, request);
    return keep(std::move(message), request, code);
  }
  if (Status begun = message->begin(); !begun)
    return raiseError(comm, begun.error().str());
  noteWhole(*message);
  code = send(message->buffer(), count, type, to, tag, comm, request);
  return keep(std::move(message), request, code);
}

} // namespace

#define SEND(name, mode)                                                                           \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag,                \
                 MPI_Comm comm) {                                                                  \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm);                            \
    return sendFrom(mode, buffer, count, type, to, tag, comm, ACIS_NEXT(MPI_##name));              \
  }

#define ISEND(name, mode)                                                                          \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm, request);                   \
    return beginSendFrom(mode, buffer, count, type, to, tag, comm, request,                        \
                         ACIS_NEXT(MPI_##name));                                                   \
  }

extern "C" {

SEND(Send, Mode::Standard)
SEND(Bsend, std::nullopt) // into memory that the program gave MPI for it
SEND(Rsend, Mode::Ready)
SEND(Ssend, Mode::Synchronous)
ISEND(Isend, Mode::Standard)
ISEND(Ibsend, std::nullopt)
ISEND(Irsend, Mode::Ready)
ISEND(Issend, Mode::Synchronous)

/// A receive of ordinary memory has its status looked at, no more.
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status) {
  if (!isDevice(buffer, from) && !hasPart(count, type, from))
    return ACIS_NEXT(MPI_Recv)(buffer, count, type, from, tag, comm, status);
  OwnStatus came(status);
  int code;
  std::unique_ptr<Message> message;
  const bool mayBeTaken = hasTaken();
  if (mayBeTaken || isDevice(buffer, from)) {
    message = startReceive(buffer, count, type, from, comm, code);
    if (!message)
      return code;
  }
  if (mayBeTaken) {
    MPI_Request request;
    code = post(*message, count, type, from, tag, &request);
    return code == MPI_SUCCESS ? waitFor(*message, &request, status) : code;
  }
  code = ACIS_NEXT(MPI_Recv)(message ? message->buffer() : buffer, count, type, from, tag, comm,
                             came.get());
  if (!message) {
    int bytes = 0;
    PMPI_Get_count(came.get(), MPI_BYTE, &bytes);
    if (code != MPI_SUCCESS || bytes != int(AnnouncementBytes))
      return code;
    message = startReceive(buffer, count, type, from, comm, code);
  }
  return concludeReceive(*message, came.get(), code);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  if (!isDevice(buffer, from) && !hasPart(count, type, from))
    return ACIS_NEXT(MPI_Irecv)(buffer, count, type, from, tag, comm, request);
  int code;
  auto message = startReceive(buffer, count, type, from, comm, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  code = post(*message, count, type, from, tag, request);
  return keep(std::move(message), request, code);
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *matched,
              MPI_Status *status) {
  if (!registry().mayHold(buffer) && !hasTaken())
    return ACIS_NEXT(MPI_Mrecv)(buffer, count, type, matched, status);
  MPI_Request request;
  const int code = MPI_Imrecv(buffer, count, type, matched, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, status) : code;
}

/// An announcement that was probed is this library's. Of other messages MPI does not say of which
/// communicator they are.
int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *matched,
               MPI_Request *request) {
  const bool isNobodys = *matched == MPI_MESSAGE_NO_PROC;
  if (isNobodys || (!registry().mayHold(buffer) && !hasTaken()))
    return ACIS_NEXT(MPI_Imrecv)(buffer, count, type, matched, request);
  int code;
  auto message = startReceive(buffer, count, type, 0, MPI_COMM_WORLD, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  if (const auto taken = receiveMatched(message->buffer(), count, type, matched)) {
    *request = taken->request;
    message->takenFrom = taken->takenFrom;
    return keep(std::move(message), request, taken->code);
  }
  code = ACIS_NEXT(MPI_Imrecv)(message->buffer(), count, type, matched, request);
  return keep(std::move(message), request, code);
}

int MPI_Sendrecv(const void *give, int giveCount, MPI_Datatype giveType, int to, int giveTag,
                 void *get, int getCount, MPI_Datatype getType, int from, int getTag, MPI_Comm comm,
                 MPI_Status *status) {
  const bool gives = isDevice(give, to);
  if (!gives && !isDevice(get, from) && !hasPart(getCount, getType, from))
    return ACIS_NEXT(MPI_Sendrecv)(give, giveCount, giveType, to, giveTag, get, getCount, getType,
                                   from, getTag, comm, status);
  int code;
  std::unique_ptr<Message> send;
  if (gives && !(send = prepare(Use::Send, give, giveCount, giveType, comm, code)))
    return code;
  const auto receive = startReceive(get, getCount, getType, from, comm, code);
  if (!receive)
    return code;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  code = post(*receive, getCount, getType, from, getTag, &requests[0]);
  if (code != MPI_SUCCESS)
    return code;
  code = beginSend(send.get(), give, giveCount, giveType, to, giveTag, comm, &requests[1]);
  if (code != MPI_SUCCESS) {
    giveUp(&requests[0]);
    return code;
  }
  waitUntilReady(*receive, requests[0]);
  code = send ? waitFor(*send, &requests[1], MPI_STATUS_IGNORE)
              : ACIS_NEXT(MPI_Wait)(&requests[1], MPI_STATUS_IGNORE);
  const int received = waitFor(*receive, &requests[0], status);
  return code == MPI_SUCCESS ? received : code;
}

/// What is sent is copied first: the same memory receives.
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int giveTag, int from,
                         int getTag, MPI_Comm comm, MPI_Status *status) {
  if (!registry().mayHold(buffer) && !hasPart(count, type, from))
    return ACIS_NEXT(MPI_Sendrecv_replace)(buffer, count, type, to, giveTag, from, getTag, comm,
                                           status);
  int code, filled = 0;
  const Staging packed = pack(buffer, count, type, to, comm, filled, code);
  return !packed.data() ? code
                        : MPI_Sendrecv(packed.data(), filled, MPI_PACKED, to, giveTag, buffer,
                                       count, type, from, getTag, comm, status);
}

} // extern "C"
