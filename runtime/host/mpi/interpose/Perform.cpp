// See Perform.h.
#include "runtime/host/mpi/interpose/Perform.h"

#include "runtime/host/mpi/Pace.h"
#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/HostAlgorithms.h"
#include "runtime/host/mpi/interpose/NodeCollectives.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/host/mpi/interpose/Requests.h"
#include "runtime/host/mpi/interpose/Work.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <tuple>
#include <utility>

namespace acis::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// The session speaks of one slice; what has passed is the whole timeout.
Error timedOut(Error ofSlice) {
  std::string &what = ofSlice.what;
  what.resize(std::min(what.find(" within "), what.size()));
  what += " within " + secondsText(process().settings.timeout) + " (ACIS_TIMEOUT)";
  return ofSlice;
}

/// Of waits of this thread, one after the other.
thread_local Pace pace;

} // namespace

Status await(Request request) {
  Process &state = process();
  Clock::time_point now = Clock::now(), end = now + state.settings.timeout;
  for (Nanoseconds slice = pace.first();; slice = pace.after(slice)) {
    Status waited = state.session->wait(request, slice);
    if (waited)
      return waited;
    Result<bool> done = state.session->test(request);
    if (!done)
      return done.error(); // not slow but broken
    if (*done)
      return {};
    const Clock::time_point begun = std::exchange(now, Clock::now());
    pace.ended(slice, now - begun);
    if (now >= end)
      return timedOut(waited.error());
    driveProgress();
    now = Clock::now();
  }
}

std::pair<Communicator *, Reason> communicatorOf(MPI_Comm comm, Kind kind, bool blocks) {
  const Process &state = process();
  if (!state.attached)
    return {nullptr, Reason::NoSwitch};
  if (comm == MPI_COMM_NULL)
    return {nullptr, Reason::Refused};
  Communicator *communicator = find(comm);
  const Policy &policy = state.settings.policy;
  if (!communicator && !policy.offloads(kind) && !policy.mayUseHosts())
    return {nullptr, Reason::SwitchedOff};
  if (!communicator && blocks)
    communicator = setUp(comm);
  return {communicator, communicator ? communicator->state : Reason::NotSetUp};
}

namespace {

/// A call of the program, and what becomes of it.
struct Served {
  Decision decision{Reason::NoSwitch};
  uint64_t bytes = 0;
  Communicator *communicator = nullptr; ///< null: the switch was not told of it
  std::unique_ptr<Work> work;           ///< to be done, by the switch or the hosts
  /// An error of MPI while a buffer was packed, or why the communicator could not be set up; its
  /// handler has been called.
  int error = MPI_SUCCESS;
};

int fail(const Arguments &given, const std::string &problem) {
  return raiseError(given.comm, std::string(given.name) + ": " + problem);
}

/// Up to where work is to be started. `blocks`: the call may, so that a communicator can be set up,
/// hosts can do it, and who is refused can wait until the others have what they need.
Served prepare(const Arguments &given, bool blocks, Meter *meter = nullptr) {
  Served served;
  std::tie(served.communicator, served.decision.reason) =
      communicatorOf(given.comm, given.kind, blocks);
  if (!served.communicator)
    return served;
  Communicator &communicator = *served.communicator;
  if (!communicator.failure.empty()) {
    served.error = fail(given, communicator.failure);
    return served;
  }
  // Without an entry in the switch the hosts may do it; both are for members of this world.
  if (communicator.state != Reason::Offloaded && communicator.state != Reason::NoEntry)
    return served;
  Call call = normalise(given, communicator.rank, communicator.size);
  if (call.reason == Reason::Refused && blocks)
    if (std::optional<Call> seen = asOthersSee(given, communicator.rank, communicator.size))
      call = std::move(*seen);
  const Process &state = process();
  if (meter && call.reason == Reason::Offloaded)
    meter->compare({.kind = given.kind,
                    .count = call.collective.count,
                    .unit = bytesOf(call.collective.type),
                    .root = call.collective.root},
                   communicator.rank, communicator.size);
  served.bytes = call.bytes;
  served.decision = decide(call, communicator, state.settings.policy, *state.session, blocks);
  if (served.decision.isServed()) {
    served.work = std::make_unique<Work>(std::move(call), communicator);
    served.error = served.work->staging.error();
  }
  return served;
}

/// Another call follows on the communicator: what was refused before, if anything.
std::unique_ptr<RefusedCall> takeRefused(const Served &served) {
  return served.communicator ? std::move(served.communicator->refused) : nullptr;
}

bool isRepeated(const RefusedCall &refused, const Call &call) {
  const Collective &was = refused.collective, &is = call.collective;
  return !call.isRefused && was.kind == is.kind && was.root == is.root && was.op == is.op &&
         was.type == is.type && was.count == is.count && was.operatorHandle == is.operatorHandle;
}

/// The root's call again, without the mistake: what the others gave is here.
int deliver(const RefusedCall &refused, Work &work) {
  std::memcpy(work.call.collective.recv, refused.result.get(), refused.bytes);
  return work.staging.deliver();
}

/// Starts the work on the switch and waits for it.
Status doBySwitch(const Work &work) {
  Result<Request> started = process().session->start(work.call.collective);
  return started ? await(*started) : Status(started.error());
}

} // namespace

std::optional<int> perform(const Arguments &given, Meter &meter, Reason &reason) {
  Served served = prepare(given, /*blocks=*/true, &meter);
  const std::unique_ptr<RefusedCall> before = takeRefused(served);
  const bool isRefused = served.work && served.work->call.isRefused;
  reason = isRefused ? Reason::Refused : served.decision.reason;
  process().summary.count(given.name, given.site, reason, served.bytes);
  if (served.error != MPI_SUCCESS)
    return served.error;
  if (served.decision.reason == Reason::Empty)
    return MPI_SUCCESS;
  if (!served.work)
    return std::nullopt;
  Work &work = *served.work;
  if (before && isRepeated(*before, work.call))
    return deliver(*before, work);
  retain(work.communicator);
  int code = MPI_SUCCESS;
  if (served.decision.algorithm == algorithms::Algorithm::Nodes)
    code = runByNodes(work);
  else if (isByHosts(served.decision.algorithm))
    code = runOnHosts(work, served.decision.algorithm);
  else if (Status done = doBySwitch(work); !done)
    code = fail(given, done.error().str());
  if (code != MPI_SUCCESS) {
    // Messages may still come into its buffers, and the session may still use copies of buffers
    // that belong to a request it holds.
    (void)served.work.release();
    return code;
  }
  if (isRefused)
    work.communicator.refused.reset(
        new RefusedCall{work.call.collective, std::move(work.unwanted), work.call.take.bytes()});
  code = work.finish();
  return isRefused ? std::nullopt : std::optional(code);
}

std::optional<int> begin(const Arguments &given, MPI_Request *request) {
  Served served = prepare(given, /*blocks=*/false);
  (void)takeRefused(served);
  process().summary.count(given.name, given.site, served.decision.reason, served.bytes);
  if (served.error != MPI_SUCCESS)
    return served.error;
  if (served.decision.reason == Reason::Empty)
    return addCompleteRequest(request);
  if (!served.work)
    return std::nullopt;
  retain(served.work->communicator);
  Result<Request> started = process().session->start(served.work->call.collective);
  if (!started)
    return fail(given, started.error().str());
  return addRequest(std::move(served.work), *started, request);
}

} // namespace acis::mpi
