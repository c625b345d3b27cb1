// See HostAlgorithms.h.
#include "runtime/mpi/interpose/HostAlgorithms.h"

#include "runtime/algorithms/Run.h"
#include "runtime/mpi/interpose/Communicator.h"
#include "runtime/mpi/interpose/Process.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace acis::mpi {
namespace {

using namespace algorithms;

/// Messages of the MPI underneath. Its counts are ints: long messages go in pieces.
class MpiNetwork final : public PointToPoint {
public:
  explicit MpiNetwork(MPI_Comm comm) : comm(comm) {}

  Status exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                  std::span<uint8_t> in) override {
    std::vector<MPI_Request> requests;
    auto start = [&](auto bytes, auto call) {
      size_t done = 0;
      do {
        const size_t piece = std::min(bytes.size() - done, LargestPiece);
        MPI_Request &request = requests.emplace_back(MPI_REQUEST_NULL);
        if (code == MPI_SUCCESS)
          code = call(bytes.data() + done, int(piece), &request);
        done += piece;
      } while (done < bytes.size());
    };
    if (from != Step::Nobody)
      start(in, [&](uint8_t *at, int count, MPI_Request *request) {
        return PMPI_Irecv(at, count, MPI_BYTE, int(from), 0, comm, request);
      });
    if (to != Step::Nobody)
      start(out, [&](const uint8_t *at, int count, MPI_Request *request) {
        return PMPI_Isend(at, count, MPI_BYTE, int(to), 0, comm, request);
      });
    if (code == MPI_SUCCESS)
      code = PMPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? Status() : Status(Error{"", "a message failed"});
  }

  int code = MPI_SUCCESS;

private:
  static constexpr size_t LargestPiece = size_t(1) << 30;
  MPI_Comm comm;
};

/// The buffers of one call, as the schedule's one buffer: in the caller's memory where it has
/// all that is held in the same order, else a copy.
class Buffers {
public:
  Buffers(const Collective &call, const HostGroup &hosts, const Problem &problem, Range held)
      : call(call), hosts(hosts), problem(problem), unit(bytesOf(call.type)),
        block(call.count * unit), held(held.first * unit), rank(hosts.rankAt[problem.position]) {
    size = held.count * unit;
    if (isWhole() && call.recv)
      data = static_cast<uint8_t *>(call.recv);
    else {
      copy.reset(new uint8_t[std::max<uint64_t>(size, 1)]);
      data = copy.get();
    }
  }

  std::span<uint8_t> span() { return {data, size}; }

  void load() {
    auto *given = static_cast<const uint8_t *>(call.send);
    auto *own = static_cast<const uint8_t *>(call.recv); // in place
    switch (call.kind) {
    case Kind::Allreduce:
    case Kind::Reduce:
      if (given)
        std::memcpy(data, given, size);
      break;
    case Kind::Allgather:
      put(problem.position, given ? given : own + rank * block);
      break;
    case Kind::Gather:
      put(relative(), given ? given : own + rank * block);
      break;
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
    else if (call.kind == Kind::Scatter && wanted)
      std::memcpy(wanted, at(relative()), block);
    else if (call.kind == Kind::Allgather || (call.kind == Kind::Gather && atRoot))
      for (uint32_t b = 0; b < problem.group.size; ++b)
        std::memcpy(wanted + rankOf(b) * block, at(b), block);
  }

private:
  bool isWhole() const {
    return call.kind == Kind::Allreduce || call.kind == Kind::Reduce || call.kind == Kind::Bcast;
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

HostGroup &hostGroupOf(Communicator &communicator, MPI_Comm comm) {
  if (communicator.hosts)
    return *communicator.hosts;
  auto hosts = std::make_unique<HostGroup>();
  const auto size = uint32_t(communicator.size);
  hosts->group.size = size;
  hosts->rankAt.resize(size);
  std::iota(hosts->rankAt.begin(), hosts->rankAt.end(), 0);
  const std::vector<uint16_t> switches = switchesOf(comm, communicator.size);
  std::map<uint16_t, uint32_t> members;
  for (uint16_t number : switches)
    ++members[number];
  if (members.size() > 1) {
    std::sort(hosts->rankAt.begin(), hosts->rankAt.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(switches[a], a) < std::pair(switches[b], b);
    });
    if (std::all_of(members.begin(), members.end(),
                    [&](const auto &each) { return each.second == members.begin()->second; }))
      hosts->group.rows = uint32_t(members.size());
  }
  hosts->positionOf.resize(size);
  for (uint32_t position = 0; position < size; ++position)
    hosts->positionOf[hosts->rankAt[position]] = position;
  communicator.hosts = std::move(hosts);
  return *communicator.hosts;
}

int runOnHosts(const Collective &collective, Algorithm algorithm, HostGroup &hosts, int rank,
               MPI_Comm comm) {
  if (hosts.comm == MPI_COMM_NULL)
    if (int code = PMPI_Comm_split(comm, 0, int(hosts.positionOf[rank]), &hosts.comm);
        code != MPI_SUCCESS)
      return code;
  Problem problem;
  problem.kind = collective.kind;
  problem.algorithm = algorithm;
  problem.group = hosts.group;
  problem.position = hosts.positionOf[rank];
  problem.root = hosts.positionOf[collective.root];
  problem.count = collective.count;
  const Schedule schedule = makeSchedule(problem);
  Buffers buffers(collective, hosts, problem, schedule.held);
  buffers.load();
  MpiNetwork network(hosts.comm);
  if (!run(schedule, collective.op, collective.type, buffers.span(), network))
    return network.code;
  buffers.store();
  return MPI_SUCCESS;
}

} // namespace acis::mpi
