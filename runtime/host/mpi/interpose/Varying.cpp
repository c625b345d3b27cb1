// See Varying.h.
#include "runtime/host/mpi/interpose/Varying.h"

#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"
#include "runtime/host/mpi/interpose/VaryingPairs.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace acis::mpi {
namespace {

/// A call whose blocks all ranks know to have `longest` bytes at most.
class VaryingWork final : public Pending {
public:
  VaryingWork(const VaryingArguments &given, VaryingCall read, uint64_t longest,
              Communicator &communicator)
      : given(given.call), communicator(communicator), take(std::move(read.take)),
        longest(longest) {
    const uint64_t all = uint64_t(communicator.size) * longest;
    const Roles &roles = rolesOf(given.call.kind);
    collective.kind = given.call.kind;
    collective.context = communicator.context;
    collective.root = uint32_t(given.call.root);
    collective.count = longest;
    // What does not agree with the others' counts must not reach beyond the buffers.
    if (!read.give.empty()) {
      sent.resize(std::max(roles.givesEach ? all : longest, end(read.give)));
      collective.send = sent.data();
      for (size_t i = 0; i < read.give.size() && code == MPI_SUCCESS; ++i)
        code = pack(read.give[i], given.call.comm, sent.data() + i * longest);
    }
    if (!take.empty()) {
      received.resize(std::max(roles.takesEach ? all : longest, end(take)));
      collective.recv = received.data();
    }
  }
  ~VaryingWork() override {
    for (MPI_Datatype &type : owned)
      PMPI_Type_free(&type);
  }

  const char *name() const override { return given.name; }
  int finish() override {
    for (size_t i = 0; i < take.size() && code == MPI_SUCCESS; ++i)
      code = unpack(take[i], received.data() + i * longest);
    release(communicator);
    return code;
  }
  /// The program may free its types before the call is complete.
  void keepTypes() {
    for (Message &message : take)
      if (!message.layout.packed && message.items > 0) {
        MPI_Datatype own = MPI_DATATYPE_NULL;
        PMPI_Type_dup(message.type, &own);
        owned.push_back(own);
        message.type = own;
      }
  }
  /// Of MPI, while what is sent was packed.
  int error() const { return code; }

  Collective collective;

private:
  uint64_t end(const std::vector<Message> &blocks) const {
    uint64_t last = 0;
    for (size_t i = 0; i < blocks.size(); ++i)
      last = std::max(last, i * longest + blocks[i].bytes());
    return last;
  }

  const Arguments given;
  Communicator &communicator;
  std::vector<Message> take;
  uint64_t longest;
  std::vector<uint8_t> sent, received;
  std::vector<MPI_Datatype> owned;
  int code = MPI_SUCCESS;
};

/// What all ranks know after the counts were seen to.
struct Known {
  uint64_t longest = 0;
  Reason reason = Reason::Refused;
};

class Varying {
public:
  Varying(const VaryingArguments &given, Communicator &communicator, Form form)
      : given(given), kind(given.call.kind), form(form), communicator(communicator),
        read(readVarying(given, communicator.rank, communicator.size)) {}

  /// `blocks`: it may ask the others.
  Result<Known> agree(bool blocks) const {
    if (kind == Kind::Allgather)
      return knownHere();
    if (!blocks)
      return byPairs();
    return kind == Kind::Alltoall ? askAll() : askRoot();
  }

  Reason decide(const Spread *spread) const {
    return decideVarying(kind, form, spread, communicator, process().settings.policy,
                         *process().session);
  }
  std::unique_ptr<VaryingWork> work(uint64_t longest) {
    return std::make_unique<VaryingWork>(given, std::move(read), longest, communicator);
  }
  std::unique_ptr<PairedWork> pairedWork() {
    return std::make_unique<PairedWork>(given, std::move(read), communicator);
  }
  uint64_t bytes() const { return read.most(); }

private:
  /// Nobody is asked: all blocks are as long as all know.
  Known byPairs() const {
    if (!communicator.pairs)
      return {0, Reason::CountsDiffer};
    if (!read.isSound)
      return {};
    return known({PairedBlock, PairedBlock * uint64_t(communicator.size)});
  }
  Known known(const Spread &spread) const {
    return {spread.longest, spread.longest == 0 ? Reason::Empty : decide(&spread)};
  }
  Known knownHere() const {
    if (!read.isSound)
      return {};
    return known({read.longest(), read.most()});
  }

