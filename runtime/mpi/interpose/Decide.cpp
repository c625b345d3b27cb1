// Decides whether a call goes to the switch. What is read here is equal on all members of
// the communicator in a correct program: the kind, the root, the operation, the predefined
// type of a reduction, the bytes of a message's signature, and what was agreed on when the
// communicator was set up. Arguments that only MPI can judge (invalid ones) go to the MPI
// underneath; in such a program there is no right answer that ranks could disagree on.
#include "runtime/mpi/interpose/Call.h"
#include "runtime/mpi/interpose/HostAlgorithms.h"
#include "runtime/mpi/interpose/Operators.h"
#include "runtime/mpi/interpose/Process.h"

#include <algorithm>
#include <climits>
#include <numeric>

namespace acis::mpi {
namespace {

using namespace algorithms;

/// The message whose signature says how large the collective is, as this rank has it.
struct Extent {
  int64_t items; ///< negative: an invalid argument
  MPI_Datatype type;
};

Extent extentOf(const Call &call, const Communicator &communicator) {
  bool atRoot = call.root == communicator.rank;
  switch (call.kind) {
  case Kind::Gather:
    return atRoot ? Extent{call.recvCount, call.recvType} : Extent{call.sendCount, call.sendType};
  case Kind::Scatter:
    return atRoot ? Extent{call.sendCount, call.sendType} : Extent{call.recvCount, call.recvType};
  case Kind::ReduceScatter: {
    if (!call.counts || std::any_of(call.counts, call.counts + communicator.size,
                                    [](int count) { return count < 0; }))
      return {-1, call.recvType};
    return {std::accumulate(call.counts, call.counts + communicator.size, int64_t(0)),
            call.recvType};
  }
  default:
    return {call.recvCount, call.recvType};
  }
}

/// Which of the two buffers this rank's arguments mean something for.
struct Significant {
  bool send, recv;
};

Significant significant(const Call &call, const Communicator &communicator) {
  bool atRoot = call.root == communicator.rank;
  switch (call.kind) {
  case Kind::Bcast:
    return {false, true};
  case Kind::Reduce:
  case Kind::Gather:
    return {true, atRoot};
  case Kind::Scatter:
    return {atRoot, true};
  default:
    return {true, true};
  }
}

/// Buffers that are one, or of an Allgather what is sent is the own block of the result: MPI does
/// not allow it, but libraries may do it. All ranks of a program that does must see it.
bool areOne(const Call &call, const Communicator &communicator) {
  const int64_t own = call.kind == Kind::Allgather ? communicator.rank * int64_t(call.recvCount) *
                                                         layoutOf(call.recvType).extent
                                                   : 0;
  const auto send = reinterpret_cast<intptr_t>(call.send),
             recv = reinterpret_cast<intptr_t>(call.recv);
  return send == recv || send == recv + own;
}

/// Of a movement whose root names one buffer twice the others see nothing. Open MPI does it, so
/// the switch has to.
bool mayBeOne(Kind kind) {
#ifdef OPEN_MPI
  return kind == Kind::Gather || kind == Kind::Scatter;
#else
  return false;
#endif
}

/// Mistakes that the MPI underneath reports, as far as a look at the arguments shows them.
bool looksValid(const Call &call, const Communicator &communicator, const Extent &extent) {
  if (extent.items < 0 || extent.type == MPI_DATATYPE_NULL || call.root < 0 ||
      call.root >= communicator.size || (isReduction(call.kind) && call.op == MPI_OP_NULL))
    return false;
  Significant used = significant(call, communicator);
  bool moves = !isReduction(call.kind) && call.kind != Kind::Bcast;
  bool sends = used.send && call.send != MPI_IN_PLACE;
  bool receives = used.recv && call.recv != MPI_IN_PLACE;
  if (moves && ((sends && (call.sendCount < 0 || call.sendType == MPI_DATATYPE_NULL)) ||
                (receives && (call.recvCount < 0 || call.recvType == MPI_DATATYPE_NULL))))
    return false;
  if ((call.kind == Kind::Bcast && call.recv == MPI_IN_PLACE) || !isCommitted(extent.type) ||
      (moves && sends && !isCommitted(call.sendType)) ||
      (moves && receives && !isCommitted(call.recvType)))
    return false;
  if (extent.items == 0)
    return true;
  if (sends && receives && call.send && !mayBeOne(call.kind) && areOne(call, communicator))
    return false;
  // In place is for the root, or for all where all receive; never for the other buffer.
  if (used.send && !sends && (!used.recv || call.kind == Kind::Scatter))
    return false;
  if (used.recv && !receives && (call.kind != Kind::Scatter || call.root != communicator.rank))
    return false;
  if (isReduction(call.kind)) // predefined types only: no address is MPI_BOTTOM
    return (!sends || call.send) && (!receives || call.recv);
  return true;
}

/// Nothing, or why MPI or the switch do not have this operation on this type.
Reason chooseOperation(const Call &call, Collective &collective, uint64_t &items) {
  std::optional<ElementRun> run = elementsOf(call.recvType);
  if (const uint64_t *handle = findOperator(call.op)) {
    if (!run)
      return Reason::Type;
    collective.op = ReduceOp::User;
    collective.operatorHandle = *handle;
    int commutes = 0;
    PMPI_Op_commutative(call.op, &commutes);
    collective.commutative = commutes;
  } else {
    if (!isPredefined(call.op))
      return Reason::UserOperator;
    collective.op = reduceOpOf(call.op);
    if (!run || !run->predefined)
      return Reason::Type;
    if (!takes(collective.op, run->classes) || !isDefined(collective.op, run->type))
      return Reason::Operator;
  }
  collective.type = run->type;
  items *= run->perItem;
  return Reason::Offloaded;
}

/// How many elements `items` of a message are.
void setCounts(const Call &call, const Communicator &communicator, uint64_t perItem, uint64_t count,
               Work &work) {
  work.collective.count = count;
  if (call.kind != Kind::ReduceScatter)
    return;
  for (int r = 0; r < communicator.size; ++r)
    work.counts.push_back(uint64_t(call.counts[r]) * perItem);
  work.collective.counts = work.counts;
}

/// Reductions use the program's buffers as they are.
void placeReduction(const Call &call, const Communicator &communicator, Work &work) {
  Significant used = significant(call, communicator);
  work.collective.send = call.send == MPI_IN_PLACE ? nullptr : call.send;
  work.collective.recv = used.recv ? call.recv : nullptr;
}

/// Bcast: one buffer, read at the root and written elsewhere.
void placeBcast(const Call &call, const Communicator &communicator, Work &work) {
  auto items = uint64_t(call.recvCount);
  if (call.root == communicator.rank) {
    // The session reads it only.
    work.collective.recv =
        const_cast<void *>(work.staging.toSend(call.recv, items, call.recvType, call.comm));
    return;
  }
  work.collective.recv = work.staging.toReceive(call.recv, items, call.recvType);
}

/// Blocks of a message that one rank sends or receives in all.
uint64_t blocksSent(Kind kind, int size) {
  return kind == Kind::Scatter || kind == Kind::Alltoall ? uint64_t(size) : 1;
}
uint64_t blocksReceived(Kind kind, int size) { return kind == Kind::Scatter ? 1 : uint64_t(size); }

/// This rank's own contribution when it lies in the receive buffer. Only a buffer that
/// had to be copied needs it named; else nullptr says the same to the session.
const void *packInPlace(const Call &call, const Communicator &communicator, Work &work) {
  if (layoutOf(call.recvType).packed)
    return nullptr;
  bool whole = call.kind == Kind::Alltoall;
  auto items = uint64_t(call.recvCount);
  intptr_t skip = whole ? 0 : communicator.rank * int64_t(items) * layoutOf(call.recvType).extent;
  auto *from = reinterpret_cast<void *>(reinterpret_cast<intptr_t>(call.recv) + skip);
  return work.staging.toSend(from, whole ? items * communicator.size : items, call.recvType,
                             call.comm);
}

void placeMove(const Call &call, const Communicator &communicator, Work &work) {
  Significant used = significant(call, communicator);
  Collective &collective = work.collective;
  if (used.send && call.send == MPI_IN_PLACE)
    collective.send = packInPlace(call, communicator, work);
  else if (used.send)
    collective.send = work.staging.toSend(
        call.send, blocksSent(call.kind, communicator.size) * uint64_t(call.sendCount),
        call.sendType, call.comm);
  if (used.recv && call.recv != MPI_IN_PLACE)
    collective.recv = work.staging.toReceive(
        call.recv, blocksReceived(call.kind, communicator.size) * uint64_t(call.recvCount),
        call.recvType);
}

void place(const Call &call, const Communicator &communicator, Work &work) {
  if (isReduction(call.kind))
    placeReduction(call, communicator, work);
  else if (call.kind == Kind::Bcast)
    placeBcast(call, communicator, work);
  else if (call.kind != Kind::Barrier)
    placeMove(call, communicator, work);
}

/// What the session says, which depends on the kind, the operation, the type and the group
/// only, is asked for once.
bool isSupported(const Collective &collective, Communicator &communicator) {
  uint64_t key = uint64_t(collective.operatorHandle) << 32 | uint64_t(collective.kind) << 24 |
                 uint64_t(collective.op) << 16 | uint64_t(collective.type) << 8 |
                 uint64_t(collective.commutative);
  auto found = communicator.supported.find(key);
  if (found == communicator.supported.end())
    found =
        communicator.supported.emplace(key, bool(process().session->supports(collective))).first;
  return found->second;
}

/// What the arguments say: kind, operation, counts. Offloaded when nothing stands against the
/// switch so far.
Reason describe(const Call &call, const Communicator &communicator, Work &work, uint64_t &bytes) {
  Collective &collective = work.collective;
  collective.kind = call.kind;
  collective.context = communicator.context;
  collective.root = uint32_t(call.root);
  if (call.kind == Kind::Barrier)
    return Reason::Offloaded;
  const Extent extent = extentOf(call, communicator);
  if (!looksValid(call, communicator, extent))
    return Reason::Refused;
  uint64_t perItem = 1;
  if (isReduction(call.kind)) {
    if (Reason reason = chooseOperation(call, collective, perItem); reason != Reason::Offloaded)
      return reason;
  } else {
    perItem = layoutOf(extent.type).size; // moved as bytes
  }
  const uint64_t count = uint64_t(extent.items) * perItem;
  setCounts(call, communicator, perItem, count, work);
  bytes = count * bytesOf(collective.type);
  return count == 0 ? Reason::Empty : Reason::Offloaded;
}

/// Why the switch is not to have a call that it may be able to do; Offloaded if it is.
Reason againstSwitch(const Collective &collective, const Communicator &communicator, uint64_t bytes,
                     Algorithm wanted) {
  const Policy &policy = process().settings.policy;
  if (communicator.state != Reason::Offloaded)
    return communicator.state;
  if (!policy.offloads(collective.kind))
    return Reason::SwitchedOff;
  if (wanted == Algorithm::Library)
    return Reason::NotChosen;
  if (bytes > policy.maxBytes)
    return Reason::TooLarge;
  if (wanted != Algorithm::Switch &&
      policy.movesTooMuch(collective.kind, bytes, uint64_t(communicator.size)))
    return Reason::MovesMuch;
  return Reason::Offloaded;
}

/// The algorithm of the hosts for a call that the switch does not get: one that was named, or
/// the one that fits where `hosts` stands for them all. Library where they have none.
Algorithm byHosts(const Collective &collective, const Communicator &communicator, uint64_t bytes,
                  Algorithm wanted) {
  if (!communicator.hosts || collective.op == ReduceOp::User ||
      (wanted != Algorithm::Hosts && !isByHosts(wanted)))
    return Algorithm::Library;
  const Group &group = communicator.hosts->group;
  return wanted == Algorithm::Hosts ? hostAlgorithm(collective.kind, bytes, group)
                                    : fitting(collective.kind, wanted, group);
}

/// The call of a root that is wrong in nothing but its result's buffer, of which the others know
/// nothing: with a buffer of ours. In place nothing says how much they send.
std::optional<Call> asOthersSee(const Call &call, const Communicator &communicator, Work &work) {
  const bool gathers = call.kind == Kind::Gather;
  if ((!gathers && call.kind != Kind::Reduce) || call.root != communicator.rank ||
      call.send == MPI_IN_PLACE)
    return std::nullopt;
  Call seen = call;
  seen.recv = &work; // not the other buffer
  if (gathers) {
    seen.recvCount = call.sendCount;
    seen.recvType = call.sendType;
  }
  const Extent extent = extentOf(seen, communicator);
  if (!looksValid(seen, communicator, extent))
    return std::nullopt;
  const TypeLayout layout = layoutOf(extent.type);
  // A reduction's items lie as in the program's buffer, with the gaps of pairs.
  const uint64_t bytes = uint64_t(extent.items) * (gathers ? layout.size : uint64_t(layout.extent));
  if (gathers) {
    if (bytes > INT_MAX)
      return std::nullopt;
    seen.recvCount = int(bytes);
    seen.recvType = MPI_BYTE;
  }
  work.unwantedBytes = bytes * (gathers ? uint64_t(communicator.size) : 1);
  work.unwanted.reset(new uint8_t[work.unwantedBytes]);
  seen.recv = work.unwanted.get();
  work.refused = true;
  return seen;
}

/// From the arguments to work, when nothing stands against it. `blocks`: hosts may do it, and who
/// is refused can wait until the others have what they need.
void prepare(const Call &given, Communicator &communicator, bool blocks, Decision &decision) {
  auto work = std::make_unique<Work>();
  decision.reason = describe(given, communicator, *work, decision.bytes);
  std::optional<Call> seen;
  if (decision.reason == Reason::Refused && blocks)
    seen = asOthersSee(given, communicator, *work);
  if (seen && describe(*seen, communicator, *work, decision.bytes) == Reason::Offloaded)
    decision.reason = Reason::Offloaded;
  if (decision.reason != Reason::Offloaded)
    return;
  const Call &call = seen ? *seen : given;
  const Algorithm wanted = process().settings.policy.algorithmFor(call.kind, decision.bytes);
  auto hosts = [&] {
    return blocks ? byHosts(work->collective, communicator, decision.bytes, wanted)
                  : Algorithm::Library;
  };
  decision.reason = againstSwitch(work->collective, communicator, decision.bytes, wanted);
  if (decision.reason != Reason::Offloaded || isByHosts(wanted))
    if (Algorithm chosen = hosts(); isByHosts(chosen)) {
      decision.algorithm = chosen;
      decision.reason = reasonOf(chosen);
    }
  if (decision.reason != Reason::Offloaded && !isByHosts(decision.algorithm))
    return;
  place(call, communicator, *work);
  decision.error = work->staging.error();
  if (decision.error == MPI_SUCCESS && decision.reason == Reason::Offloaded &&
      !isSupported(work->collective, communicator)) {
    decision.algorithm = hosts();
    if (!isByHosts(decision.algorithm)) {
      decision.reason = Reason::Unsupported;
      return;
    }
    decision.reason = reasonOf(decision.algorithm);
  }
  work->communicator = &communicator;
  work->comm = call.comm;
  decision.work = std::move(work);
}

} // namespace

Decision decide(const Call &call, bool blocks) {
  Decision decision;
  Process &state = process();
  if (!state.attached)
    return decision;
  decision.reason = Reason::Refused;
  if (call.comm == MPI_COMM_NULL)
    return decision;
  Communicator *communicator = find(call.comm);
  const Policy &policy = state.settings.policy;
  if (!communicator && !policy.offloads(call.kind) && !policy.mayUseHosts()) {
    decision.reason = Reason::SwitchedOff;
    return decision;
  }
  if (!communicator && blocks)
    communicator = setUp(call.comm);
  decision.reason = communicator ? communicator->state : Reason::NotSetUp;
  if (communicator && !communicator->failure.empty()) {
    decision.error = raiseError(call.comm, std::string(call.name) + ": " + communicator->failure);
    return decision;
  }
  // Without an entry in the switch the hosts may do it; both are for members of this world.
  if (decision.reason == Reason::Offloaded || decision.reason == Reason::NoEntry)
    prepare(call, *communicator, blocks, decision);
  return decision;
}

} // namespace acis::mpi
