// See Communicator.h. The record of a communicator hangs on it as an attribute, which MPI
// does not copy to duplicates and deletes with it; a handle that MPI uses again is
// therefore never taken for the old communicator.
#include "runtime/host/mpi/interpose/Communicator.h"

#include "runtime/host/mpi/interpose/Agreement.h"
#include "runtime/host/mpi/interpose/Hosts.h"
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

/// An entry in the switch for `ranks`, numbers in MPI_COMM_WORLD: its number, or nothing where
/// there is no room, alike on all `members`; those that `belong` are among the ranks. Or, after
/// ACIS_TIMEOUT, an error.
Result<std::optional<uint32_t>> agree(Agreement &members, bool isFirst,
                                      std::span<const uint32_t> ranks, bool belongs) {
  Process &state = process();
  std::optional<uint32_t> proposal;
  if (isFirst)
    proposal = contextIds().propose(state.rank);
  const Result<uint64_t> proposed = members.lowestHas(proposal ? *proposal + uint64_t(1) : 0);
  if (!proposed)
    return proposed.error();
  if (*proposed == 0)
    return std::optional<uint32_t>();
  const auto context = uint32_t(*proposed - 1);
  const bool added = !belongs || bool(state.session->addCommunicator(context, ranks));
  const Result<bool> everyone = members.everywhere(added);
  if (!everyone)
    return everyone.error();
  if (*everyone)
    return std::optional(context);
  // All do, also who was refused: those who were not have an entry that waits for all.
  if (belongs)
    (void)state.session->freeCommunicator(context);
  contextIds().giveBack(state.rank, context);
  return std::optional<uint32_t>();
}

void giveUp(uint32_t context, bool belongs) {
  if (belongs && process().attached)
    process().session->retireCommunicator(context);
  contextIds().giveBack(process().rank, context);
}

/// The members by hosts, and an entry for one of each host. `world`: all members' ranks there.
Status addNodes(MPI_Comm comm, Agreement &members, std::span<const uint32_t> world,
                std::span<const uint32_t> hosts, Communicator &record) {
  auto group = std::make_unique<NodeGroup>(Nodes(hosts), uint32_t(record.rank));
  if (!group->nodes.areShared())
    return {};
  if (group->nodes.leaders.size() > 1) {
    std::vector<uint32_t> leaders;
    for (uint32_t rank : group->nodes.leaders)
      leaders.push_back(world[rank]);
    Result<std::optional<uint32_t>> context =
        agree(members, record.rank == 0, leaders, group->isLeader());
    if (!context)
      return context.error();
    if (!*context)
      return {};
    group->context = *context;
  }
  // Not a duplicate, which would copy the program's attributes.
  if (PMPI_Comm_split(comm, int(group->node), record.rank, &group->comm) != MPI_SUCCESS)
    return Error{"", "its members on this host could not be joined"};
  int here = 0;
  PMPI_Comm_size(group->comm, &here);
  group->ranks.resize(size_t(here));
  std::iota(group->ranks.begin(), group->ranks.end(), 0);
  record.nodes = std::move(group);
  return {};
}

/// Every member has the same in the end: an entry or a reason. Or, after ACIS_TIMEOUT, an error.
/// `world`: the members' ranks in MPI_COMM_WORLD. `forSwitch`: an entry also where all calls are
/// left to MPI otherwise.
Status join(MPI_Comm comm, std::span<const int> world, bool forSwitch, Communicator &record) {
  const Process &state = process();
  const Policy &policy = state.settings.policy;
  const std::vector<uint32_t> hosts = hostsOf(world);
  record.isOneHost = std::ranges::count(hosts, hosts.front()) == record.size;
  if (record.isOneHost && policy.choosesByHosts() && policy.numRules == 0 && !forSwitch) {
    record.state = Reason::OneHost;
    return {};
  }
  record.state = Reason::NoEntry;
  const std::vector<uint32_t> ranks(world.begin(), world.end());
  Agreement members(comm, ranks, Agreement::Clock::now() + state.settings.timeout);
  Result<std::optional<uint32_t>> context = agree(members, record.rank == 0, ranks, true);
  if (!context)
    return context.error();
  if (*context) {
    record.context = **context;
    record.state = Reason::Offloaded;
    record.pairs = makePairGroup(comm);
    if (policy.mayUseNodes())
      if (Status added = addNodes(comm, members, ranks, hosts, record); !added)
        return added;
  }
  record.hosts = makeHostGroup(comm, world);
  return {};
}

Status describe(MPI_Comm comm, bool forSwitch, Communicator &record) {
  int between = 0;
  PMPI_Comm_test_inter(comm, &between);
  PMPI_Comm_rank(comm, &record.rank);
  PMPI_Comm_size(comm, &record.size);
  if (between) {
    record.state = Reason::Intercomm;
    return {};
  }
  if (record.size == 1) {
    record.state = Reason::OneProcess;
    return {};
  }
  const std::vector<int> world = ranksInWorld(comm, record.size);
  if (std::ranges::count(world, MPI_UNDEFINED) > 0) {
    // Processes that were spawned, or of another job. Each member sees some that are not of
    // its own world, so all know, and nothing may be sent: those there may not ask at all.
    record.state = Reason::Foreign;
    return {};
  }
  return join(comm, world, forSwitch, record);
}

Communicator *setUp(MPI_Comm comm, bool forSwitch) {
  if (!process().attached || comm == MPI_COMM_NULL)
    return nullptr;
  auto *record = new Communicator;
  if (Status done = describe(comm, forSwitch, *record); !done)
    record->failure = done.error().str();
  PMPI_Comm_set_attr(comm, attributeKey, record);
  return record;
}

} // namespace

void setUpCommunicators() {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, onDelete, &attributeKey, nullptr);
}

void tearDownCommunicators() {
  if (find(MPI_COMM_WORLD))
    PMPI_Comm_delete_attr(MPI_COMM_WORLD, attributeKey);
}

Communicator *setUp(MPI_Comm comm) { return setUp(comm, /*forSwitch=*/false); }

Communicator *setUpForSwitch(MPI_Comm comm) {
  Communicator *known = find(comm);
  // What was left to MPI alone is set up anew: the old record goes with the attribute.
  return known && known->state != Reason::OneHost ? known : setUp(comm, /*forSwitch=*/true);
}

Result<Communicator *> setUpBeside(MPI_Comm comm, const Communicator &known) {
  const std::vector<int> world = ranksInWorld(comm, known.size);
  const std::vector<uint32_t> ranks(world.begin(), world.end());
  Agreement members(comm, ranks, Agreement::Clock::now() + process().settings.timeout);
  const Result<std::optional<uint32_t>> context = agree(members, known.rank == 0, ranks, true);
  if (!context)
    return context.error();
  if (!*context)
    return nullptr;
  auto *made = new Communicator;
  made->state = Reason::Offloaded;
  made->context = **context;
  made->rank = known.rank;
  made->size = known.size;
  return made;
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
  if (communicator.nodes && communicator.nodes->context)
    giveUp(*communicator.nodes->context, communicator.nodes->isLeader());
  if (communicator.state == Reason::Offloaded)
    giveUp(communicator.context, /*belongs=*/true);
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
