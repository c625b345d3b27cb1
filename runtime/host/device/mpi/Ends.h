// The steps that the calls for messages have in common.
#pragma once

#include "runtime/host/device/mpi/Message.h"

#include <memory>
#include <optional>

namespace acis::device {

inline bool isDevice(const void *address, int peer) {
  return registry().mayHold(address) && peer != MPI_PROC_NULL;
}

/// Of a receive into ordinary memory: whether the library has a part in it.
bool hasPart(int count, MPI_Datatype type, int from);

/// A message that is not begun. Null after an error, which is raised.
std::unique_ptr<Message> prepare(Message::Use use, const void *address, int count,
                                 MPI_Datatype type, MPI_Comm comm, int &code);
/// One that is begun.
std::unique_ptr<Message> start(Message::Use use, const void *address, int count, MPI_Datatype type,
                               MPI_Comm comm, int &code);
/// Of a receive into any memory.
std::unique_ptr<Message> startReceive(void *address, int count, MPI_Datatype type, int from,
                                      MPI_Comm comm, int &code);

/// Where a send is to be announced: the receiver's rank in MPI_COMM_WORLD.
std::optional<int> announcedTo(const Message &message, int to);

/// Begins a send of any memory, of which `message` is null for ordinary one.
int beginSend(Message *message, const void *buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request);
int beginLarge(Message &message, int receiver, int to, int tag, Mode mode, MPI_Request *request);
/// Counts a send that MPI does as one message.
void noteWhole(const Message &message);
/// The bytes of a send whose memory a receive gets: `filled` of MPI_PACKED. None after an error,
/// which is raised.
Staging pack(const void *buffer, int count, MPI_Datatype type, int to, MPI_Comm comm, int &filled,
             int &code);
/// Of a receive that was not to be without a send that could not begin.
void giveUp(MPI_Request *request);

/// Begins a receive in MPI, or of a message that was taken before.
int post(Message &message, int count, MPI_Datatype type, int from, int tag, MPI_Request *request);

/// Waits for one or two messages whose requests these are, and concludes the message.
void waitUntilReady(Message &message, MPI_Request request);
int waitFor(Message &message, MPI_Request *request, MPI_Status *status);
/// After a call of MPI that has blocked until a receive was over.
int concludeReceive(Message &message, MPI_Status *status, int code);
/// After one that has given a request.
int keep(std::unique_ptr<Message> message, const MPI_Request *request, int code);

/// The program's status, or one of our own.
class OwnStatus {
public:
  explicit OwnStatus(MPI_Status *given) : given(given) {}
  MPI_Status *get() { return given == MPI_STATUS_IGNORE ? &own : given; }

private:
  MPI_Status *given, own{};
};

} // namespace acis::device
