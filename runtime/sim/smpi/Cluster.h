// The cluster of one run of an MPI program: made when SMPI loads its platform, shared by all ranks.
#pragma once

#include "runtime/host/client/Session.h"

#include <cstdint>
#include <memory>
#include <string>

namespace acis::cluster {

/// The session of a rank, in the actor that is this rank. Fails where the run is without switches.
Result<std::unique_ptr<Session>> openInCluster(uint32_t rank, const SessionOptions &options);

/// The calling rank has computed until now, and ends superstep `step` with collective `call`
/// ("allreduce"): what the run's file says of that takes its time.
void endOfWork(uint32_t rank, uint64_t step, const std::string &call);

class World;
/// The one of this process; for this library only.
World &theWorld();

/// Whether calls are drawn.
bool hasTimeline();
/// A call of the rank that began at a moment of simulated time ends now; `by`: who did it.
void drawCall(uint32_t rank, const char *name, double begin, uint64_t bytes, const std::string &by);

} // namespace acis::cluster
