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

/// Items at an address, as MPI_Pack and MPI_Unpack take them: MPICH refuses MPI_BOTTOM there,
/// though nowhere else. The same memory is then one item of a type that begins elsewhere.
class Items {
public:
  Items(void *address, uint64_t count, MPI_Datatype type)
      : address(address), count(int(count)), type(type) {
    if (address)
      return;
    static char anchor;
    const MPI_Aint back = -reinterpret_cast<MPI_Aint>(&anchor);
    code = PMPI_Type_create_hindexed(1, &this->count, &back, type, &moved);
    if (code == MPI_SUCCESS)
      code = PMPI_Type_commit(&moved);
    this->address = &anchor;
    this->count = 1;
    this->type = moved;
  }
  Items(const Items &) = delete;
  Items &operator=(const Items &) = delete;
  ~Items() {
    if (moved != MPI_DATATYPE_NULL)
      PMPI_Type_free(&moved);
  }

  int pack(void *into, uint64_t bytes, MPI_Comm comm) const {
    int position = 0;
    return code == MPI_SUCCESS ? PMPI_Pack(address, count, type, into, int(bytes), &position, comm)
                               : code;
  }
  int unpack(const void *from, uint64_t bytes) const {
    int position = 0;
    return code == MPI_SUCCESS
               ? PMPI_Unpack(from, int(bytes), &position, address, count, type, MPI_COMM_WORLD)
               : code;
  }

private:
  void *address;
  int count, code = MPI_SUCCESS;
  MPI_Datatype type, moved = MPI_DATATYPE_NULL;
};

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
    code = Items(address(from, done, layout), piece, type)
               .pack(sendCopy.get() + done * layout.size, piece * layout.size, comm);
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
    code = Items(address(target, done, targetLayout), piece, targetType)
               .unpack(receiveCopy.get() + done * targetLayout.size, piece * targetLayout.size);
    if (code != MPI_SUCCESS)
      return code;
    done += piece;
  }
  return MPI_SUCCESS;
}

} // namespace acis::mpi
