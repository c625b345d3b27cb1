// See HostAlgorithms.h.
#include "runtime/mpi/interpose/HostAlgorithms.h"

#include "runtime/mpi/interpose/Communicator.h"
#include "runtime/mpi/interpose/HostNetwork.h"
#include "runtime/mpi/interpose/Process.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace acis::mpi {
namespace {

using namespace algorithms;

/// Prefixes go by ranks, wherever these are.
constexpr bool byRank(Kind kind) { return kind == Kind::Scan || kind == Kind::Exscan; }

/// The buffers of one call, as the schedule's one buffer: in the caller's memory where it has
/// all that is held in the same order, else a copy.
class Buffers {
public:
  Buffers(const Collective &call, const HostGroup &hosts, const Problem &problem, Range held)
      : call(call), hosts(hosts), problem(problem), unit(bytesOf(call.type)),
        block(call.count * unit), held(held.first * unit),
        rank(byRank(call.kind) ? problem.position : hosts.rankAt[problem.position]) {
    size = held.count * unit;
    if (isWhole() && call.recv)
      data = static_cast<uint8_t *>(call.recv);
    else {
      copy.reset(new uint8_t[std::max<uint64_t>(size, 1)]);
      data = copy.get();
    }
  }

  std::span<uint8_t> span() { return {data, size}; }
  /// MPI may still use them.
  void abandon() { (void)copy.release(); }

  void load() {
    auto *given = static_cast<const uint8_t *>(call.send);
    auto *own = static_cast<const uint8_t *>(call.recv); // in place
    switch (call.kind) {
    case Kind::Allreduce:
    case Kind::Reduce:
    case Kind::Scan:
      if (given)
        std::memcpy(data, given, size);
      break;
    case Kind::Exscan:
      std::memcpy(data, given ? given : own, block);
      break;
    case Kind::Allgather:
      put(problem.position, given ? given : own + rank * block);
      break;
    case Kind::Gather:
      put(relative(), given ? given : own + rank * block);
      break;
    case Kind::Alltoall:
    case Kind::ReduceScatterBlock:
    case Kind::Scatter:
      if (call.kind == Kind::Scatter && problem.position != problem.root)
        break;
      for (uint32_t b = 0; b < problem.group.size; ++b)
        put(b, (given ? given : own) + rankOf(b) * block);
      break;
    default:
      break;
    }
  }

  void store() {
    auto *wanted = static_cast<uint8_t *>(call.recv);
    const bool atRoot = problem.position == problem.root;
    if (call.kind == Kind::ReduceScatterBlock)
      std::memcpy(wanted, at(problem.position), block);
    else if (call.kind == Kind::Exscan && problem.position > 0)
      std::memcpy(wanted, at(1), block);
    else if (call.kind == Kind::Alltoall)
      for (uint32_t b = 0, n = problem.group.size; b < n; ++b)
        std::memcpy(wanted + rankOf(b) * block, at(b == problem.position ? b : n + b), block);
    else if (call.kind == Kind::Scatter && wanted)
      std::memcpy(wanted, at(relative()), block);
    else if (call.kind == Kind::Allgather || (call.kind == Kind::Gather && atRoot))
      for (uint32_t b = 0; b < problem.group.size; ++b)
        std::memcpy(wanted + rankOf(b) * block, at(b), block);
  }

private:
  bool isWhole() const {
    return call.kind == Kind::Allreduce || call.kind == Kind::Reduce || call.kind == Kind::Bcast ||
           call.kind == Kind::Scan;
  }
  uint32_t relative() const {
    return (problem.position + problem.group.size - problem.root) % problem.group.size;
  }
  /// Of block `b` of the schedule's buffer.
  uint64_t rankOf(uint32_t b) const {
    const bool fromRoot = call.kind == Kind::Gather || call.kind == Kind::Scatter;
    return hosts.rankAt[fromRoot ? (b + problem.root) % problem.group.size : b];
  }
  uint8_t *at(uint32_t b) { return data + (b * block - held); }
  void put(uint32_t b, const uint8_t *from) { std::memcpy(at(b), from, block); }

