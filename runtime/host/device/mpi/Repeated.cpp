// Persistent requests. Their message begins at each start; where MPI's own request cannot do it (a
// large message, or one that was taken before), another one does in its place.
#include "runtime/host/device/mpi/Ends.h"
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Requests.h"
#include "runtime/host/device/mpi/Taken.h"

using namespace acis;
using namespace acis::device;

namespace {

using Use = Message::Use;

template <typename Init>
int makeSend(std::optional<Mode> mode, const void *buffer, int count, MPI_Datatype type, int to,
             int tag, MPI_Comm comm, MPI_Request *request, Init init) {
  int code;
  auto message = prepare(Use::Send, buffer, count, type, comm, code);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  if (Status staged = message->stage(); !staged)
    return raiseError(comm, staged.error().str());
  message->repeated = {false, to, tag, mode};
  code = init(message->buffer(), count, type, to, tag, comm, request);
  return keep(std::move(message), request, code);
}

/// Starts request `i`, which may have a message of the library's that is begun or is to be
/// announced.
int startOne(Completing &ours, int i, MPI_Request *request) {
  Message *message = ours.message(i);
  if (!message)
    return ACIS_NEXT(MPI_Start)(request);
  const Message::Repeated &made = *message->repeated;
  if (made.receives && made.peer != MPI_PROC_NULL) {
    if (const auto taken = receiveTaken(message->buffer(), message->count(), message->type(),
                                        made.peer, made.tag, message->comm)) {
      message->proxy = taken->request;
      message->takenFrom = taken->takenFrom;
      return taken->code;
    }
  } else if (made.mode && !message->isActive()) {
    const std::optional<int> receiver = announcedTo(*message, made.peer);
    const Status begun = receiver ? message->beginLarge(*receiver, made.peer, made.tag, *made.mode,
                                                        &message->proxy)
                                  : message->begin(); // others of the call took the last memory
    if (!begun || receiver)
      return begun ? MPI_SUCCESS : raiseError(message->comm, begun.error().str());
  }
  return ACIS_NEXT(MPI_Start)(request);
}

/// Begins the messages that MPI's own requests do. None has begun after an error.
int beginAll(Completing &ours, int count) {
  for (int i = 0; i < count; ++i) {
    Message *message = ours.message(i);
    if (!message || (message->repeated->mode && announcedTo(*message, message->repeated->peer)))
      continue;
    const int code = ours.begin(i);
    if (code == MPI_SUCCESS)
      continue;
    while (i-- > 0)
      if (ours.message(i))
        ours.message(i)->abandon();
    return code;
  }
  return MPI_SUCCESS;
}

int startAll(int count, MPI_Request *requests) {
  Completing ours(count, requests);
  int code = beginAll(ours, count);
  for (int i = 0; code == MPI_SUCCESS && i < count; ++i)
    code = startOne(ours, i, &requests[i]);
  return code;
}

} // namespace

#define SEND_INIT(name, mode)                                                                      \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    if (!isDevice(buffer, to))                                                                     \
      return ACIS_NEXT(MPI_##name)(buffer, count, type, to, tag, comm, request);                   \
    return makeSend(mode, buffer, count, type, to, tag, comm, request, ACIS_NEXT(MPI_##name));     \
  }

extern "C" {

SEND_INIT(Send_init, Mode::Standard)
SEND_INIT(Bsend_init, std::nullopt)
SEND_INIT(Rsend_init, Mode::Ready)
SEND_INIT(Ssend_init, Mode::Synchronous)

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  int code = MPI_SUCCESS;
  auto message = isDevice(buffer, from)
                     ? prepare(Use::Receive, buffer, count, type, comm, code)
                     : Message::ordinary(buffer, size_t(std::max(count, 0)), type, comm);
  *request = MPI_REQUEST_NULL;
  if (!message)
    return code;
  message->repeated = {true, from, tag, std::nullopt};
  code = ACIS_NEXT(MPI_Recv_init)(message->buffer(), count, type, from, tag, comm, request);
  return keep(std::move(message), request, code);
}

int MPI_Start(MPI_Request *request) {
  return hasRequests() ? startAll(1, request) : ACIS_NEXT(MPI_Start)(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  return hasRequests() ? startAll(count, requests) : ACIS_NEXT(MPI_Startall)(count, requests);
}

} // extern "C"
