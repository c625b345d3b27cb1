// Packs and unpacks with the MPI underneath. Between processes of one kind MPI_Pack of
// both libraries writes the signature's bytes and nothing else (test/Mpi checks it).
#include "runtime/host/mpi/interpose/Staging.h"

#include <algorithm>
#include <cstring>

namespace acis::mpi {
namespace {

/// MPI_Pack counts bytes in an int.
constexpr uint64_t MaxPieceBytes = 1u << 30;

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

/// Calls `move` with the items and the place among the message's bytes of one piece after the
/// other.
template <typename Move> int inPieces(const Message &message, std::byte *bytes, Move move) {
  const uint64_t most =
      std::max<uint64_t>(1, MaxPieceBytes / std::max<uint64_t>(1, message.layout.size));
  int code = MPI_SUCCESS;
  for (uint64_t done = 0; done < message.items && code == MPI_SUCCESS; done += most) {
    const uint64_t piece = std::min(message.items - done, most);
    code = move(Items(message.layout.address(message.at, int64_t(done)), piece, message.type),
                bytes + done * message.layout.size, piece * message.layout.size);
  }
  return code;
}

std::unique_ptr<uint8_t[]> roomFor(const Message &message) {
  return std::unique_ptr<uint8_t[]>(new uint8_t[std::max<uint64_t>(1, message.bytes())]);
}

} // namespace

int pack(const Message &message, MPI_Comm comm, uint8_t *into) {
  if (message.form)
    message.form->gather(message.at, message.items, into);
  else if (message.layout.packed && message.bytes() > 0)
    std::memcpy(into, message.at, message.bytes());
  else if (!message.layout.packed)
    return inPieces(message, reinterpret_cast<std::byte *>(into),
                    [&](const Items &items, std::byte *piece, uint64_t bytes) {
                      return items.pack(piece, bytes, comm);
                    });
  return MPI_SUCCESS;
}

int unpack(const Message &message, const uint8_t *from) {
  if (message.form)
    message.form->scatter(from, message.items, message.at);
  else if (message.layout.packed && message.bytes() > 0)
    std::memcpy(message.at, from, message.bytes());
  else if (!message.layout.packed)
    return inPieces(message, const_cast<std::byte *>(reinterpret_cast<const std::byte *>(from)),
                    [](const Items &items, const std::byte *piece, uint64_t bytes) {
                      return items.unpack(piece, bytes);
                    });
  return MPI_SUCCESS;
}

Staging::~Staging() {
  if (target.type != MPI_DATATYPE_NULL)
    PMPI_Type_free(&target.type);
}

const void *Staging::toSend(const Message &message, MPI_Comm comm) {
  if (message.layout.packed)
    return message.at;
  sendCopy = roomFor(message);
  code = pack(message, comm, sendCopy.get());
  return code == MPI_SUCCESS ? sendCopy.get() : nullptr;
}

void *Staging::toReceive(const Message &message) {
  if (message.layout.packed)
    return message.at;
  receiveCopy = roomFor(message);
  target = message;
  target.type = MPI_DATATYPE_NULL;
  if (code == MPI_SUCCESS && !message.form)
    code = PMPI_Type_dup(message.type, &target.type);
  return receiveCopy.get();
}

int Staging::deliver() { return receiveCopy ? unpack(target, receiveCopy.get()) : MPI_SUCCESS; }

} // namespace acis::mpi