  const Collective &call;
  const HostGroup &hosts;
  const Problem &problem;
  const uint64_t unit, block, held;
  const uint64_t rank;
  uint64_t size = 0;
  uint8_t *data = nullptr;
  std::unique_ptr<uint8_t[]> copy;
};

/// Numbers of the switches of the members; nothing where there is only one.
std::vector<uint16_t> switchesOf(MPI_Comm comm, int size) {
  const std::vector<uint16_t> &leafOfRank = process().settings.session.leafOfRank;
  if (leafOfRank.empty())
    return {};
  std::vector<uint16_t> switches;
  for (int rank : ranksInWorld(comm, size))
    switches.push_back(size_t(rank) < leafOfRank.size() ? leafOfRank[rank] : 0);
  return switches;
}

} // namespace

HostGroup::~HostGroup() {
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_free(&comm);
}

std::unique_ptr<HostGroup> makeHostGroup(MPI_Comm comm, int members) {
  if (!process().settings.policy.mayUseHosts())
    return nullptr;
  auto hosts = std::make_unique<HostGroup>();
  const auto size = uint32_t(members);
  hosts->group.size = size;
  hosts->rankAt.resize(size);
  std::iota(hosts->rankAt.begin(), hosts->rankAt.end(), 0);
  const std::vector<uint16_t> switches = switchesOf(comm, members);
  std::map<uint16_t, uint32_t> perSwitch;
  for (uint16_t number : switches)
    ++perSwitch[number];
  if (perSwitch.size() > 1) {
    std::sort(hosts->rankAt.begin(), hosts->rankAt.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(switches[a], a) < std::pair(switches[b], b);
    });
    if (std::all_of(perSwitch.begin(), perSwitch.end(),
                    [&](const auto &each) { return each.second == perSwitch.begin()->second; }))
      hosts->group.rows = uint32_t(perSwitch.size());
  }
  hosts->positionOf.resize(size);
  for (uint32_t position = 0; position < size; ++position)
    hosts->positionOf[hosts->rankAt[position]] = position;
  // Not a duplicate, which would copy the program's attributes.
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (PMPI_Comm_split(comm, 0, rank, &hosts->comm) != MPI_SUCCESS)
    return nullptr;
  return hosts;
}

int runOnHosts(const char *name, Work &work, Algorithm algorithm) {
  const Collective &collective = work.collective;
  HostGroup &hosts = *work.communicator->hosts;
  auto fail = [&](const std::string &what) {
    return raiseError(work.comm, std::string(name) + ": " + what);
  };
  if (!hosts.failure.empty())
    return fail("an earlier collective of the hosts on this communicator has failed: " +
                hosts.failure);
  Problem problem;
  problem.kind = collective.kind;
  problem.algorithm = algorithm;
  problem.group = hosts.group;
  const auto rank = uint32_t(work.communicator->rank);
  problem.position = byRank(collective.kind) ? rank : hosts.positionOf[rank];
  problem.root = hosts.positionOf[collective.root];
  problem.count = collective.count;
  const Schedule schedule = makeSchedule(problem);
  Buffers buffers(collective, hosts, problem, schedule.held);
  buffers.load();
  std::vector<uint32_t> same;
  if (byRank(collective.kind)) {
    same.resize(hosts.group.size);
    std::iota(same.begin(), same.end(), 0);
  }
  const Process &state = process();
  HostNetwork network(hosts.comm, byRank(collective.kind) ? same : hosts.rankAt, hosts.sequence++,
                      HostNetwork::Clock::now() + state.settings.timeout);
  if (Status done = run(schedule, collective.op, collective.type, buffers.span(), network); !done) {
    buffers.abandon();
    hosts.failure = done.error().str();
    if (network.code() != MPI_SUCCESS)
      return network.code();
    const std::vector<int> world = ranksInWorld(work.comm, work.communicator->size);
    hosts.failure = "rank " + std::to_string(world[size_t(network.missing())]) +
                    " has not come within " + secondsText(state.settings.timeout) +
                    " (ACIS_TIMEOUT); by the hosts: " + std::string(nameOf(algorithm));
    return fail(hosts.failure);
  }
  buffers.store();
  return MPI_SUCCESS;
}

} // namespace acis::mpi
