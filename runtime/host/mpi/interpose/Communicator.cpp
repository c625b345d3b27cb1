// See Communicator.h. The record of a communicator hangs on it as an attribute, which MPI
// does not copy to duplicates and deletes with it; a handle that MPI uses again is
// therefore never taken for the old communicator.
#include "runtime/host/mpi/interpose/Communicator.h"

#include "runtime/host/mpi/interpose/Agreement.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace acis::mpi {
namespace {

/// Context ids proposed by this process: its world rank above, a counter below.
class ContextIds {
public:
  static constexpr uint32_t Numbers = 1u << 16;

  std::optional<uint32_t> propose(int worldRank) {
    std::lock_guard lock(mutex);
    if (uint32_t(worldRank) >= Numbers || used.size() == Numbers)
      return std::nullopt;
    while (used.contains(next))
      next = (next + 1) % Numbers;
    used.insert(next);
    uint32_t id = uint32_t(worldRank) * Numbers + next;
    // The oldest number comes last: late packets of a freed communicator find nobody.
    next = (next + 1) % Numbers;
    return id;
  }

  void giveBack(int worldRank, uint32_t id) {
    std::lock_guard lock(mutex);
    if (id / Numbers == uint32_t(worldRank))
      used.erase(id % Numbers);
  }

private:
  std::mutex mutex;
  std::set<uint32_t> used;
  uint32_t next = 0;
};

ContextIds &contextIds() {
  static ContextIds &ids = *new ContextIds;
  return ids;
}

int attributeKey = MPI_KEYVAL_INVALID;

int onDelete(MPI_Comm, int, void *value, void *) {
  release(*static_cast<Communicator *>(value));
  return MPI_SUCCESS;
}

/// Every member has the same in the end: an entry or a reason. Or, after ACIS_TIMEOUT, an error.
/// `world`: the members' ranks in MPI_COMM_WORLD.
Status agree(MPI_Comm comm, std::span<const int> world, Communicator &record) {
  Process &state = process();
  if (std::ranges::count(world, MPI_UNDEFINED) > 0) {
    // Processes that were spawned, or of another job. Each member sees some that are not of
    // its own world, so all know, and nothing may be sent: those there may not ask at all.
    record.state = Reason::Foreign;
    return {};
  }
  record.state = Reason::NoEntry;
  const std::vector<uint32_t> ranks(world.begin(), world.end());
  Agreement members(comm, ranks, Agreement::Clock::now() + state.settings.timeout);
  std::optional<uint32_t> proposal;
  if (record.rank == 0)
    proposal = contextIds().propose(state.rank);
  const Result<uint64_t> proposed = members.lowestHas(proposal ? *proposal + uint64_t(1) : 0);
  if (!proposed)
    return proposed.error();
  if (*proposed == 0)
    return {};
  record.context = uint32_t(*proposed - 1);
  const bool added = bool(state.session->addCommunicator(record.context, ranks));
  const Result<bool> everyone = members.everywhere(added);
  if (!everyone)
    return everyone.error();
  if (*everyone) {
    record.state = Reason::Offloaded;
    return {};
  }
  // All do, also who was refused: those who were not have an entry that waits for all.
  (void)state.session->freeCommunicator(record.context);
  contextIds().giveBack(state.rank, record.context);
  return {};
}

} // namespace

void setUpCommunicators() {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, onDelete, &attributeKey, nullptr);
}

void tearDownCommunicators() {
  if (find(MPI_COMM_WORLD))
    PMPI_Comm_delete_attr(MPI_COMM_WORLD, attributeKey);
}

Communicator *setUp(MPI_Comm comm) {
  if (!process().attached || comm == MPI_COMM_NULL)
    return nullptr;
  auto *record = new Communicator;
  int between = 0;
  PMPI_Comm_test_inter(comm, &between);
  PMPI_Comm_rank(comm, &record->rank);
  PMPI_Comm_size(comm, &record->size);
  if (between) {
    record->state = Reason::Intercomm;
  } else if (record->size == 1) {
    record->state = Reason::OneProcess;
  } else {
    const std::vector<int> world = ranksInWorld(comm, record->size);
    if (Status agreed = agree(comm, world, *record); !agreed)
      record->failure = agreed.error().str();
    else if (record->state != Reason::Foreign)
      record->hosts = makeHostGroup(comm, world);
  }
  PMPI_Comm_set_attr(comm, attributeKey, record);
  return record;
}

Communicator *find(MPI_Comm comm) {
  void *value = nullptr;
  int flag = 0;
  if (attributeKey != MPI_KEYVAL_INVALID)
    PMPI_Comm_get_attr(comm, attributeKey, &value, &flag);
  return flag ? static_cast<Communicator *>(value) : nullptr;
}

void retain(Communicator &communicator) { ++communicator.uses; }

void release(Communicator &communicator) {
  if (--communicator.uses != 0)
    return;
  if (communicator.state == Reason::Offloaded) {
    if (process().attached)
      process().session->retireCommunicator(communicator.context);
    contextIds().giveBack(process().rank, communicator.context);
  }
  delete &communicator;
}

std::vector<int> ranksInWorld(MPI_Comm comm, int size) {
  MPI_Group members, world;
  PMPI_Comm_group(comm, &members);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> local(size), global(size);
  std::iota(local.begin(), local.end(), 0);
  PMPI_Group_translate_ranks(members, size, local.data(), world, global.data());
  PMPI_Group_free(&members);
  PMPI_Group_free(&world);
  return global;
}

} // namespace acis::mpi
