// Messages between two ranks. What is not device memory is MPI's at once.
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Requests.h"

using namespace acis;
using namespace acis::device;

namespace {

using Use = Message::Use;

bool isDevice(const void *address, int peer) {
  return registry().mayHold(address) && peer != MPI_PROC_NULL;
}

/// A message that is not begun. Null after an error, which is raised.
std::unique_ptr<Message> prepare(Use use, const void *address, int count, MPI_Datatype type,
                                 MPI_Comm comm, int &code) {
  endOrphans(false);
  code = MPI_SUCCESS;
  Result<std::unique_ptr<Message>> made =
      Message::make(use, address, size_t(std::max(count, 0)), type, comm);
  if (made)
    return std::move(*made);
  code = raiseError(comm, made.error().str());
  return nullptr;
}

std::unique_ptr<Message> start(Use use, const void *address, int count, MPI_Datatype type,
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

/// After a call that has blocked until the message was over.
int finish(Message &message, const MPI_Status *status, int code) {
  if (code != MPI_SUCCESS) {
    message.abandon();
    return code;
  }
  const Status ended = message.end(status);
  return ended ? code : raiseError(message.comm, ended.error().str());
}

/// After one that has given a request.
int keep(std::unique_ptr<Message> message, const MPI_Request *request, int code) {
  if (code == MPI_SUCCESS)
    addRequest(*request, std::move(message));
  return code;
}

} // namespace

#define SEND(name)                                                                                 \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag,                \
                 MPI_Comm comm) {                                                                  \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm);                            \
    int code;                                                                                      \
    const auto message = start(Use::Send, buffer, count, type, comm, code);                        \
    if (!message)                                                                                  \
      return code;                                                                                 \
    code = ACIS_NEXT(MPI_##name)(message->buffer(), count, type, to, tag, comm);                   \
    return finish(*message, nullptr, code);                                                        \
  }

#define ISEND(name)                                                                                \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm, request);                   \
    int code;                                                                                      \
    auto message = start(Use::Send, buffer, count, type, comm, code);                              \
    *request = MPI_REQUEST_NULL;                                                                   \
    if (!message)                                                                                  \
      return code;                                                                                 \
    code = ACIS_NEXT(MPI_##name)(message->buffer(), count, type, to, tag, comm, request);          \
    return keep(std::move(message), request, code);                                                \
  }

#define SEND_INIT(name)                                                                            \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm, request);                   \
    int code;                                                                                      \
    auto message = prepare(Use::Send, buffer, count, type, comm, code);                            \
    *request = MPI_REQUEST_NULL;                                                                   \
    if (!message)                                                                                  \
      return code;                                                                                 \
    message->isPersistent = true;                                                                  \
    code = ACIS_NEXT(MPI_##name)(message->buffer(), count, type, to, tag, comm, request);          \
    return keep(std::move(message), request, code);                                                \
  }

