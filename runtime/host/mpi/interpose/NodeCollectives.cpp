// See NodeCollectives.h.
#include "runtime/host/mpi/interpose/NodeCollectives.h"

#include "runtime/host/algorithms/Run.h"
#include "runtime/host/mpi/interpose/GivingUp.h"
#include "runtime/host/mpi/interpose/HostNetwork.h"
#include "runtime/host/mpi/interpose/NodeGroup.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <cstring>

namespace acis::mpi {
namespace {

using algorithms::Step;

/// One collective on this rank. Its elements are in one buffer all the time: the caller's, where it
/// has one that may be written.
class NodeCall {
public:
  NodeCall(const Call &call, NodeGroup &group, HostNetwork &network)
      : collective(call.collective), group(group), network(network), count(collective.count) {
    if (collective.kind == Kind::Barrier) { // of which a byte goes around
      type = ElementType::Uint8;
      op = ReduceOp::BitOr;
      count = 1;
    }
    data = static_cast<uint8_t *>(collective.recv);
    if (!data || collective.kind == Kind::Barrier) {
      copy.reset(new uint8_t[bytes() + 1]{});
      data = copy.get();
    }
    const void *from = collective.send ? collective.send : call.give.at;
    if (from && from != data && isReduction(collective.kind))
      std::memcpy(data, from, bytes());
  }

  Status run() {
    const uint32_t root = collective.root;
    const bool isHome = group.nodes.nodeOf[root] == group.node;
    const uint32_t rootHere = isHome ? group.nodes.positionIn[root] : 0;
    switch (collective.kind) {
    case Kind::Reduce: {
      Status done = inside(Kind::Reduce, 0);
      if (done)
        done = between();
      return done && rootHere != 0 ? move(0, rootHere) : done;
    }
    case Kind::Bcast: {
      Status done = rootHere != 0 ? inside(Kind::Bcast, rootHere) : Status();
      if (done)
        done = between();
      return done && rootHere == 0 ? inside(Kind::Bcast, 0) : done;
    }
    default: {
      Status done = inside(Kind::Reduce, 0);
      if (done)
        done = between();
      return done ? inside(Kind::Bcast, 0) : done;
    }
    }
  }

  /// Others may still use it.
  void abandon() { (void)copy.release(); }
  /// It has failed at its deadline, here or in the switch.
  bool isLate() const { return network.missing() >= 0 || isSwitchLate; }

private:
  uint64_t bytes() const { return count * bytesOf(type); }

  /// Among the ranks of this host.
  Status inside(Kind kind, uint32_t root) {
    algorithms::Problem problem;
    problem.kind = kind;
    problem.group.size = uint32_t(group.ranks.size());
    if (problem.group.size == 1)
      return {};
    problem.algorithm = hostAlgorithm(kind, bytes(), problem.group);
    problem.position = group.position;
    problem.root = root;
    problem.count = count;
    return algorithms::run(makeSchedule(problem), op, type, {data, bytes()}, network);
  }

  /// What one has, to another of this host.
  Status move(uint32_t from, uint32_t to) {
    if (group.position == from)
      return network.exchange(to, {data, bytes()}, Step::Nobody, {});
    if (group.position == to)
      return network.exchange(Step::Nobody, {}, from, {data, bytes()});
    return {};
  }

  /// Among the hosts, by the switch.
  Status between() {
    if (!group.isLeader() || !group.context)
      return {};
    Collective hosts = collective;
    hosts.context = *group.context;
    hosts.root = group.nodes.nodeOf[collective.root];
    const bool sends = collective.kind == Kind::Reduce && hosts.root != group.node;
    hosts.send = sends ? data : nullptr;
    hosts.recv = sends || collective.kind == Kind::Barrier ? nullptr : data;
    Result<Request> started = process().session->start(hosts);
    if (!started)
      return started.error();
    const auto end = HostNetwork::Clock::now() + process().settings.timeout;
    Status done = await(*started);
    isSwitchLate = !done && HostNetwork::Clock::now() >= end;
    return done;
  }

  const Collective &collective;
  NodeGroup &group;
  HostNetwork &network;
  uint64_t count;
  ReduceOp op = collective.op;
  ElementType type = collective.type;
  uint8_t *data = nullptr;
  std::unique_ptr<uint8_t[]> copy;
  bool isSwitchLate = false;
};

/// Who is to blame that the deadline has passed, by what all members say.
std::string lateness(const Work &work, const HostNetwork &network, const Error &error) {
  const NodeGroup &group = *work.communicator.nodes;
  const std::vector<int> world = ranksInWorld(work.call.comm, work.communicator.size);
  const std::vector<uint32_t> members(world.begin(), world.end());
  Waiting mine{-1, error.str()};
  if (network.missing() >= 0)
    mine.forRank = ranksInWorld(group.comm, int(group.ranks.size()))[size_t(network.missing())];
  const uint64_t name = nameOf(members, uint64_t(work.communicator.context) << 32 | group.sequence);
  const std::string cause = causeOf(uint32_t(process().rank), giveUpTogether(members, name, mine));
  return cause.ends_with(")")
             ? cause
             : cause + " within " + secondsText(process().settings.timeout) + " (ACIS_TIMEOUT)";
}

} // namespace

int runByNodes(Work &work) {
  NodeGroup &group = *work.communicator.nodes;
  const Call &call = work.call;
  auto fail = [&](const std::string &what) {
    return raiseError(call.comm, std::string(call.name) + ": " + what);
  };
  if (!group.failure.empty())
    return fail("an earlier collective on this communicator has failed: " + group.failure);
  const Process &state = process();
  HostNetwork network(group.comm, group.ranks, group.sequence++,
                      HostNetwork::Clock::now() + state.settings.timeout,
                      [&] { return state.session->progress(); });
  NodeCall node(call, group, network);
  const Status done = node.run();
  if (done)
    return MPI_SUCCESS;
  node.abandon();
  group.failure = node.isLate() ? lateness(work, network, done.error()) : done.error().str();
  network.tell(group.failure);
  return network.code() != MPI_SUCCESS ? network.code() : fail(group.failure);
}

} // namespace acis::mpi
