// See Peer.h.
#include "runtime/host/device/mpi/Peer.h"

#include "runtime/host/device/mpi/Descriptors.h"
#include "runtime/host/device/mpi/Job.h"

#include <array>
#include <atomic>
#include <vector>

namespace acis::device {

namespace {

enum State : uint64_t { Free, Offered, Taken, Done };
constexpr size_t NumSlots = 64;

/// Of each rank, in shared memory that is zero at first.
struct Page {
  std::atomic<uint32_t> imports; ///< its OpenCL imports other ones' device memory
  std::array<std::atomic<uint64_t>, NumSlots> slots;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct Peers {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Win window = MPI_WIN_NULL;
  std::vector<Page *> pages; ///< by rank of MPI_COMM_WORLD; null: another host's
};

Peers *peers = nullptr;

uint64_t word(uint64_t tag, State state) { return tag << 2 | state; }

Page &ownPage() { return *peers->pages[size_t(job()->rank)]; }

/// Why an offer cannot be made, or null.
const char *refusal(const Export *exported, int receiver) {
  if (!job()->isHere[size_t(receiver)])
    return "not peer: the other rank is on another host";
  if (!peers)
    return "not peer: ACIS_DEVICE_P2P is not 1";
  if (!exported)
    return "not peer: the device's OpenCL does not export the buffer's memory";
  if (exported->kind == ExportKind::Device && !peers->pages[size_t(receiver)]->imports)
    return "not peer: the other rank has no device that imports memory";
  return nullptr;
}

} // namespace

void openPeers() {
  int mine = settings().exports, all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, job()->all);
  if (!all)
    return;
  Peers *made = new Peers;
  PMPI_Comm_split_type(job()->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made->here);
  void *base = nullptr;
  PMPI_Win_allocate_shared(sizeof(Page), 1, MPI_INFO_NULL, made->here, &base, &made->window);
  new (base) Page{};
  int ranks = 0;
  PMPI_Comm_size(made->here, &ranks);
  std::vector<int> world(size_t(ranks), 0);
  PMPI_Allgather(&job()->rank, 1, MPI_INT, world.data(), 1, MPI_INT, made->here);
  made->pages.assign(size_t(job()->ranks), nullptr);
  for (int rank = 0; rank < ranks; ++rank) {
    MPI_Aint bytes = 0;
    int unit = 0;
    PMPI_Win_shared_query(made->window, rank, &bytes, &unit,
                          &made->pages[size_t(world[size_t(rank)])]);
  }
  peers = made;
  openDescriptors();
  PMPI_Barrier(made->here);
}

void tellPeers() {
  if (peers)
    ownPage().imports = importer() != nullptr;
}

void closePeers() {
  if (!peers)
    return;
  closeDescriptors();
  keepImporter(nullptr);
  PMPI_Win_free(&peers->window);
  PMPI_Comm_free(&peers->here);
  delete peers;
  peers = nullptr;
}

std::unique_ptr<Offer> Offer::make(const Place &place, int receiver, Header &header) {
  const std::shared_ptr<Export> &exported =
      (place.buffer->whole ? place.buffer->whole : place.buffer)->exported;
  if (const char *why = refusal(exported.get(), receiver)) {
    noteReason(why);
    return nullptr;
  }
  for (uint32_t slot = 0; slot < NumSlots; ++slot) {
    uint64_t expected = Free;
    if (!ownPage().slots[slot].compare_exchange_strong(expected, word(header.tag, Offered)))
      continue;
    std::unique_ptr<Offer> made(new Offer(slot, header.tag));
    if (!giveDescriptor(exported, receiver)) {
      noteReason("not peer: the other rank's socket takes no more");
      return nullptr;
    }
    header.way = uint32_t(Way::Peer);
    header.slot = slot;
    header.memory = exported->number;
    header.offset = place.offset;
    return made;
  }
  noteReason("not peer: too many are under way");
  return nullptr;
}

Offer::~Offer() {
  if (peers && isMine)
    ownPage().slots[slot].store(Free, std::memory_order_release);
}

bool Offer::isDone() const {
  return ownPage().slots[slot].load(std::memory_order_acquire) == word(tag, Done);
}

bool Offer::withdraw() {
  uint64_t expected = word(tag, Offered);
  isMine = !ownPage().slots[slot].compare_exchange_strong(expected, Free);
  return !isMine;
}

bool takeOffer(const Header &header) {
  takeDescriptors();
  if (Way(header.way) != Way::Peer)
    return false;
  uint64_t expected = word(header.tag, Offered);
  return peers->pages[header.sender]->slots[header.slot].compare_exchange_strong(
      expected, word(header.tag, Taken));
}

void finishOffer(const Header &header) {
  peers->pages[header.sender]->slots[header.slot].store(word(header.tag, Done),
                                                        std::memory_order_release);
}

Result<std::shared_ptr<Import>> importOffered(const Header &header) {
  return importFrom(int(header.sender), header.memory);
}

} // namespace acis::device
