// See HostAlgorithms.h.
#include "runtime/host/mpi/interpose/HostAlgorithms.h"

#include "runtime/host/mpi/interpose/HostNetwork.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <cstring>
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
  Buffers(const Call &call, const HostGroup &hosts, const Problem &problem, Range held)
      : call(call), collective(call.collective), roles(rolesOf(problem.kind)), hosts(hosts),
        problem(problem), unit(bytesOf(collective.type)), block(collective.count * unit),
        held(held.first * unit), size(held.count * unit) {
    if (isWhole() && collective.recv)
      data = static_cast<uint8_t *>(collective.recv);
    else {
      copy.reset(new uint8_t[std::max<uint64_t>(size, 1)]);
      data = copy.get();
    }
  }

  std::span<uint8_t> span() { return {data, size}; }
  /// MPI may still use them.
  void abandon() { (void)copy.release(); }

  void load() {
    // A message in place is not staged if its items lie there as they are sent.
    const auto *from =
        static_cast<const uint8_t *>(collective.send ? collective.send : call.give.at);
    if (!call.give.isUsed || collective.kind == Kind::Bcast)
      return;
    if (roles.givesEach)
      for (uint32_t b = 0; b < problem.group.size; ++b)
        std::memcpy(at(b), from + rankOf(b) * block, block);
    else if (uint8_t *own = at(roles.takesEach ? ownBlock() : 0); own != from)
      std::memcpy(own, from, block);
  }

  void store() {
    auto *wanted = static_cast<uint8_t *>(collective.recv);
    if (isWhole() || !call.take.isUsed || call.take.isInPlace)
      return;
    if (roles.takesEach)
      for (uint32_t b = 0; b < problem.group.size; ++b)
        std::memcpy(wanted + rankOf(b) * block, at(takenBlock(b)), block);
    else if (roles.givesEach)
      std::memcpy(wanted, at(ownBlock()), block);
    else if (problem.position > 0) // Exscan
      std::memcpy(wanted, at(1), block);
  }

private:
  /// The schedule's buffer is the block that is given and the one that is taken.
  bool isWhole() const {
    return !roles.givesEach && !roles.takesEach && collective.kind != Kind::Exscan;
  }
  /// Blocks of the schedule's buffer: they begin with the root's, if one gives or takes them all.
  uint32_t first() const {
    return collective.kind == Kind::Gather || collective.kind == Kind::Scatter ? problem.root : 0;
  }
  uint32_t ownBlock() const {
    return (problem.position + problem.group.size - first()) % problem.group.size;
  }
  uint64_t rankOf(uint32_t b) const { return hosts.rankAt[(b + first()) % problem.group.size]; }
  /// Alltoall has what is taken behind what is given, but for the own block.
  uint32_t takenBlock(uint32_t b) const {
    return roles.givesEach && b != problem.position ? problem.group.size + b : b;
  }
  uint8_t *at(uint32_t b) { return data + (b * block - held); }

  const Call &call;
  const Collective &collective;
  const Roles &roles;
  const HostGroup &hosts;
  const Problem &problem;
  const uint64_t unit, block, held, size;
  uint8_t *data = nullptr;
  std::unique_ptr<uint8_t[]> copy;
};

} // namespace

int runOnHosts(Work &work, Algorithm algorithm) {
  const Call &call = work.call;
  const Collective &collective = call.collective;
  HostGroup &hosts = *work.communicator.hosts;
  auto fail = [&](const std::string &what) {
    return raiseError(call.comm, std::string(call.name) + ": " + what);
  };
  if (!hosts.failure.empty())
    return fail("an earlier collective of the hosts on this communicator has failed: " +
                hosts.failure);
  Problem problem;
  problem.kind = collective.kind;
  problem.algorithm = algorithm;
  problem.group = hosts.group;
  const auto rank = uint32_t(work.communicator.rank);
  problem.position = byRank(collective.kind) ? rank : hosts.positionOf[rank];
  problem.root = hosts.positionOf[collective.root];
  problem.count = collective.count;
  const Schedule schedule = makeSchedule(problem);
  Buffers buffers(call, hosts, problem, schedule.held);
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
    const std::vector<int> world = ranksInWorld(call.comm, work.communicator.size);
    hosts.failure = "rank " + std::to_string(world[size_t(network.missing())]) +
                    " has not come within " + secondsText(state.settings.timeout) +
                    " (ACIS_TIMEOUT); by the hosts: " + std::string(nameOf(algorithm));
    return fail(hosts.failure);
  }
  buffers.store();
  return MPI_SUCCESS;
}

} // namespace acis::mpi
