// See Perform.h.
#include "runtime/mpi/interpose/Perform.h"

#include "runtime/mpi/interpose/HostAlgorithms.h"
#include "runtime/mpi/interpose/Process.h"
#include "runtime/mpi/interpose/Requests.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace acis::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// The first look at the MPI underneath comes late enough not to delay a collective whose
/// peers are all there; later ones follow at growing distance.
constexpr Nanoseconds FirstSlice = std::chrono::microseconds(200);
constexpr Nanoseconds LongestSlice = std::chrono::milliseconds(2);

std::string describe(const Call &call, const std::string &problem) {
  return std::string(call.name) + ": " + problem;
}

/// The session speaks of one slice; what has passed is the whole timeout.
Error timedOut(Error ofSlice) {
  std::string &what = ofSlice.what;
  what.resize(std::min(what.find(" within "), what.size()));
  what += " within " + secondsText(process().settings.timeout) + " (ACIS_TIMEOUT)";
  return ofSlice;
}

} // namespace

Status await(Request request) {
  Process &state = process();
  Clock::time_point end = Clock::now() + state.settings.timeout;
  for (Nanoseconds slice = FirstSlice;; slice = std::min(slice * 2, LongestSlice)) {
    Status waited = state.session->wait(request, slice);
    if (waited)
      return waited;
    Result<bool> done = state.session->test(request);
    if (!done)
      return done.error(); // not slow but broken
    if (*done)
      return {};
    if (Clock::now() >= end)
      return timedOut(waited.error());
    driveProgress();
  }
}

int finish(Work &work) {
  int code = work.staging.deliver();
  release(*work.communicator);
  return code;
}

/// Another call follows on the communicator: what was refused before, if anything.
std::unique_ptr<RefusedCall> takeRefused(const Call &call, const Decision &decision) {
  Communicator *communicator = nullptr;
  if (decision.work)
    communicator = decision.work->communicator;
  else if (process().attached && call.comm != MPI_COMM_NULL)
    communicator = find(call.comm);
  return communicator ? std::move(communicator->refused) : nullptr;
}

bool isRepeated(const RefusedCall &refused, const Work &work) {
  const Collective &was = refused.collective, &is = work.collective;
  return !work.refused && was.kind == is.kind && was.root == is.root && was.op == is.op &&
         was.type == is.type && was.count == is.count && was.operatorHandle == is.operatorHandle;
}

/// The root's call again, without the mistake: what the others gave is here.
int deliver(const RefusedCall &refused, Work &work) {
  std::memcpy(work.collective.recv, refused.result.get(), refused.bytes);
  return work.staging.deliver();
}

std::optional<int> perform(const Call &call) {
  Decision decision = decide(call, /*blocks=*/true);
  const std::unique_ptr<RefusedCall> before = takeRefused(call, decision);
  const bool refused = decision.work && decision.work->refused;
  process().summary.count(call.name, call.site, refused ? Reason::Refused : decision.reason,
                          decision.bytes);
  if (decision.error != MPI_SUCCESS)
    return decision.error;
  if (decision.reason == Reason::Empty)
    return MPI_SUCCESS;
  if (!decision.work)
    return std::nullopt;
  Work &work = *decision.work;
  if (before && isRepeated(*before, work))
    return deliver(*before, work);
  auto conclude = [&]() -> std::optional<int> {
    if (refused)
      work.communicator->refused.reset(
          new RefusedCall{work.collective, std::move(work.unwanted), work.unwantedBytes});
    const int code = finish(work);
    return refused ? std::nullopt : std::optional(code);
  };
  retain(*work.communicator);
  if (isByHosts(decision.algorithm)) {
    if (int code = runOnHosts(call.name, work, decision.algorithm); code != MPI_SUCCESS) {
      (void)decision.work.release(); // messages may still come into its buffers
      return code;
    }
    return conclude();
  }
  Result<Request> started = process().session->start(work.collective);
  Status done = started ? await(*started) : Status(started.error());
  if (done)
    return conclude();
  // The session may still use copies of buffers that belong to a request it holds.
  (void)decision.work.release();
  return raiseError(call.comm, describe(call, done.error().str()));
}

std::optional<int> begin(const Call &call, MPI_Request *request) {
  Decision decision = decide(call, /*blocks=*/false);
  (void)takeRefused(call, decision);
  process().summary.count(call.name, call.site, decision.reason, decision.bytes);
  if (decision.error != MPI_SUCCESS)
    return decision.error;
  if (decision.reason == Reason::Empty)
    return addCompleteRequest(request);
  if (decision.reason != Reason::Offloaded)
    return std::nullopt;
  retain(*decision.work->communicator);
  Result<Request> started = process().session->start(decision.work->collective);
  if (!started)
    return raiseError(call.comm, describe(call, started.error().str()));
  return addRequest(std::move(decision.work), call.name, *started, request);
}

} // namespace acis::mpi
