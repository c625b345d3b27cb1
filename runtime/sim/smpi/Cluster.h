// The cluster of one run of an MPI program: made when SMPI loads its platform, shared by all ranks.
#pragma once

#include "runtime/host/client/Session.h"

#include <cstdint>
#include <memory>
#include <string>

namespace acis::cluster {

/// The calling rank's session with the switch that it is attached to; or with a memory node of that
/// name, as a rank of some size in the endpoint's job. Fails where there is none.
Result<std::unique_ptr<Session>> openInCluster(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options);

/// The calling rank has computed until now, and ends superstep `step` with collective `call`
/// ("allreduce"): what the run's file says of that takes its time.
void endOfWork(uint32_t rank, uint64_t step, const std::string &call);

class World;
/// The one of this process; for this library only.
World &theWorld();
/// In MPI_COMM_WORLD.
uint32_t callingRank();

/// The calling rank ends the run for all, by MPI_Abort: the exit code is `code`, or 1 for 0.
[[noreturn]] void endRun(int code);

/// Whether calls are drawn.
bool hasTimeline();
/// A call of the rank that began at a moment of simulated time ends now; `by`: who did it.
void drawCall(uint32_t rank, const char *name, double begin, uint64_t bytes, const std::string &by);

} // namespace acis::cluster
