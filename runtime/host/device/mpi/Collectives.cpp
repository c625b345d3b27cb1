// Collectives with device buffers: each rank's part is staged like a message (Message.h), and the
// collective itself is done by whoever is next, a switch through libacis-mpi or MPI. Ranks need not
// agree: one may have device memory where another has not.
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Requests.h"

using namespace acis;
using namespace acis::device;

namespace {

using Use = Message::Use;

bool isInter(MPI_Comm comm) {
  int answer = 0;
  PMPI_Comm_test_inter(comm, &answer);
  return answer;
}

int sizeOf(MPI_Comm comm) {
  int size = 1;
  if (isInter(comm))
    PMPI_Comm_remote_size(comm, &size);
  else
    PMPI_Comm_size(comm, &size);
  return size;
}

/// Between two groups the root names itself with MPI_ROOT, and a number is a rank of the other
/// group.
bool isRoot(int root, MPI_Comm comm) {
  if (isInter(comm))
    return root == MPI_ROOT;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return root == rank;
}

/// Whether the rank has a part beside the root: all of one group, root included; of two groups,
/// those that the root is not of.
bool isMember(int root, MPI_Comm comm) { return !isInter(comm) || root >= 0; }

/// A buffer of a collective, which may be ordinary memory or MPI_IN_PLACE.
class Part {
public:
  /// `isUsed`: the rank has this buffer in the collective, as a root has what it gathers.
  Part(Use use, const void *address, size_t count, MPI_Datatype type, MPI_Comm comm,
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

/// What a rank gives in place is in its other buffer, which it then gives and gets.
Use useOfResult(const void *give) { return give == MPI_IN_PLACE ? Use::InOut : Use::Receive; }

size_t times(int count, int factor) { return size_t(std::max(count, 0)) * size_t(factor); }

bool noDevice(const void *first, const void *second) {
  return !registry().mayHold(first) && !registry().mayHold(second);
}

} // namespace

extern "C" {

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (!registry().mayHold(buffer))
    return ACIS_NEXT(MPI_Bcast)(buffer, count, type, root, comm);
  const bool gives = isRoot(root, comm);
  Part part(gives ? Use::Send : Use::Receive, buffer, times(count, 1), type, comm,
            gives || isMember(root, comm));
  Part none(Use::Send, nullptr, 0, type, comm);
  return withParts(comm, part, none,
                   [&] { return ACIS_NEXT(MPI_Bcast)(part.buffer(), count, type, root, comm); });
}

int MPI_Reduce(const void *give, void *get, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Reduce)(give, get, count, type, op, root, comm);
  Part from(Use::Send, give, times(count, 1), type, comm, isMember(root, comm));
  Part to(useOfResult(give), get, times(count, 1), type, comm, isRoot(root, comm));
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Reduce)(from.buffer(), to.buffer(), count, type, op, root, comm);
  });
}

#define REDUCTION(name)                                                                            \
  int MPI_##name(const void *give, void *get, int count, MPI_Datatype type, MPI_Op op,             \
                 MPI_Comm comm) {                                                                  \
    if (noDevice(give, get))                                                                       \
      return ACIS_NEXT(MPI_##name)(give, get, count, type, op, comm);                              \
    Part from(Use::Send, give, times(count, 1), type, comm);                                       \
    /* MPI_Exscan leaves rank 0's result as it is. */                                              \
    Part to(Use::InOut, get, times(count, 1), type, comm);                                         \
    return withParts(comm, from, to, [&] {                                                         \
      return ACIS_NEXT(MPI_##name)(from.buffer(), to.buffer(), count, type, op, comm);             \
    });                                                                                            \
  }
REDUCTION(Scan)
REDUCTION(Exscan)
#undef REDUCTION

int MPI_Allreduce(const void *give, void *get, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Allreduce)(give, get, count, type, op, comm);
  Part from(Use::Send, give, times(count, 1), type, comm);
  Part to(useOfResult(give), get, times(count, 1), type, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Allreduce)(from.buffer(), to.buffer(), count, type, op, comm);
  });
}

int MPI_Reduce_scatter_block(const void *give, void *get, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Reduce_scatter_block)(give, get, count, type, op, comm);
  const int ranks = sizeOf(comm);
  Part from(Use::Send, give, times(count, ranks), type, comm);
  // In place, the buffer of the result has what all give.
  const bool inPlace = give == MPI_IN_PLACE;
  Part to(useOfResult(give), get, times(count, inPlace ? ranks : 1), type, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Reduce_scatter_block)(from.buffer(), to.buffer(), count, type, op, comm);
  });
}

int MPI_Gather(const void *give, int giveCount, MPI_Datatype giveType, void *get, int getCount,
               MPI_Datatype getType, int root, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Gather)(give, giveCount, giveType, get, getCount, getType, root, comm);
  Part from(Use::Send, give, times(giveCount, 1), giveType, comm, isMember(root, comm));
  const bool gets = isRoot(root, comm);
  Part to(useOfResult(give), get, gets ? times(getCount, sizeOf(comm)) : 0, getType, comm, gets);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Gather)(from.buffer(), giveCount, giveType, to.buffer(), getCount, getType,
                                 root, comm);
  });
}

int MPI_Scatter(const void *give, int giveCount, MPI_Datatype giveType, void *get, int getCount,
                MPI_Datatype getType, int root, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Scatter)(give, giveCount, giveType, get, getCount, getType, root, comm);
  const bool gives = isRoot(root, comm);
  Part from(Use::Send, give, gives ? times(giveCount, sizeOf(comm)) : 0, giveType, comm, gives);
  Part to(Use::Receive, get, times(getCount, 1), getType, comm, isMember(root, comm));
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Scatter)(from.buffer(), giveCount, giveType, to.buffer(), getCount,
                                  getType, root, comm);
  });
}

int MPI_Allgather(const void *give, int giveCount, MPI_Datatype giveType, void *get, int getCount,
                  MPI_Datatype getType, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Allgather)(give, giveCount, giveType, get, getCount, getType, comm);
  Part from(Use::Send, give, times(giveCount, 1), giveType, comm);
  Part to(useOfResult(give), get, times(getCount, sizeOf(comm)), getType, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Allgather)(from.buffer(), giveCount, giveType, to.buffer(), getCount,
                                    getType, comm);
  });
}

int MPI_Alltoall(const void *give, int giveCount, MPI_Datatype giveType, void *get, int getCount,
                 MPI_Datatype getType, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Alltoall)(give, giveCount, giveType, get, getCount, getType, comm);
  const int ranks = sizeOf(comm);
  Part from(Use::Send, give, times(giveCount, ranks), giveType, comm);
  Part to(useOfResult(give), get, times(getCount, ranks), getType, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Alltoall)(from.buffer(), giveCount, giveType, to.buffer(), getCount,
                                   getType, comm);
  });
}

} // extern "C"
