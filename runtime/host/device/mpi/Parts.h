// A rank's parts in a collective: each is staged like a message (Message.h).
#pragma once

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Message.h"
#include "runtime/host/device/mpi/Requests.h"

#include <algorithm>

namespace acis::device {

inline bool isInter(MPI_Comm comm) {
  int answer = 0;
  PMPI_Comm_test_inter(comm, &answer);
  return answer;
}

inline int sizeOf(MPI_Comm comm) {
  int size = 1;
  if (isInter(comm))
    PMPI_Comm_remote_size(comm, &size);
  else
    PMPI_Comm_size(comm, &size);
  return size;
}

/// Between two groups the root names itself with MPI_ROOT, and a number is a rank of the other
/// group.
inline bool isRoot(int root, MPI_Comm comm) {
  if (isInter(comm))
    return root == MPI_ROOT;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return root == rank;
}

/// Whether the rank has a part beside the root: all of one group, root included; of two groups,
/// those that the root is not of.
inline bool isMember(int root, MPI_Comm comm) { return !isInter(comm) || root >= 0; }

/// A buffer of a collective, which may be ordinary memory or MPI_IN_PLACE.
class Part {
public:
  /// `isUsed`: the rank has this buffer in the collective, as a root has what it gathers.
  Part(Message::Use use, const void *address, size_t count, MPI_Datatype type, MPI_Comm comm,
       bool isUsed = true)
      : address(const_cast<void *>(address)) {
    if (!isUsed || !registry().mayHold(address))
      return;
    Result<std::unique_ptr<Message>> made = Message::make(use, address, count, type, comm);
    Status status = made ? Status() : Status(made.error());
    if (status && (status = (*made)->begin()))
      message = std::move(*made);
    else
      problem = status.error().str();
  }

  void *buffer() const { return message ? message->buffer() : address; }

  void *address;
  std::unique_ptr<Message> message;
  std::string problem;
};

/// Does `call` unless a part has a problem, and ends the parts.
template <typename Call> int withParts(MPI_Comm comm, Part &first, Part &second, Call call) {
  for (Part *part : {&first, &second})
    if (!part->problem.empty())
      return raiseError(comm, part->problem);
  int code = call();
  for (Part *part : {&first, &second}) {
    if (part->message && code == MPI_SUCCESS) // else it is abandoned as it goes away
      code = part->message->conclude(nullptr, code);
  }
  return code;
}

/// The same for a call that gives a request, with which the parts end.
template <typename Call>
int beginParts(MPI_Comm comm, Part &first, Part &second, MPI_Request *request, Call call) {
  *request = MPI_REQUEST_NULL;
  for (Part *part : {&first, &second})
    if (!part->problem.empty())
      return raiseError(comm, part->problem);
  const int code = call();
  if (code != MPI_SUCCESS || (!first.message && !second.message))
    return code;
  if (!first.message)
    first.message = std::move(second.message);
  first.message->isCollective = true;
  if (second.message) {
    second.message->isCollective = true;
    first.message->companion.emplace();
    first.message->companion->message = std::move(second.message);
  }
  addRequest(*request, std::move(first.message));
  return code;
}

/// What a rank gives in place is in its other buffer, which it then gives and gets.
inline Message::Use useOfResult(const void *give) {
  return give == MPI_IN_PLACE ? Message::Use::InOut : Message::Use::Receive;
}

inline size_t times(int count, int factor) { return size_t(std::max(count, 0)) * size_t(factor); }

inline bool noDevice(const void *first, const void *second) {
  return !registry().mayHold(first) && !registry().mayHold(second);
}

} // namespace acis::device