extern "C" {

SEND(Send)
SEND(Bsend)
SEND(Rsend)
SEND(Ssend)
ISEND(Isend)
ISEND(Ibsend)
ISEND(Irsend)
ISEND(Issend)
SEND_INIT(Send_init)
SEND_INIT(Bsend_init)
SEND_INIT(Rsend_init)
SEND_INIT(Ssend_init)

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status) {
  if (!isDevice(buffer, from))
    return ACIS_NEXT(MPI_Recv)(buffer, count, type, from, tag, comm, status);
  int code;
  const auto message = start(Use::Receive, buffer, count, type, comm, code);
  if (!message)
    return code;
  MPI_Status own;
  MPI_Status *came = status == MPI_STATUS_IGNORE ? &own : status;
  code = ACIS_NEXT(MPI_Recv)(message->buffer(), count, type, from, tag, comm, came);
  return finish(*message, came, code);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  if (!isDevice(buffer, from))
    return ACIS_NEXT(MPI_Irecv)(buffer, count, type, from, tag, comm, request);
  int code;
  auto message = start(Use::Receive, buffer, count, type, comm, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  code = ACIS_NEXT(MPI_Irecv)(message->buffer(), count, type, from, tag, comm, request);
  return keep(std::move(message), request, code);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  if (!isDevice(buffer, from))
    return ACIS_NEXT(MPI_Recv_init)(buffer, count, type, from, tag, comm, request);
  int code;
  auto message = prepare(Use::Receive, buffer, count, type, comm, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  message->isPersistent = true;
  code = ACIS_NEXT(MPI_Recv_init)(message->buffer(), count, type, from, tag, comm, request);
  return keep(std::move(message), request, code);
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *matched,
              MPI_Status *status) {
  if (!registry().mayHold(buffer) || *matched == MPI_MESSAGE_NO_PROC)
    return ACIS_NEXT(MPI_Mrecv)(buffer, count, type, matched, status);
  int code; // MPI does not say of which communicator the message is
  const auto message = start(Use::Receive, buffer, count, type, MPI_COMM_WORLD, code);
  if (!message)
    return code;
  MPI_Status own;
  MPI_Status *came = status == MPI_STATUS_IGNORE ? &own : status;
  code = ACIS_NEXT(MPI_Mrecv)(message->buffer(), count, type, matched, came);
  return finish(*message, came, code);
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *matched,
               MPI_Request *request) {
  if (!registry().mayHold(buffer) || *matched == MPI_MESSAGE_NO_PROC)
    return ACIS_NEXT(MPI_Imrecv)(buffer, count, type, matched, request);
  int code;
  auto message = start(Use::Receive, buffer, count, type, MPI_COMM_WORLD, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  code = ACIS_NEXT(MPI_Imrecv)(message->buffer(), count, type, matched, request);
  return keep(std::move(message), request, code);
}

/// Either end may be ordinary memory, or nobody's.
int MPI_Sendrecv(const void *give, int giveCount, MPI_Datatype giveType, int to, int giveTag,
                 void *get, int getCount, MPI_Datatype getType, int from, int getTag, MPI_Comm comm,
                 MPI_Status *status) {
  const bool gives = isDevice(give, to), gets = isDevice(get, from);
  if (!gives && !gets)
    return ACIS_NEXT(MPI_Sendrecv)(give, giveCount, giveType, to, giveTag, get, getCount, getType,
                                   from, getTag, comm, status);
  int code;
  std::unique_ptr<Message> receive, send;
  if (gets && !(receive = start(Use::Receive, get, getCount, getType, comm, code)))
    return code;
  if (gives && !(send = start(Use::Send, give, giveCount, giveType, comm, code)))
    return code;
  MPI_Status own;
  MPI_Status *came = status == MPI_STATUS_IGNORE ? &own : status;
  code = ACIS_NEXT(MPI_Sendrecv)(gives ? send->buffer() : give, giveCount, giveType, to, giveTag,
                                 gets ? receive->buffer() : get, getCount, getType, from, getTag,
                                 comm, came);
  if (gives)
    code = finish(*send, nullptr, code);
  return gets ? finish(*receive, came, code) : code;
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int giveTag, int from,
                         int getTag, MPI_Comm comm, MPI_Status *status) {
  if (!registry().mayHold(buffer))
    return ACIS_NEXT(MPI_Sendrecv_replace)(buffer, count, type, to, giveTag, from, getTag, comm,
                                           status);
  int code;
  const auto message = start(Use::InOut, buffer, count, type, comm, code);
  if (!message)
    return code;
  MPI_Status own;
  MPI_Status *came = status == MPI_STATUS_IGNORE ? &own : status;
  code = ACIS_NEXT(MPI_Sendrecv_replace)(message->buffer(), count, type, to, giveTag, from, getTag,
                                         comm, came);
  return finish(*message, came, code);
}

int MPI_Start(MPI_Request *request) {
  if (hasRequests()) {
    Completing ours(1, request);
    if (const int code = ours.begin(0); code != MPI_SUCCESS)
      return code;
  }
  return ACIS_NEXT(MPI_Start)(request);
}

/// None is started when one cannot be.
int MPI_Startall(int count, MPI_Request requests[]) {
  if (hasRequests()) {
    Completing ours(count, requests);
    for (int i = 0; ours.any() && i < count; ++i) {
      const int code = ours.begin(i);
      if (code == MPI_SUCCESS)
        continue;
      while (i-- > 0)
        ours.abandon(i);
      return code;
    }
  }
  return ACIS_NEXT(MPI_Startall)(count, requests);
}

} // extern "C"
