#include "runtime/client/Session.h"

namespace acis {

Result<std::unique_ptr<Session>> Session::open(const Endpoint &endpoint, uint32_t, uint32_t,
                                               const SessionOptions &) {
  return Error{endpoint.address, "the transport is not part of this build yet"};
}

} // namespace acis
