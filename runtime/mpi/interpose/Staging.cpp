// Packs and unpacks with the MPI underneath. Between processes of one kind MPI_Pack of
// both libraries writes the signature's bytes and nothing else (test/Mpi checks it).
#include "runtime/mpi/interpose/Staging.h"

#include <algorithm>

namespace acis::mpi {
namespace {

/// MPI_Pack counts bytes in an int.
constexpr uint64_t MaxPieceBytes = 1u << 30;

uint64_t itemsPerPiece(const TypeLayout &layout) {
  return std::max<uint64_t>(1, MaxPieceBytes / std::max<uint64_t>(1, layout.size));
}

/// Of item `item` in a buffer; the buffer may be MPI_BOTTOM, which is 0.
void *address(const void *buffer, uint64_t item, const TypeLayout &layout) {
  return reinterpret_cast<void *>(reinterpret_cast<intptr_t>(buffer) +
                                  int64_t(item) * layout.extent);
}

} // namespace

Staging::~Staging() {
  if (targetType != MPI_DATATYPE_NULL)
    PMPI_Type_free(&targetType);
}

const void *Staging::toSend(const void *from, uint64_t items, MPI_Datatype type, MPI_Comm comm) {
  TypeLayout layout = layoutOf(type);
  if (layout.packed)
    return from;
  sendCopy.reset(new std::byte[std::max<uint64_t>(1, items * layout.size)]);
  for (uint64_t done = 0; done < items;) {
    uint64_t piece = std::min(items - done, itemsPerPiece(layout));
    int position = 0;
    code =
        PMPI_Pack(address(from, done, layout), int(piece), type,
                  sendCopy.get() + done * layout.size, int(piece * layout.size), &position, comm);
    if (code != MPI_SUCCESS)
      return nullptr;
    done += piece;
  }
  return sendCopy.get();
}

void *Staging::toReceive(void *into, uint64_t items, MPI_Datatype type) {
  TypeLayout layout = layoutOf(type);
  if (layout.packed)
    return into;
  receiveCopy.reset(new std::byte[std::max<uint64_t>(1, items * layout.size)]);
  target = into;
  targetItems = items;
  targetLayout = layout;
  code = PMPI_Type_dup(type, &targetType);
  return receiveCopy.get();
}

int Staging::deliver() {
  if (!receiveCopy)
    return MPI_SUCCESS;
  for (uint64_t done = 0; done < targetItems;) {
    uint64_t piece = std::min(targetItems - done, itemsPerPiece(targetLayout));
    int position = 0;
    code = PMPI_Unpack(receiveCopy.get() + done * targetLayout.size, int(piece * targetLayout.size),
                       &position, address(target, done, targetLayout), int(piece), targetType,
                       MPI_COMM_WORLD);
    if (code != MPI_SUCCESS)
      return code;
    done += piece;
  }
  return MPI_SUCCESS;
}

} // namespace acis::mpi