  Status run(Collective collective) const {
    collective.context = communicator.context;
    Result<Request> started = process().session->start(collective);
    return started ? await(*started) : Status(started.error());
  }

  /// A root that is refused says so: the others then meet it in the MPI underneath.
  Result<Known> askRoot() const {
    uint64_t said[2] = {};
    if (communicator.rank == given.call.root) {
      const Known mine = knownHere();
      said[0] = mine.longest;
      said[1] = uint64_t(mine.reason);
    }
    Collective bcast;
    bcast.kind = Kind::Bcast;
    bcast.type = ElementType::Uint64;
    bcast.root = uint32_t(given.call.root);
    bcast.count = 2;
    bcast.recv = said;
    if (Status done = run(bcast); !done)
      return done.error();
    // Whose own arguments are wrong is refused here; the root waits for it, as in MPI.
    const bool isSane = said[1] < NumReasons && said[0] <= MostHeld / uint64_t(communicator.size);
    return Known{said[0], isSane && read.isSound ? Reason(said[1]) : Reason::Refused};
  }

  Result<Known> askAll() const {
    if (!read.isSound)
      return Known();
    uint64_t mine[2] = {read.longest(), read.most()}, greatest[2] = {};
    Collective allreduce;
    allreduce.kind = Kind::Allreduce;
    allreduce.op = ReduceOp::Max;
    allreduce.type = ElementType::Uint64;
    allreduce.count = 2;
    allreduce.send = mine;
    allreduce.recv = greatest;
    if (Status done = run(allreduce); !done)
      return done.error();
    return known({greatest[0], greatest[1]});
  }

  const VaryingArguments &given;
  const Kind kind;
  const Form form;
  Communicator &communicator;
  VaryingCall read;
};

int fail(const Arguments &given, const std::string &problem) {
  return raiseError(given.comm, std::string(given.name) + ": " + problem);
}

/// Up to where the plain collective is to be started.
struct Served {
  Reason reason = Reason::NoSwitch;
  uint64_t bytes = 0, longest = 0;
  Communicator *communicator = nullptr;
  std::unique_ptr<VaryingWork> work;
  std::unique_ptr<PairedWork> paired; ///< in its place
  int error = MPI_SUCCESS;            ///< its handler was called
};

Served prepare(const VaryingArguments &given, bool blocks) {
  Served served;
  std::tie(served.communicator, served.reason) =
      communicatorOf(given.call.comm, given.call.kind, blocks);
  if (!served.communicator)
    return served;
  Communicator &communicator = *served.communicator;
  communicator.refused.reset();
  if (!communicator.failure.empty()) {
    served.error = fail(given.call, communicator.failure);
    return served;
  }
  if (communicator.state != Reason::Offloaded)
    return served;
  const bool isRoot = given.call.root >= 0 && given.call.root < communicator.size;
  const bool asks = blocks || given.call.kind == Kind::Allgather; // or need not
  Varying varying(given, communicator, asks ? Form::Varying : Form::Paired);
  served.reason = isRoot ? varying.decide(nullptr) : Reason::Refused;
  if (served.reason != Reason::Offloaded)
    return served;
  const Result<Known> known = varying.agree(blocks);
  if (!known) {
    served.error = fail(given.call, known.error().str());
    return served;
  }
  served.reason = known->reason;
  served.bytes = varying.bytes();
  served.longest = known->longest;
  if (served.reason != Reason::Offloaded)
    return served;
  if (blocks || given.call.kind == Kind::Allgather) {
    served.work = varying.work(known->longest);
    served.error = served.work->error();
  } else {
    served.paired = varying.pairedWork();
    served.error = served.paired->error();
  }
  return served;
}

} // namespace

