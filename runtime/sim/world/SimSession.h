// The hosts' end in a simulated cluster: client::HostSession in an actor, behind the interface that
// programs and the MPI library use on metal.
//
// Progress is made in calls and, while something is under way, between them, as a session's thread
// makes it on metal. Each call of start() costs the host's overhead, and its completion again.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/sim/world/World.h"

#include <memory>

namespace acis::cluster {

/// Called around everything that takes simulated time, so that SMPI does not take it for
/// computation; may be empty.
struct Bench {
  void (*stop)() = nullptr;
  void (*go)() = nullptr;
};

/// Attaches the rank of the calling actor to its switch. `world` outlives the session.
Result<std::unique_ptr<Session>> openSession(World &world, uint32_t rank,
                                             const SessionOptions &options, const Bench &bench);
/// Who a session is of: a rank of some size in its job.
struct Member {
  uint32_t rank = 0, size = 1;
};
/// One of that rank of the world with the memory node that the endpoint names, whose job may be of
/// other ranks.
Result<std::unique_ptr<Session>> openMemorySession(World &world, const Endpoint &endpoint,
                                                   uint32_t rank, const Member &member,
                                                   const SessionOptions &options,
                                                   const Bench &bench);

} // namespace acis::cluster
