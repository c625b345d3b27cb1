// See Decide.h.
#include "runtime/host/mpi/interpose/Decide.h"

#include <algorithm>

namespace acis::mpi {
namespace {

using namespace algorithms;

/// What the session says, which depends on the kind, the operation, the type and the group
/// only, is asked for once.
bool isSupported(const Collective &collective, Communicator &communicator, const Session &session) {
  const std::pair key{uint64_t(collective.operatorHandle) << 32 | uint64_t(collective.kind) << 24 |
                          uint64_t(collective.op) << 16 | uint64_t(collective.type) << 8 |
                          uint64_t(collective.commutative),
                      collective.itemElements};
  auto found = communicator.supported.find(key);
  if (found == communicator.supported.end()) {
    Collective asked = collective;
    asked.context = communicator.context;
    found = communicator.supported.emplace(key, bool(session.supports(asked))).first;
  }
  return found->second;
}

/// Whether the ranks of a host can fold for themselves.
bool mayBeByNodes(const Call &call, const Communicator &communicator) {
  return communicator.nodes && has(call.collective.kind, Algorithm::Nodes) &&
         call.collective.op != ReduceOp::User;
}

/// What Automatic stands for: on one host what MPI does, else what costs least, or nodes where
/// costs are not known. A call that does not block cannot be by nodes.
Algorithm automatic(const Call &call, const Communicator &communicator, const Policy &policy,
                    bool blocks, Form form = Form::Plain) {
  if (!policy.choosesByHosts())
    return Algorithm::Switch;
  if (communicator.isOneHost)
    return Algorithm::Library;
  std::vector<Algorithm> ways;
  if (!policy.costs.isEmpty())
    ways.push_back(Algorithm::Library);
  ways.push_back(Algorithm::Switch);
  if (blocks && mayBeByNodes(call, communicator))
    ways.push_back(Algorithm::Nodes);
  return policy.costs.cheapest(call.collective.kind, call.bytes, ways, form);
}

/// Why the switch is not to have the call, or cannot do it; Offloaded if it can. `wanted`: by a
/// rule, of which `chosen` came.
Reason againstSwitch(const Call &call, Communicator &communicator, const Policy &policy,
                     const Session &session, Algorithm wanted, Algorithm chosen) {
  const Collective &collective = call.collective;
  if (communicator.state != Reason::Offloaded)
    return communicator.state;
  if (!policy.offloads(collective.kind))
    return Reason::SwitchedOff;
  if (chosen == Algorithm::Library)
    return wanted == chosen         ? Reason::NotChosen
           : communicator.isOneHost ? Reason::OneHost
                                    : Reason::Slower;
  if (call.bytes > policy.maxBytes)
    return Reason::TooLarge;
  if (wanted != Algorithm::Switch &&
      policy.movesTooMuch(collective.kind, call.bytes, uint64_t(communicator.size)))
    return Reason::MovesMuch;
  return isSupported(collective, communicator, session) ? Reason::Offloaded : Reason::Unsupported;
}

/// The algorithm of the hosts for a call that the switch does not get: one that was named, or
/// the one that fits where `hosts` stands for them all. Library where they have none.
Algorithm byHosts(const Call &call, const Communicator &communicator, Algorithm wanted) {
  if (!communicator.hosts || call.collective.op == ReduceOp::User ||
      (wanted != Algorithm::Hosts && !isByHosts(wanted)))
    return Algorithm::Library;
  const Kind kind = call.collective.kind;
  const Group &group = communicator.hosts->group;
  return wanted == Algorithm::Hosts ? hostAlgorithm(kind, call.bytes, group)
                                    : fitting(kind, wanted, group);
}

} // namespace

Decision decide(const Call &call, Communicator &communicator, const Policy &policy,
                const Session &session, bool blocks) {
  if (call.reason != Reason::Offloaded)
    return {call.reason};
  const Algorithm wanted = policy.algorithmFor(call.collective.kind, call.bytes);
  const Algorithm chosen =
      wanted == Algorithm::Automatic ? automatic(call, communicator, policy, blocks) : wanted;
  const Reason reason = againstSwitch(call, communicator, policy, session, wanted, chosen);
  if (blocks && reason == Reason::Offloaded && chosen == Algorithm::Nodes &&
      mayBeByNodes(call, communicator))
    return {Reason::ByNodes, chosen};
  if (blocks && (reason != Reason::Offloaded || isByHosts(wanted)))
    if (Algorithm hosts = byHosts(call, communicator, wanted); isByHosts(hosts))
      return {reasonOf(hosts), hosts};
  return {reason};
}

/// Whether blocks that are all as long as the longest are too much beside what is in them: more
/// than twice that and a packet. Where a rule names the switch, what a host can well hold.
static bool isUneven(const Spread &spread, uint64_t size, bool isNamed) {
  constexpr uint64_t Packet = 16 << 10;
  const uint64_t most =
      isNamed ? MostHeld : std::min(MostHeld, 2 * std::min(spread.most, MostHeld) + Packet);
  return spread.longest > most / size;
}

Reason decideVarying(Kind kind, Form form, const Spread *spread, Communicator &communicator,
                     const Policy &policy, const Session &session) {
  Call call;
  call.collective.kind = kind;
  call.collective.count = call.bytes = spread ? spread->longest : 0;
  const Algorithm wanted = policy.algorithmFor(kind, call.bytes);
  if (isByHosts(wanted))
    return Reason::NotChosen;
  const Algorithm chosen = wanted == Algorithm::Automatic
                               ? automatic(call, communicator, policy, /*blocks=*/false, form)
                               : wanted;
  const Reason reason = againstSwitch(call, communicator, policy, session, wanted, chosen);
  if (reason == Reason::Offloaded && spread &&
      isUneven(*spread, uint64_t(communicator.size), wanted == Algorithm::Switch))
    return Reason::Uneven;
  return reason;
}

} // namespace acis::mpi
