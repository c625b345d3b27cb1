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
#include <utility>

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

/// Offloaded if the switch has the call where it is made plainly, else why not: the same on all
/// ranks.
Reason whyNotSwitch(const Call &call, Communicator &communicator) {
  const Process &state = process();
  const Decision decision =
      decide(call, communicator, state.settings.policy, *state.session, /*blocks=*/true);
  return call.collective.op == ReduceOp::User ? Reason::UserOperator : decision.reason;
}

/// A program as the switch gets it, the first time that it is worth a call.
class Program {
public:
  explicit Program(std::span<const uint8_t> bytes) : hash(wire::operatorHash(bytes, "")) {}

  /// What the session names it by.
  const uint64_t hash;

  /// Whether the switch has it, which is asked once.
  bool isLoaded(std::span<const uint8_t> bytes) {
    std::lock_guard lock(mutex);
    if (!answer)
      answer = bool(process().session->loadOperator(bytes, ""));
    return *answer;
  }

private:
  std::mutex mutex;
  std::optional<bool> answer;
};

/// Of this process, with its bytes.
using KnownProgram = std::pair<const std::vector<uint8_t>, Program>;
KnownProgram &known(const collective::TaskProgram &program) {
  static std::mutex mutex;
  static auto &all = *new std::map<std::vector<uint8_t>, Program>;
  std::lock_guard lock(mutex);
  std::vector<uint8_t> bytes = program.write();
  return *all.try_emplace(bytes, bytes).first;
}

/// The communicator as it is set up for the first collective called plainly; null and the reason:
/// for that it is not, or the switch does not have it.
std::pair<Communicator *, Reason> communicatorOf(MPI_Comm comm, Kind kind) {
  const Policy &policy = process().settings.policy;
  Communicator *communicator = find(comm);
  if (!communicator && policy.offloads(kind))
    communicator = setUp(comm);
  if (!communicator)
    return {nullptr, policy.offloads(kind) ? Reason::NotSetUp : Reason::SwitchedOff};
  const bool isThere = communicator->state == Reason::Offloaded || !communicator->failure.empty();
  return {isThere ? communicator : nullptr, communicator->state};
}

/// The call, not yet begun; null: arrays or binary are not for the switch, or it is not worth its
/// bytes, and why.
std::unique_ptr<FusedWork> describe(const char *name, Call first, Call *second, const ACIS_Op &op,
                                    Communicator &communicator, const Meter &meter, Reason &why) {
  std::optional<OpArrays> arrays = OpArrays::of(op, why);
  if (!arrays)
    return nullptr;
  if (why = FusedWork::judge(first, second, *arrays); why != Reason::Offloaded)
    return nullptr;
  collective::TaskProgram program{uint32_t(arrays->packet().bytes),
                                  uint32_t(arrays->memoryBytes()),
                                  uint32_t(arrays->outputBytes()),
                                  {op.binary, op.binary + op.binary_bytes}};
  auto &[bytes, known] = mpi::known(program);
  auto work = std::make_unique<FusedWork>(name, std::move(first), second, op, std::move(*arrays),
                                          known.hash, process().settings.policy.fusedBytes,
                                          communicator, meter);
  if (!process().session->weigh(work->collective())) {
    why = Reason::CostsMore;
    return nullptr;
  }
  why = Reason::ProgramRefused;
  return known.isLoaded(bytes) ? std::move(work) : nullptr;
}

/// What a collective of the call would move among hosts.
void compare(Meter &meter, const Collective &collective, const Communicator &communicator) {
  meter.compare({.kind = collective.kind,
                 .count = collective.count,
                 .unit = bytesOf(collective.type),
                 .root = collective.root},
                communicator.rank, communicator.size);
}

/// A call by the switch: an MPI error code, or ACIS_DECLINED and why. What is begun counts itself.
int begin(const char *name, const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second,
          MPI_Comm comm, MPI_Request *request, Meter &meter, Reason &reason) {
  const std::optional<Kind> kind = first ? kindOf(first->kind) : std::nullopt;
  const std::optional<Kind> next = second ? kindOf(second->kind) : kind;
  reason = !process().attached ? Reason::NoSwitch
           : !op->binary       ? Reason::NoBinary
                               : Reason::Unsupported;
  if (!process().attached || !kind || !next || !op->binary)
    return ACIS_DECLINED;
  const auto [communicator, state] = communicatorOf(comm, *kind);
  reason = state;
  if (!communicator)
    return ACIS_DECLINED;
  if (!communicator->failure.empty())
    return raiseError(comm, std::string(name) + ": " + communicator->failure);
  Call one = callOf(name, *first, *kind, *communicator), two;
  if (reason = whyNotSwitch(one, *communicator); reason != Reason::Offloaded)
    return ACIS_DECLINED;
  compare(meter, one.collective, *communicator);
  if (second) {
    two = callOf(name, *second, *next, *communicator);
    if (reason = whyNotSwitch(two, *communicator); reason != Reason::Offloaded)
      return ACIS_DECLINED;
    compare(meter, two.collective, *communicator);
  }
  std::unique_ptr<FusedWork> work =
      describe(name, std::move(one), second ? &two : nullptr, *op, *communicator, meter, reason);
  if (!work)
    return ACIS_DECLINED;
  reason = Reason::TooLarge;
  Result<Request> started = process().session->start(work->collective());
  if (!started)
    return ACIS_DECLINED; // more than a message; what else is wrong the collectives say
  retain(*communicator);
  if (second)
    retain(*communicator);
  communicator->refused.reset();
  return addRequest(std::move(work), *started, request);
}

int serve(const char *name, const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second,
          MPI_Comm comm, MPI_Request *request) {
  Meter meter;
  Reason reason = Reason::NoSwitch;
  const int code = begin(name, first, op, second, comm, request, meter, reason);
  if (code != ACIS_DECLINED)
    return code;
  const auto *site = reinterpret_cast<const void *>(op->run);
  process().summary.count(name, site, reason, 0, op->place ? op->place : "");
  return meter.stop(name, site, reason, code);
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
int kernel(const ACIS_Op *op, const ACIS_Coll *, MPI_Comm, MPI_Request *) {
  process().summary.count("ACIS_Ikernel", reinterpret_cast<const void *>(op->run), Reason::Kernel,
                          0, op->place ? op->place : "");
  return ACIS_DECLINED;
}

bool programFuses = false;

constexpr ACIS_Driver Driver = {ACIS_CCCF_VERSION, fused, semifused, kernel};

} // namespace

bool hasFusedCalls() { return programFuses; }

} // namespace acis::mpi

extern "C" void ACIS_Has_fused_calls(void) { acis::mpi::programFuses = true; }

extern "C" const ACIS_Driver *ACIS_Switch_driver(void) { return &acis::mpi::Driver; }
