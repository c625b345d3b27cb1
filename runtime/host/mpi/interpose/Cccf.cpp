// Fused collectives (runtime/host/cccf) by the switch: the driver that the CCCF library of a
// program asks for. A call goes there if both collectives, called plainly, would. To other ranks it
// is these two, so what each rank decides is its own affair: arrays that overlap, a binary that the
// switch has refused, a rank without a result to compute from leave the call to software, whose
// collectives match.
#include "runtime/host/cccf/acis_cccf.h"
#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/FusedWork.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"
#include "runtime/switch/collective/Task.h"

#include <map>
#include <mutex>

namespace acis::mpi {
namespace {

std::optional<Kind> kindOf(ACIS_Coll_kind kind) {
  switch (kind) {
  case ACIS_COLL_ALLREDUCE:
    return Kind::Allreduce;
  case ACIS_COLL_REDUCE:
    return Kind::Reduce;
  case ACIS_COLL_SCAN:
    return Kind::Scan;
  case ACIS_COLL_BCAST:
    return Kind::Bcast;
  case ACIS_COLL_GATHER:
    return Kind::Gather;
  case ACIS_COLL_ALLGATHER:
    return Kind::Allgather;
  case ACIS_COLL_SCATTER:
    return Kind::Scatter;
  case ACIS_COLL_ALLTOALL:
    return Kind::Alltoall;
  case ACIS_COLL_REDUCE_SCATTER_BLOCK:
    return Kind::ReduceScatterBlock;
  case ACIS_COLL_REDUCE_SCATTER:
    return std::nullopt;
  }
  return std::nullopt;
}

/// The collective as a call of its own.
Call callOf(const char *name, const ACIS_Coll &coll, Kind kind, const Communicator &communicator) {
  Arguments given = {.kind = kind,
                     .name = name,
                     .site = nullptr,
                     .comm = MPI_COMM_NULL, // it is not made
                     .send = {coll.send, coll.send_count, coll.send_type},
                     .recv = {coll.recv, coll.recv_count, coll.recv_type}};
  given.op = coll.op;
  given.root = coll.root;
  return normalise(given, communicator.rank, communicator.size);
}

/// Whether the switch has the call if it is made plainly: the same on all ranks.
bool isForSwitch(const Call &call, Communicator &communicator) {
  const Process &state = process();
  const Decision decision =
      decide(call, communicator, state.settings.policy, *state.session, /*blocks=*/true);
  return decision.reason == Reason::Offloaded && !isByHosts(decision.algorithm) &&
         call.collective.op != ReduceOp::User;
}

/// The handle of a program that this rank has given to the switch; the switch is asked once for
/// each. No value: it has refused it.
std::optional<uint64_t> load(const collective::TaskProgram &program) {
  static std::mutex mutex;
  static auto &all = *new std::map<std::vector<uint8_t>, std::optional<uint64_t>>;
  std::lock_guard lock(mutex);
  auto [place, isNew] = all.try_emplace(program.write());
  if (isNew)
    if (Result<uint64_t> handle = process().session->loadOperator(place->first, ""))
      place->second = *handle;
  return place->second;
}

/// The communicator as it is set up for the first collective called plainly; null: for that it is
/// not, or the switch does not have it.
Communicator *communicatorOf(MPI_Comm comm, Kind kind) {
  Communicator *communicator = find(comm);
  if (!communicator && process().settings.policy.offloads(kind))
    communicator = setUp(comm);
  const bool isThere =
      communicator && (communicator->state == Reason::Offloaded || !communicator->failure.empty());
  return isThere ? communicator : nullptr;
}

/// The call, not yet begun; null: it is for software.
std::unique_ptr<FusedWork> describe(const char *name, Call first, Call *second, const ACIS_Op &op,
                                    Communicator &communicator) {
  std::optional<OpArrays> arrays = OpArrays::of(op);
  if (!arrays || !FusedWork::isAsCompiled(first, second, *arrays))
    return nullptr;
  collective::TaskProgram program{uint32_t(arrays->packet().bytes),
                                  uint32_t(arrays->memoryBytes()),
                                  uint32_t(arrays->outputBytes()),
                                  {op.binary, op.binary + op.binary_bytes}};
  const std::optional<uint64_t> handle = load(program);
  if (!handle)
    return nullptr;
  return std::make_unique<FusedWork>(name, std::move(first), second, op, std::move(*arrays),
                                     *handle, communicator);
}

int serve(const char *name, const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second,
          MPI_Comm comm, MPI_Request *request) {
  const std::optional<Kind> kind = first ? kindOf(first->kind) : std::nullopt;
  const std::optional<Kind> next = second ? kindOf(second->kind) : kind;
  if (!process().attached || !kind || !next || !op->binary || op->num_arrays <= 0)
    return ACIS_DECLINED;
  Communicator *communicator = communicatorOf(comm, *kind);
  if (!communicator)
    return ACIS_DECLINED;
  if (!communicator->failure.empty())
    return raiseError(comm, std::string(name) + ": " + communicator->failure);
  Call one = callOf(name, *first, *kind, *communicator), two;
  if (second)
    two = callOf(name, *second, *next, *communicator);
  if (!isForSwitch(one, *communicator) || (second && !isForSwitch(two, *communicator)))
    return ACIS_DECLINED;
  std::unique_ptr<FusedWork> work =
      describe(name, std::move(one), second ? &two : nullptr, *op, *communicator);
  if (!work)
    return ACIS_DECLINED;
  Result<Request> started = process().session->start(work->collective());
  if (!started)
    return ACIS_DECLINED; // more than a message; what else is wrong the collectives say
  retain(*communicator);
  if (second)
    retain(*communicator);
  communicator->refused.reset();
  return addRequest(std::move(work), *started, request);
}

int fused(const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second, MPI_Comm comm,
          MPI_Request *request) {
  return serve("ACIS_Ifused", first, op, second, comm, request);
}

int semifused(const ACIS_Coll *first, const ACIS_Op *op, MPI_Comm comm, MPI_Request *request) {
  return serve("ACIS_Isemifused", first, op, nullptr, comm, request);
}

// A kernel's op reads whole vectors of each host: they would all go to the switch, for the
// sake of one number.
constexpr ACIS_Driver Driver = {ACIS_CCCF_VERSION, fused, semifused, nullptr};

} // namespace
} // namespace acis::mpi

extern "C" const ACIS_Driver *ACIS_Switch_driver(void) { return &acis::mpi::Driver; }