std::optional<int> performVarying(const VaryingArguments &given, Meter &meter, Reason &reason) {
  Served served = prepare(given, /*blocks=*/true);
  reason = served.reason;
  process().summary.count(given.call.name, given.call.site, reason, served.bytes);
  if (served.error != MPI_SUCCESS)
    return served.error;
  if (reason == Reason::Empty)
    return MPI_SUCCESS;
  if (!served.work)
    return std::nullopt;
  meter.compare({.kind = given.call.kind,
                 .count = served.longest,
                 .unit = 1,
                 .root = uint32_t(given.call.root)},
                served.communicator->rank, served.communicator->size);
  retain(*served.communicator);
  Result<Request> started = process().session->start(served.work->collective);
  if (const Status done = started ? await(*started) : Status(started.error()); !done) {
    (void)served.work.release(); // the session may still use its buffers
    return fail(given.call, done.error().str());
  }
  return served.work->finish();
}

namespace {

/// A call with an entry of its own in the switch, whose blocks have `longest` bytes at most.
class VaryingStartable final : public Startable {
public:
  VaryingStartable(const VaryingArguments &of, VaryingCall known, uint64_t longest,
                   Communicator &own)
      : given{.call = of.call}, read(std::move(known)), longest(longest), communicator(own) {
    given.call.comm = MPI_COMM_WORLD; // the program may free its own, and its types
    for (auto *blocks : {&read.give, &read.take})
      for (Message &block : *blocks)
        if (!block.layout.packed) {
          PMPI_Type_dup(block.type, &block.type);
          types.push_back(block.type);
        }
  }
  ~VaryingStartable() override {
    for (MPI_Datatype &type : types)
      PMPI_Type_free(&type);
    release(communicator);
  }
  int start(MPI_Request &active) override {
    auto work = std::make_unique<VaryingWork>(given, read, longest, communicator);
    if (work->error() != MPI_SUCCESS)
      return work->error();
    work->keepTypes();
    retain(communicator);
    Result<Request> started = process().session->start(work->collective);
    if (!started)
      return fail(given.call, started.error().str());
    return addRequest(std::move(work), *started, &active);
  }

private:
  VaryingArguments given;
  VaryingCall read;
  uint64_t longest;
  Communicator &communicator;
  std::vector<MPI_Datatype> types;
};

} // namespace

Result<Lasting> describeVarying(const VaryingArguments &given) {
  Lasting made;
  const auto [communicator, reason] =
      communicatorOf(given.call.comm, given.call.kind, /*blocks=*/true);
  made.reason = reason;
  if (communicator && !communicator->failure.empty())
    return Error{"", communicator->failure};
  if (!communicator || communicator->state != Reason::Offloaded)
    return made;
  Varying varying(given, *communicator, Form::Lasting);
  made.reason = varying.decide(nullptr);
  if (made.reason != Reason::Offloaded)
    return made;
  const Result<Known> known = varying.agree(/*blocks=*/true);
  if (!known)
    return known.error();
  made.reason = known->reason;
  made.bytes = varying.bytes();
  if (made.reason != Reason::Offloaded)
    return made;
  const Result<Communicator *> own = setUpBeside(given.call.comm, *communicator);
  if (!own)
    return own.error();
  if (*own)
    made.startable = std::make_unique<VaryingStartable>(
        given, readVarying(given, communicator->rank, communicator->size), known->longest, **own);
  else
    made.reason = Reason::NoEntry;
  return made;
}

std::optional<int> beginVarying(const VaryingArguments &given, MPI_Request *request) {
  Served served = prepare(given, /*blocks=*/false);
  process().summary.count(given.call.name, given.call.site, served.reason, served.bytes);
  if (served.error != MPI_SUCCESS)
    return served.error;
  if (served.reason == Reason::Empty)
    return addCompleteRequest(request);
  if (!served.work && !served.paired)
    return std::nullopt;
  if (served.work)
    served.work->keepTypes();
  retain(*served.communicator);
  Result<Request> started =
      process().session->start(served.work ? served.work->collective : served.paired->collective);
  if (!started)
    return fail(given.call, started.error().str());
  if (served.paired)
    return addRequest(std::move(served.paired), *started, request);
  return addRequest(std::move(served.work), *started, request);
}

} // namespace acis::mpi
