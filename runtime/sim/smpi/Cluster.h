// The cluster of one run of an MPI program: made when SMPI loads its platform, shared by all ranks.
#pragma once

#include "runtime/host/client/Session.h"

#include <cstdint>
#include <memory>

namespace acis::cluster {

/// The session of a rank, in the actor that is this rank. Fails where the run is without switches.
Result<std::unique_ptr<Session>> openInCluster(uint32_t rank, const SessionOptions &options);

} // namespace acis::cluster
