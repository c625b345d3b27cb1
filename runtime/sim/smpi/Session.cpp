// The session of libacis-sim: in place of the one over a socket, as the interposition opens it.
#include "runtime/host/client/Session.h"

#include "runtime/sim/smpi/Cluster.h"

namespace acis {

Result<std::unique_ptr<Session>> Session::open(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options) {
  return cluster::openInCluster(endpoint, rank, size, options);
}

} // namespace acis
