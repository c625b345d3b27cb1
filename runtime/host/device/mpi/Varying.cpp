// Collectives with another count for each rank: a rank's parts are elements of one datatype, of
// which the gaps between them stay as they are.
#include "runtime/host/device/mpi/Parts.h"

#include "runtime/host/device/mpi/Next.h"

using namespace acis::device;

namespace {

/// The parts of all ranks as one element, while the collective is done.
class Blocks {
public:
  Blocks(bool isUsed, MPI_Comm comm, const int counts[], const int offsets[], MPI_Datatype of) {
    if (isUsed)
      isMade = PMPI_Type_indexed(sizeOf(comm), const_cast<int *>(counts),
                                 const_cast<int *>(offsets), of, &type) == MPI_SUCCESS &&
               PMPI_Type_commit(&type) == MPI_SUCCESS;
  }
  ~Blocks() {
    if (isMade)
      PMPI_Type_free(&type);
  }
  Blocks(const Blocks &) = delete;
  Blocks &operator=(const Blocks &) = delete;
  MPI_Datatype type = MPI_BYTE;
  size_t count() const { return isMade; }

private:
  bool isMade = false;
};

bool isDeviceAt(const void *address) { return registry().mayHold(address); }

} // namespace

extern "C" {

int MPI_Gatherv(const void *give, int giveCount, MPI_Datatype giveType, void *get,
                const int getCounts[], const int offsets[], MPI_Datatype getType, int root,
                MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Gatherv)(give, giveCount, giveType, get, getCounts, offsets, getType, root,
                                  comm);
  const bool gets = isRoot(root, comm);
  const Blocks blocks(gets && isDeviceAt(get), comm, getCounts, offsets, getType);
  Part from(Message::Use::Send, give, times(giveCount, 1), giveType, comm, isMember(root, comm));
  Part to(Message::Use::InOut, get, blocks.count(), blocks.type, comm, gets);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Gatherv)(from.buffer(), giveCount, giveType, to.buffer(), getCounts,
                                  offsets, getType, root, comm);
  });
}

int MPI_Scatterv(const void *give, const int giveCounts[], const int offsets[],
                 MPI_Datatype giveType, void *get, int getCount, MPI_Datatype getType, int root,
                 MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Scatterv)(give, giveCounts, offsets, giveType, get, getCount, getType,
                                   root, comm);
  const bool gives = isRoot(root, comm);
  const Blocks blocks(gives && isDeviceAt(give), comm, giveCounts, offsets, giveType);
  Part from(Message::Use::Send, give, blocks.count(), blocks.type, comm, gives);
  Part to(Message::Use::Receive, get, times(getCount, 1), getType, comm, isMember(root, comm));
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Scatterv)(from.buffer(), giveCounts, offsets, giveType, to.buffer(),
                                   getCount, getType, root, comm);
  });
}

int MPI_Allgatherv(const void *give, int giveCount, MPI_Datatype giveType, void *get,
                   const int getCounts[], const int offsets[], MPI_Datatype getType,
                   MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Allgatherv)(give, giveCount, giveType, get, getCounts, offsets, getType,
                                     comm);
  const Blocks blocks(isDeviceAt(get), comm, getCounts, offsets, getType);
  Part from(Message::Use::Send, give, times(giveCount, 1), giveType, comm);
  Part to(Message::Use::InOut, get, blocks.count(), blocks.type, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Allgatherv)(from.buffer(), giveCount, giveType, to.buffer(), getCounts,
                                     offsets, getType, comm);
  });
}

int MPI_Alltoallv(const void *give, const int giveCounts[], const int giveOffsets[],
                  MPI_Datatype giveType, void *get, const int getCounts[], const int getOffsets[],
                  MPI_Datatype getType, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Alltoallv)(give, giveCounts, giveOffsets, giveType, get, getCounts,
                                    getOffsets, getType, comm);
  const Blocks gives(isDeviceAt(give), comm, giveCounts, giveOffsets, giveType);
  const Blocks gets(isDeviceAt(get), comm, getCounts, getOffsets, getType);
  Part from(Message::Use::Send, give, gives.count(), gives.type, comm);
  Part to(Message::Use::InOut, get, gets.count(), gets.type, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Alltoallv)(from.buffer(), giveCounts, giveOffsets, giveType, to.buffer(),
                                    getCounts, getOffsets, getType, comm);
  });
}

int MPI_Reduce_scatter(const void *give, void *get, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
  if (noDevice(give, get))
    return ACIS_NEXT(MPI_Reduce_scatter)(give, get, counts, type, op, comm);
  size_t all = 0;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  for (int i = 0; i < ranks; ++i)
    all += times(counts[i], 1);
  Part from(Message::Use::Send, give, all, type, comm);
  Part to(useOfResult(give), get, give == MPI_IN_PLACE ? all : times(counts[rank], 1), type, comm);
  return withParts(comm, from, to, [&] {
    return ACIS_NEXT(MPI_Reduce_scatter)(from.buffer(), to.buffer(), counts, type, op, comm);
  });
}

} // extern "C"
