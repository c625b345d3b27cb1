// Messages that were taken from MPI before the program receives them, because it asked about one
// (MPI_Probe) and its size had to be known. A message of an announcement's length may be one; with
// it are taken all older ones of its sender in its communicator, so what is here is older than
// what MPI has, and later receives look here first.
#pragma once

#include "runtime/host/device/mpi/Message.h"

#include <mpi.h>

namespace acis::device {

/// One look for each receive while there is none.
bool hasTaken() noexcept;

/// A message here that matches: its status, with the size that it will have. False: none.
bool peekTaken(int from, int tag, MPI_Comm comm, MPI_Status *status);

/// The message that a probe found in MPI: whether it, and older ones, were taken.
bool takeProbed(const MPI_Status &probed, MPI_Comm comm);

/// Takes the oldest that matches out of here. Then the request receives it into (buffer, count,
/// type) as MPI_Irecv's does; `takenFrom` has its source and tag where the status will not.
struct TakenReceive {
  MPI_Request request = MPI_REQUEST_NULL;
  std::optional<std::pair<int, int>> takenFrom;
  int code = MPI_SUCCESS;
};
std::optional<TakenReceive> receiveTaken(void *buffer, int count, MPI_Datatype type, int from,
                                         int tag, MPI_Comm comm);

/// The same for MPI_Mprobe: a handle that stands for the message until MPI_Mrecv. One of this
/// library's where it has the bytes already.
bool matchTaken(int from, int tag, MPI_Comm comm, MPI_Message *handle, MPI_Status *status);
/// A message that MPI has matched for the program and that may be announced: the handle becomes
/// this library's, the status what the program sees.
void keepMatched(MPI_Comm comm, MPI_Message *handle, MPI_Status *status);
/// Nothing for a handle of MPI's.
std::optional<TakenReceive> receiveMatched(void *buffer, int count, MPI_Datatype type,
                                           MPI_Message *handle);

/// At MPI_Finalize.
void endTaken();

} // namespace acis::device
