// Fused collectives (runtime/host/cccf) by the switch: the driver that the CCCF library of a
// program asks for. A call goes there only if its first collective, called plainly, would: so other
// ranks may call that instead, or leave the fused call to software for reasons of their own, and
// the switch then tells those that did not to do the same. What one rank alone finds wrong (arrays
// that overlap) it says in its message, and all ranks do the call themselves. The same holds for an
// op that traps.
#include "runtime/host/cccf/acis_cccf.h"
#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"
#include "runtime/host/mpi/interpose/Types.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Fused.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

namespace acis::mpi {
namespace {

using collective::FusedOutcome;
using collective::FusedProgram;
using collective::FusedStep;

/// One CCCF call with what the program has to be for it.
struct FusedCall {
  const ACIS_Coll *first, *second; ///< second may be null
  const ACIS_Op *op;
  FusedProgram program;
  bool refused = false; ///< by this rank
};

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

/// The collective for the switch; nothing if it cannot be one, on all ranks alike.
std::optional<FusedStep> stepOf(const ACIS_Coll &coll, bool isFirst) {
  std::optional<Kind> kind = kindOf(coll.kind);
  if (!kind)
    return std::nullopt;
  FusedStep step;
  step.present = true;
  step.kind = *kind;
  step.root = uint32_t(coll.root);
  if (!step.isSupported(isFirst))
    return std::nullopt;
  // Of a Gather the counts of what is sent are there on all ranks, of a Scatter the others.
  const bool bySend = *kind == Kind::Gather || isReduction(*kind);
  const int count = bySend ? coll.send_count : coll.recv_count;
  const MPI_Datatype type = bySend ? coll.send_type : coll.recv_type;
  std::optional<ElementRun> run = elementsOf(type);
  if (!run || !run->predefined || count < 0)
    return std::nullopt;
  const uint64_t items = uint64_t(count) * run->perItem;
  if (isReduction(*kind)) {
    step.op = reduceOpOf(coll.op);
    if (step.op == ReduceOp::None || !takes(step.op, run->classes))
      return std::nullopt;
    step.type = run->type;
    step.count = uint32_t(items);
  } else {
    if (items * bytesOf(run->type) > UINT32_MAX)
      return std::nullopt;
    step.count = uint32_t(items * bytesOf(run->type));
  }
  return step;
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

uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

std::optional<FusedCall> describe(const ACIS_Coll *first, const ACIS_Op *op,
                                  const ACIS_Coll *second) {
  if (!first || !op->binary || op->num_arrays <= 0)
    return std::nullopt;
  FusedCall call{first, second, op, {}};
  std::optional<FusedStep> one = stepOf(*first, /*isFirst=*/true);
  std::optional<FusedStep> two = second ? stepOf(*second, /*isFirst=*/false) : FusedStep();
  if (!one || !two)
    return std::nullopt;
  call.program.first = *one;
  call.program.second = *two;
  uint64_t stream = 0, inbound = 0, sent = 0, output = 0;
  for (const ACIS_Array &array : std::span(op->arrays, size_t(op->num_arrays))) {
    if (array.bytes > UINT32_MAX)
      return std::nullopt;
    stream += array.role == ACIS_STREAM_IN ? array.bytes : 0;
    inbound += array.role == ACIS_INBOUND ? aligned(array.bytes) : 0;
    sent += array.role == ACIS_STREAM_OUT ? array.bytes : 0;
    output += array.role == ACIS_STREAM_OUT || array.role == ACIS_OUTBOUND ? array.bytes : 0;
  }
  if (std::max({stream, inbound, output}) > UINT32_MAX)
    return std::nullopt;
  call.program.streamBytes = uint32_t(stream);
  call.program.inboundBytes = uint32_t(inbound);
  call.program.sentBytes = uint32_t(sent);
  call.program.outputBytes = uint32_t(output);
  call.program.elf.assign(op->binary, op->binary + op->binary_bytes);
  return call;
}

bool overlap(const ACIS_Array &a, const ACIS_Array &b) {
  const auto x = reinterpret_cast<uintptr_t>(a.base), y = reinterpret_cast<uintptr_t>(b.base);
  return x < y + b.bytes && y < x + a.bytes;
}

bool isSame(const ACIS_Array &a, const ACIS_Array &b) {
  return a.base == b.base && a.bytes == b.bytes;
}

/// Whether the arrays of this rank are what the op's binary takes them for: separate, the
/// first collective's result where its packet comes from, the second's data what it gives.
bool isAsCompiled(const FusedCall &call, uint32_t ranks) {
  const std::span<const ACIS_Array> arrays(call.op->arrays, size_t(call.op->num_arrays));
  const ACIS_Array *stream = nullptr, *sent = nullptr;
  for (const ACIS_Array &array : arrays) {
    if (array.role == ACIS_STREAM_IN) {
      if (stream)
        return false;
      stream = &array;
    }
    if (array.role == ACIS_STREAM_OUT && !sent)
      sent = &array;
    for (const ACIS_Array &other : arrays)
      if (&other != &array && overlap(array, other) && !isSame(array, other))
        return false;
  }
  if (!stream || stream->base != call.first->recv || call.first->recv == MPI_IN_PLACE)
    return false;
  const FusedStep &first = call.program.first;
  if (call.first->send == MPI_IN_PLACE && first.kind != Kind::Allreduce &&
      first.kind != Kind::Scan && first.kind != Kind::Alltoall && first.kind != Kind::Allgather)
    return false;
  if (!call.second)
    return true;
  const FusedStep &second = call.program.second;
  const bool inPlace = call.second->send == MPI_IN_PLACE;
  if (call.second->recv == MPI_IN_PLACE || (inPlace && second.kind != Kind::Allreduce))
    return false;
  const void *from = inPlace ? call.second->recv : call.second->send;
  if (!sent || from != sent->base)
    return false;
  // What comes back last may only meet what it replaces.
  const ACIS_Array last{ACIS_STREAM_OUT, call.second->recv, second.resultBytes(ranks)};
  if (last.base && second.kind != Kind::Bcast)
    for (const ACIS_Array &array : arrays)
      if (overlap(last, array) && array.base != last.base)
        return false;
  return true;
}

void copyIn(uint8_t *&to, const void *from, uint64_t bytes) {
  if (bytes > 0 && from)
    std::memcpy(to, from, bytes);
  to += bytes;
}

/// This rank's block on its way up.
std::vector<uint8_t> pack(const FusedCall &call, const Communicator &communicator) {
  const uint32_t ranks = uint32_t(communicator.size), me = uint32_t(communicator.rank);
  const FusedProgram &program = call.program;
  std::vector<uint8_t> block(program.blockBytes(ranks));
  io::store(block.data(), me);
  io::store(block.data() + 4, uint32_t(call.refused));
  if (call.refused)
    return block;
  uint8_t *to = block.data() + FusedProgram::HeadBytes;
  const FusedStep &first = program.first;
  const uint64_t sends = first.sendBytes(ranks);
  const bool isSource =
      (first.kind != Kind::Bcast && first.kind != Kind::Scatter) || me == first.root;
  const auto *from = static_cast<const uint8_t *>(
      call.first->send == MPI_IN_PLACE ? call.first->recv : call.first->send);
  if (call.first->send == MPI_IN_PLACE && first.kind == Kind::Allgather)
    from += me * sends;
  copyIn(to, isSource ? from : nullptr, sends);
  const std::span<const ACIS_Array> arrays(call.op->arrays, size_t(call.op->num_arrays));
  for (const ACIS_Array &array : arrays)
    if (array.role == ACIS_STREAM_IN)
      copyIn(to, static_cast<const uint8_t *>(array.base) + first.resultBytes(ranks),
             program.restBytes(ranks));
  for (const ACIS_Array &array : arrays)
    if (array.role == ACIS_INBOUND) {
      std::memcpy(to, array.base, array.bytes);
      to += aligned(array.bytes);
    }
  return block;
}

/// The answer, into the buffers of the program.
void unpack(const FusedCall &call, const Communicator &communicator,
            std::span<const uint8_t> block) {
  const uint32_t ranks = uint32_t(communicator.size);
  const uint8_t *from = block.data() + FusedProgram::HeadBytes;
  auto copyOut = [&](void *to, uint64_t bytes) {
    std::memcpy(to, from, bytes);
    from += bytes;
  };
  copyOut(call.first->recv, call.program.first.resultBytes(ranks));
  // The op gives what is sent first.
  for (ACIS_Role role : {ACIS_STREAM_OUT, ACIS_OUTBOUND})
    for (const ACIS_Array &array : std::span(call.op->arrays, size_t(call.op->num_arrays)))
      if (array.role == role)
        copyOut(array.base, array.bytes);
  if (call.program.second.hasResult(uint32_t(communicator.rank)))
    copyOut(call.second->recv, call.program.second.resultBytes(ranks));
}

/// The handle of a program that this rank has given to the switch, or why it could not; the
/// switch is asked once for each.
struct Loaded {
  uint64_t handle = 0;
  bool good = false;
};

const Loaded &load(const FusedProgram &program) {
  static std::mutex mutex;
  static std::map<std::vector<uint8_t>, Loaded> &all = *new std::map<std::vector<uint8_t>, Loaded>;
  std::lock_guard lock(mutex);
  std::vector<uint8_t> bytes = program.write();
  auto [place, isNew] = all.try_emplace(std::move(bytes));
  if (isNew) {
    Result<uint64_t> handle = process().session->loadOperator(place->first, "");
    place->second.good = bool(handle);
    place->second.handle = wire::operatorHash(place->first, "");
  }
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

/// The call for the switch, without its blocks; no value: it is for software. `plain` is its first
/// collective as a call of its own.
std::optional<Collective> collectiveOf(const FusedCall &call, const Call &plain,
                                       Communicator &communicator) {
  const Process &state = process();
  const auto ranks = uint32_t(communicator.size);
  const Decision decision =
      decide(plain, communicator, state.settings.policy, *state.session, /*blocks=*/true);
  if (decision.reason != Reason::Offloaded || isByHosts(decision.algorithm) ||
      !call.program.problem(ranks).empty())
    return std::nullopt;
  Collective collective;
  collective.kind = Kind::Fused;
  collective.context = communicator.context;
  collective.count = call.program.blockBytes(ranks);
  collective.first = &plain.collective;
  return state.session->supports(collective) ? std::optional(collective) : std::nullopt;
}

/// Gives this rank's block to the switch; returns the answer.
Result<std::vector<uint8_t>> exchange(Collective collective, FusedCall &call,
                                      Communicator &communicator) {
  const Loaded &loaded = load(call.program);
  collective.operatorHandle = loaded.handle;
  call.refused = !loaded.good || !isAsCompiled(call, uint32_t(communicator.size));
  auto given = std::make_unique<std::vector<uint8_t>>(pack(call, communicator));
  auto answer = std::make_unique<std::vector<uint8_t>>(given->size());
  collective.send = given->data();
  collective.recv = answer->data();
  retain(communicator);
  Result<Request> started = process().session->start(collective);
  Status done = started ? await(*started) : Status(started.error());
  if (!done) {
    // The session may still use the blocks.
    (void)given.release();
    (void)answer.release();
    return done.error();
  }
  release(communicator);
  return std::move(*answer);
}

int serve(const char *name, const ACIS_Coll *first, const ACIS_Op *op, const ACIS_Coll *second,
          MPI_Comm comm, MPI_Request *request) {
  const std::optional<Kind> kind = first ? kindOf(first->kind) : std::nullopt;
  if (!process().attached || !kind)
    return ACIS_DECLINED;
  Communicator *communicator = communicatorOf(comm, *kind);
  if (communicator && !communicator->failure.empty())
    return raiseError(comm, std::string(name) + ": " + communicator->failure);
  std::optional<FusedCall> call = communicator ? describe(first, op, second) : std::nullopt;
  if (!call)
    return ACIS_DECLINED;
  const Call plain = callOf(name, *first, *kind, *communicator);
  const std::optional<Collective> collective = collectiveOf(*call, plain, *communicator);
  if (!collective)
    return ACIS_DECLINED;
  Result<std::vector<uint8_t>> answer = exchange(*collective, *call, *communicator);
  if (!answer)
    return raiseError(comm, std::string(name) + ": " + answer.error().str());
  const auto outcome = FusedOutcome(io::load<uint32_t>(answer->data()));
  if (outcome == FusedOutcome::Done || outcome == FusedOutcome::Mixed)
    process().summary.count(name, reinterpret_cast<const void *>(op->run),
                            outcome == FusedOutcome::Done ? Reason::Offloaded : Reason::Mixed,
                            answer->size());
  if (outcome != FusedOutcome::Done)
    return ACIS_DECLINED;
  unpack(*call, *communicator, *answer);
  communicator->refused.reset();
  return addCompleteRequest(request);
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
